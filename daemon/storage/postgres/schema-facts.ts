// What a team's database is, asked over a connection of its own, without migrating or changing anything.
import type { ClientBase } from 'pg';
import { schemaVersion } from '../migrate.ts';
import type { DatabaseFacts } from '../snapshot.ts';
import { type PostgresSource, schema, withClient } from './connection.ts';
import { readFacts } from './dump.ts';

/** Bytes of all tables, without their indexes. */
export function schemaBytes(source: PostgresSource): Promise<number> {
  return withClient(source, async (client) => {
    const { rows } = await client.query(
      `SELECT coalesce(sum(pg_table_size(c.oid)), 0) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = '${schema}' AND c.relkind = 'r'`,
    );
    return Number(rows[0]?.bytes ?? 0);
  });
}

/** What is in a database that this version has yet to migrate; null where there is nothing, or nothing to migrate. */
export function olderFacts(source: PostgresSource): Promise<DatabaseFacts | null> {
  return withClient(source, async (client) => {
    if (!(await hasTable(client, 'migrations')) || !(await hasTable(client, 'memories'))) return null;
    const facts = await readFacts(client);
    return facts.schema > 0 && facts.schema < schemaVersion ? facts : null;
  });
}

export async function hasTable(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query(`SELECT to_regclass('${schema}.${name}') IS NOT NULL AS known`);
  return rows[0]?.known === 1;
}

/** The newest change that is told to others; nothing was changed between two equal ones. */
export async function lastChange(client: ClientBase): Promise<number> {
  const { rows } = await client.query(`SELECT coalesce(max(seq), 0) AS seq FROM ${schema}.change_log`);
  return Number(rows[0]?.seq ?? 0);
}

/** Migrations that have run, in order; null where there is no schema of ours. */
export async function migrationNames(client: ClientBase): Promise<string[] | null> {
  if (!(await hasTable(client, 'migrations'))) return null;
  const { rows } = await client.query(`SELECT name FROM ${schema}.migrations ORDER BY name`);
  return rows.map((row) => String(row.name));
}
