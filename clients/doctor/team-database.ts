// What the doctor says of a team's database, as `locid --check` has found it.
import type { TeamCheck } from '#shared/store-check.ts';
import { broken, type Finding, notice, ok } from './check.ts';
import { updateCommand } from './daemon-state.ts';

const oldestServer = 15;
const repair = 'loci doctor --repair';
const ask = 'psql "$LOCI_STORAGE_URL" -c "SHOW server_version"';

export function teamFindings(found: TeamCheck): Finding[] {
  const { why, server, encoding, schema } = found;
  if (why !== null || server === null) return [broken('team database', why ?? 'It cannot be reached.', ask)];
  if (server < oldestServer) {
    return [broken('team database', `It is PostgreSQL ${server}, and Loci needs ${oldestServer} or newer.`, ask)];
  }
  if (encoding !== 'UTF8') {
    const says = `It keeps text as ${encoding}, and Loci needs UTF8: make another and name it in \`storage.url\`.`;
    return [broken('team database', says, 'createdb --encoding=UTF8 --template=template0 loci')];
  }
  const reached = ok('team database', `PostgreSQL ${server} answers`);
  if (schema !== null && schema.found > schema.known) {
    const says = `It was written by a newer version of Loci (schema ${schema.found}, this one knows ${schema.known}).`;
    return [reached, broken('team database', says, updateCommand)];
  }
  return [reached, schemaOf(found), whole(found), vectors(found), upkeep(found), programs(found)].filter(
    (one) => one !== null,
  );
}

function schemaOf({ schema }: TeamCheck): Finding {
  if (schema === null) return ok('team schema', 'is not there yet: the first daemon makes it');
  if (schema.found === schema.known) return ok('team schema', `is that of this version (${schema.known})`);
  return notice(
    'team schema',
    `It is ${schema.found} and this version has ${schema.known}: the next daemon that starts migrates it.`,
    'loci restart',
  );
}

function whole({ schema, faults }: TeamCheck): Finding | null {
  if (schema?.found !== schema?.known || schema === null) return null;
  if (faults.length === 0) return ok('team store', 'index, counts and vectors agree with the memories');
  return broken('team store', `It has ${faults.join(', ')}.`, repair);
}

function vectors({ vectors }: TeamCheck): Finding | null {
  if (vectors === null) return null;
  const waiting = vectors.pending === 0 ? '' : `, ${vectors.pending} things still to be embedded`;
  return ok('team vectors', `${vectors.stored} in the database${waiting}`);
}

function upkeep({ daemons, leader }: TeamCheck): Finding {
  if (daemons === 0) return ok('team daemons', 'none is connected');
  const says = `${daemons} connected`;
  if (leader !== null) return ok('team daemons', `${says}, one of them does the upkeep`);
  return notice('team daemons', `${says}, and none does the upkeep at this moment.`, 'loci restart');
}

function programs({ server, programs }: TeamCheck): Finding {
  const best = programs.find((major) => server !== null && major >= server);
  if (best !== undefined) return ok('pg_dump', `version ${best} is here for backups`);
  const has = programs.length === 0 ? 'None is here' : `Here is only version ${programs.at(-1)}`;
  return notice(
    'pg_dump',
    `${has}, so this daemon can make no backup of PostgreSQL ${server}.`,
    `apt-get install postgresql-client-${server}`,
  );
}
