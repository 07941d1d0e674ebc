// The schema of a team as one file, and back. The dump reads one snapshot, of which the figures are told too. A restore is one transaction of
// psql: the present schema is dropped, the dump's statements follow, and COMMIT is only sent when pg_restore has ended well, so that
// whatever is cut off anywhere leaves the schema as it was. (`pg_restore --clean` would stop at a table that the dump does not know.)
import { once } from 'node:events';
import type { ClientBase } from 'pg';
import type { Logger } from '#daemon/kernel/logger.ts';
import { LociError } from '#shared/errors.ts';
import { schemaVersion } from '../migrate.ts';
import type { DatabaseFacts } from '../snapshot.ts';
import { type ClientPrograms, findPrograms, forPrograms, startProgram } from './client-programs.ts';
import { type PostgresSource, schema, withClient } from './connection.ts';

export type TeamDatabase = {
  readonly source: PostgresSource;
  /** The daemon's own environment: where programs are looked for, and what they inherit. */
  readonly env: NodeJS.ProcessEnv;
  /** Told what the programs say where they fail; callers are not. */
  readonly logger: Logger;
};

/** Writes the schema as it is at one moment to `file`; answers what it holds. Throws `unavailable` without a pg_dump that fits. */
export function dumpSchema(
  { source, env, logger }: TeamDatabase,
  file: string,
  { signal, isGentle = false }: { readonly signal?: AbortSignal | undefined; readonly isGentle?: boolean } = {},
): Promise<DatabaseFacts> {
  return withClient(source, async (client) => {
    const programs = await programsFor(client, env);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const facts = await readFacts(client);
    const { rows } = await client.query('SELECT pg_export_snapshot() AS snapshot');
    const child = forPrograms(source.url, env);
    const args = [
      '--format=custom',
      '--compress=0', // the archive around it is packed
      `--schema=${schema}`,
      `--snapshot=${rows[0]?.snapshot}`,
      '--lock-wait-timeout=10s',
      `--file=${file}`,
      `--dbname=${child.dbname}`,
    ];
    await startProgram(programs.path('pg_dump'), args, { env: child.env, signal, isGentle }).ended.catch(
      failed('read', logger),
    );
    await client.query('COMMIT');
    return facts;
  });
}

/** Reads a dump to its last byte. Throws `conflict` where it is damaged. */
export async function checkDump(
  { source, env, logger }: TeamDatabase,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  const programs = await withClient(source, (client) => programsFor(client, env));
  await startProgram(programs.path('pg_restore'), ['--file=/dev/null', file], { env, signal }).ended.catch(
    (error: unknown) => {
      logger.warn({ err: error }, 'a dump cannot be read');
      throw new LociError('conflict', 'The dump in it is damaged: pg_restore cannot read it.', { cause: 'pg_restore' });
    },
  );
}

/** Puts a dump in the place of the schema, all or nothing; `last` are statements of the same transaction. */
export async function loadDump(
  { source, env, logger }: TeamDatabase,
  file: string,
  last: readonly string[] = [],
): Promise<void> {
  const programs = await withClient(source, (client) => programsFor(client, env));
  const child = forPrograms(source.url, env);
  const psql = startProgram(
    programs.path('psql'),
    ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--output=/dev/null', '--file=-', `--dbname=${child.dbname}`],
    { env: child.env },
  );
  const input = psql.child.stdin;
  const restore = startProgram(programs.path('pg_restore'), ['--no-owner', '--no-privileges', '--file=-', file], {
    env,
  });
  if (input === null || restore.child.stdout === null) throw new Error('a child without its pipes');
  input.write(
    `SET client_min_messages = error; BEGIN; SET LOCAL lock_timeout = '60s'; DROP SCHEMA IF EXISTS ${schema} CASCADE;\n`,
  );
  try {
    let isFirst = true;
    for await (const chunk of restore.child.stdout) {
      const part = isFirst ? withoutNewerSettings(chunk as Buffer) : (chunk as Buffer);
      isFirst = false;
      if (!input.write(part)) await Promise.race([once(input, 'drain'), psql.ended]);
    }
    await restore.ended;
  } catch (error) {
    input.destroy(); // without COMMIT nothing is changed
    await psql.ended.catch(failed('restore', logger)); // where psql ended first, it knows why
    failed('restore', logger)(error);
  }
  input.end(`${last.map((statement) => `${statement};\n`).join('')}COMMIT;\n`);
  await psql.ended.catch(failed('restore', logger));
}

/** What a schema holds; throws where there is none. */
export async function readFacts(client: ClientBase): Promise<DatabaseFacts> {
  const { rows } = await client.query(
    `SELECT (SELECT count(*) FROM ${schema}.migrations) AS schema, (SELECT count(*) FROM ${schema}.memories) AS memories`,
  );
  return rows[0] as DatabaseFacts;
}

/** Throws `conflict` for what a newer version made. */
export function refuseNewer(found: number): void {
  if (found <= schemaVersion) return;
  throw new LociError(
    'conflict',
    `It was made by a newer version of Loci (schema ${found}, this one knows ${schemaVersion}): update Loci.`,
    { found, known: schemaVersion },
  );
}

export async function serverMajor(client: ClientBase): Promise<number> {
  const { rows } = await client.query("SELECT current_setting('server_version_num')::int AS number");
  return Math.floor(Number(rows[0]?.number) / 10_000);
}

async function programsFor(client: ClientBase, env: NodeJS.ProcessEnv): Promise<ClientPrograms> {
  return findPrograms(await serverMajor(client), env);
}

/** A newer pg_restore sets what an older server does not know. */
function withoutNewerSettings(head: Buffer): Buffer {
  return Buffer.from(head.toString('latin1').replace(/^SET transaction_timeout = 0;$/m, ''), 'latin1');
}

function failed(what: 'read' | 'restore', logger: Logger): (error: unknown) => never {
  return (error) => {
    logger.warn({ err: error }, 'a program of PostgreSQL failed');
    if ((error as { name?: string }).name === 'AbortError')
      throw new LociError('unavailable', 'The work on the backup was given up: try again.');
    throw new LociError(
      'unavailable',
      what === 'read'
        ? 'pg_dump could not read the team database: the log says why.'
        : 'The team database did not take the backup: nothing was changed, and the log says why.',
      { cause: what === 'read' ? 'pg_dump' : 'pg_restore' },
    );
  };
}
