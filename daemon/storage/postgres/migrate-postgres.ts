// The same migrations in the same order, read for PostgreSQL, each in a transaction with what belongs to it here. One daemon migrates while
// the others wait; one that is older than the schema steps back. An older daemon that runs on meanwhile goes on working as long as
// a migration only adds, which is what lets a team upgrade one daemon after the other.

import {
  type DatabaseConnection,
  Kysely,
  type Migration,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { ClientBase } from 'pg';
import { LociError } from '#shared/errors.ts';
import { migrations } from '../migrate.ts';
import { lockClass, schema, schemaLock } from './connection.ts';
import { firstParts, partsAfter } from './schema-parts.ts';
import { translateDdl } from './translate-ddl.ts';

/** Brings the schema up to date over one connection. Throws `unavailable` for a database of a newer version or another encoding. */
export async function migratePostgres(client: ClientBase): Promise<void> {
  await refuseOtherEncoding(client);
  await client.query('SELECT pg_advisory_lock($1, $2)', [lockClass, schemaLock]);
  try {
    const done = await migrationsDone(client);
    const newer = done.filter((name) => migrations[name] === undefined);
    if (newer.length > 0) throw newerSchema(done.length);
    const db = migrationDatabase(client);
    for (const [name, migration] of Object.entries(migrations)) {
      if (!done.includes(name)) await runMigration(client, db, name, migration);
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock($1, $2)', [lockClass, schemaLock]).catch(() => undefined);
  }
}

/** Names of the migrations that have run; makes the schema and its list when there is none yet. */
async function migrationsDone(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query(`SELECT to_regclass('${schema}.migrations') IS NOT NULL AS known`);
  if (rows[0]?.known !== 1) {
    await client.query('BEGIN');
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(
      'CREATE TABLE migrations (name TEXT COLLATE "C" PRIMARY KEY, run_at TIMESTAMPTZ NOT NULL DEFAULT now())',
    );
    for (const part of [...firstParts, await foldCaseFunction(client)]) await client.query(part);
    await client.query('COMMIT');
  }
  const done = await client.query('SELECT name FROM migrations ORDER BY name');
  return done.rows.map((row) => row.name as string);
}

async function runMigration(
  client: ClientBase,
  db: Kysely<unknown>,
  name: string,
  { up }: Pick<Migration, 'up'>,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await up(db);
    for (const part of partsAfter[name] ?? []) await client.query(part);
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** A Kysely whose every statement is read as one of SQLite's; it stays on the one connection, and the caller has opened the transaction. */
function migrationDatabase(client: ClientBase): Kysely<unknown> {
  const connection: DatabaseConnection = {
    async executeQuery({ sql, parameters }) {
      const statements = parameters.length > 0 ? [sql] : translateDdl(sql);
      let rows: never[] = [];
      for (const statement of statements) rows = (await client.query(statement, [...parameters])).rows as never[];
      return { rows };
    },
    // biome-ignore lint/correctness/useYield: no migration reads a stream
    async *streamQuery() {
      throw new Error('a migration cannot read a stream');
    },
  };
  const nothing = async (): Promise<void> => undefined;
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: nothing,
        acquireConnection: async () => connection,
        releaseConnection: nothing,
        beginTransaction: nothing,
        commitTransaction: nothing,
        rollbackTransaction: nothing,
        destroy: nothing,
      }),
    },
  });
}

/** `lower` of a database may know ASCII alone, so the letters of all languages come from ICU where the server has it. */
async function foldCaseFunction(client: ClientBase): Promise<string> {
  const { rows } = await client.query("SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu' LIMIT 1");
  const collation = rows.length > 0 ? 'und-x-icu' : 'default';
  return `CREATE FUNCTION fold_case(label text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT lower(normalize(label, NFKC) COLLATE "${collation}") COLLATE "C" $$`;
}

async function refuseOtherEncoding(client: ClientBase): Promise<void> {
  const { rows } = await client.query('SHOW server_encoding');
  if (rows[0]?.server_encoding === 'UTF8') return;
  throw new LociError(
    'unavailable',
    'The team database does not keep text as UTF-8: create it with ENCODING UTF8 and name that one in `storage.url`.',
    { encoding: rows[0]?.server_encoding },
  );
}

function newerSchema(found: number): LociError {
  const known = Object.keys(migrations).length;
  return new LociError(
    'unavailable',
    `The team database was written by a newer version of Loci (schema ${found}, this one knows ${known}): update Loci.`,
    { found, known },
  );
}
