// The engine that a run of tests stands on: SQLite, or (`npm run test:postgres`) a database of PostgreSQL for each home, with the same tests.
import { createHash } from 'node:crypto';
import { inject } from 'vitest';
import { atEnd } from './at-end.ts';
import { runSql } from './postgres/cluster.ts';

const cluster = inject('postgres');

export const onPostgres = cluster !== undefined;

const made = new Set<string>();

/** Settings, as the environment gives them, that put the store of a home on the engine under test. The end of the test drops it. */
export async function storageSettings(home: string): Promise<Record<string, string>> {
  if (!onPostgres) return {};
  const name = databaseOf(home);
  if (!made.has(name)) {
    made.add(name);
    await runSql(urlOf('postgres'), `CREATE DATABASE ${name} TEMPLATE loci_template`);
    atEnd(async () => {
      if (made.delete(name)) await runSql(urlOf('postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
    });
  }
  return { LOCI_STORAGE_URL: urlOf(name) };
}

/** The address of a database of the run's cluster. */
export function urlOf(database: string): string {
  return (cluster ?? '').replace('///postgres?', `///${database}?`);
}

export function databaseOf(home: string): string {
  return `home_${createHash('sha1').update(home).digest('hex').slice(0, 16)}`;
}
