// Kysely does not run SQLite migrations in a transaction: one that throws would leave its earlier statements behind (seen on 0.28.19).
// So each `up` is wrapped in one, and a database that a newer version wrote is refused before a byte of it changes.

import type Sqlite from 'better-sqlite3';
import { type Kysely, type Migration, Migrator } from 'kysely';
import { LociError } from '#shared/errors.ts';
import * as memories from './migrations/0001-memories.ts';
import * as livingMemory from './migrations/0002-living-memory.ts';
import * as thingLinks from './migrations/0003-thing-links.ts';
import * as hooks from './migrations/0004-hooks.ts';
import * as documentsAndFiles from './migrations/0005-documents-and-files.ts';
import * as skillsAndEntities from './migrations/0006-skills-and-entities.ts';
import * as plans from './migrations/0007-plans.ts';
import * as access from './migrations/0008-access.ts';
import * as reembedding from './migrations/0009-reembedding.ts';
import * as transfer from './migrations/0010-transfer.ts';
import * as unitedMemories from './migrations/0011-united-memories.ts';
import * as listTotals from './migrations/0012-list-totals.ts';
import * as fieldTimes from './migrations/0013-field-times.ts';
import type { Tables } from './tables/schema.ts';

/** By name, in order. Text for SQLite; `postgres/translate-ddl.ts` reads it for PostgreSQL. */
export const migrations: Record<string, Pick<Migration, 'up'>> = {
  '0001-memories': memories,
  '0002-living-memory': livingMemory,
  '0003-thing-links': thingLinks,
  '0004-hooks': hooks,
  '0005-documents-and-files': documentsAndFiles,
  '0006-skills-and-entities': skillsAndEntities,
  '0007-plans': plans,
  '0008-access': access,
  '0009-reembedding': reembedding,
  '0010-transfer': transfer,
  '0011-united-memories': unitedMemories,
  '0012-list-totals': listTotals,
  '0013-field-times': fieldTimes,
};

/** The number of migrations this version knows; kept in `user_version`. */
export const schemaVersion = Object.keys(migrations).length;

/** Brings the schema up to date. Throws `unavailable` for a database from a newer version. */
export async function migrate(db: Kysely<Tables>, raw: Sqlite.Database, file: string): Promise<void> {
  const found = refuseNewer(raw, file);
  if (found === schemaVersion) return;
  raw.pragma('auto_vacuum = NONE');
  await runMigrations(db, migrations);
  raw.pragma(`user_version = ${schemaVersion}`);
}

/** Runs the migrations that have not run yet, each in a transaction of its own; throws what the first failing one threw. */
export async function runMigrations<T>(db: Kysely<T>, steps: Record<string, Pick<Migration, 'up'>>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => inTransactions(steps) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The schema version of the database. Throws `unavailable` when it is above what this program knows. */
export function refuseNewer(raw: Sqlite.Database, file: string): number {
  const found = raw.pragma('user_version', { simple: true }) as number;
  if (found <= schemaVersion) return found;
  throw new LociError(
    'unavailable',
    `The database was written by a newer version of Loci (schema ${found}, this one knows ${schemaVersion}): update Loci.`,
    { found, known: schemaVersion, file: file.split('/').at(-1) },
  );
}

function inTransactions(steps: Record<string, Pick<Migration, 'up'>>): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(steps).map(([name, { up }]) => [
      name,
      { up: (db: Kysely<unknown>) => db.transaction().execute(up) } as Migration,
    ]),
  );
}
