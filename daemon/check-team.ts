// What the doctor asks about a team's database, over a connection of its own that changes nothing. Daemons may work meanwhile.

import { LociError } from '#shared/errors.ts';
import type { TeamCheck } from '#shared/store-check.ts';
import { schemaVersion } from './storage/migrate.ts';
import { installedPrograms } from './storage/postgres/client-programs.ts';
import {
  leaderLock,
  lockClass,
  type PostgresClient,
  type PostgresSource,
  withClient,
} from './storage/postgres/connection.ts';
import { serverMajor } from './storage/postgres/dump.ts';
import { mendSchema } from './storage/postgres/mend-schema.ts';
import { hasTable, migrationNames } from './storage/postgres/schema-facts.ts';

/** Never throws for what is wrong with the database: that is the answer. */
export async function checkTeam(source: PostgresSource, env: NodeJS.ProcessEnv): Promise<TeamCheck> {
  const programs = (await installedPrograms(env)).map(({ major }) => major).sort((a, b) => a - b);
  try {
    const looked = await withClient(source, look);
    const isReadable = looked.schema?.found === schemaVersion;
    const { faults } = isReadable ? await mendSchema(source, { isTrial: true }) : { faults: [] };
    return { why: null, ...looked, programs, faults };
  } catch (error) {
    if (!(error instanceof LociError)) throw error;
    return { ...unreachable, why: error.message, programs };
  }
}

const unreachable = { server: null, encoding: null, schema: null, vectors: null, daemons: 0, leader: null, faults: [] };

async function look(client: PostgresClient): Promise<Omit<TeamCheck, 'why' | 'programs' | 'faults'>> {
  const { rows } = await client.query('SHOW server_encoding');
  const server = { server: await serverMajor(client), encoding: String(rows[0]?.server_encoding) };
  const names = await migrationNames(client);
  const schema = names === null ? null : { found: names.length, known: schemaVersion };
  return { ...server, schema, vectors: await countVectors(client), ...(await countDaemons(client)) };
}

/** Vectors of the model in use that are of a thing as it stands, and things that wait for one. */
async function countVectors(client: PostgresClient): Promise<TeamCheck['vectors']> {
  if (!(await hasTable(client, 'vectors'))) return null;
  const { rows } = await client.query(`SELECT
    (SELECT count(*) FROM vectors v JOIN searchables s ON s.kind = v.kind AND s.thing_id = v.thing_id AND s.rev = v.rev
      JOIN store_facts f ON f.key = 'embedding.model' AND f.value = v.model_id) AS stored,
    (SELECT count(*) FROM searchables WHERE embedded = 0) AS pending`);
  return rows[0] as TeamCheck['vectors'];
}

/** Daemons with a connection to this database, and the name of the one that does the upkeep. */
async function countDaemons(client: PostgresClient): Promise<Pick<TeamCheck, 'daemons' | 'leader'>> {
  const { rows } = await client.query(
    `SELECT (SELECT count(DISTINCT application_name) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'locid %') AS daemons,
      (SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
        WHERE l.locktype = 'advisory' AND l.granted AND l.classid::bigint = $1 AND l.objid::bigint = $2
          AND a.datname = current_database() LIMIT 1) AS leader`,
    [lockClass, leaderLock],
  );
  return rows[0] as Pick<TeamCheck, 'daemons' | 'leader'>;
}
