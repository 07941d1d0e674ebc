// Lists say how many there are in all. Counting a hundred thousand rows for a page of ten takes longer than the page, so the totals are kept
// in the transaction of each change, as those of memories are.
import { type Kysely, sql } from 'kysely';

/** The table of each counted kind. */
export const countedTables = {
  project: 'projects',
  document: 'documents',
  code_artifact: 'code_artifacts',
  file: 'files',
  skill: 'skills',
  entity: 'entities',
  plan: 'plans',
} as const;

/** Every total as a count gives it. */
export const thingsCounted = Object.entries(countedTables)
  .map(([kind, table]) => `SELECT user_id, '${kind}', count(*) FROM ${table} GROUP BY user_id`)
  .join(' UNION ALL ');

/** Counts all anew, where nothing is counted yet. */
export const recountThings = `INSERT INTO thing_counts(user_id, kind, things) ${thingsCounted};`;

const statements = [
  `CREATE TABLE thing_counts (
    user_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    things INTEGER NOT NULL,
    PRIMARY KEY (user_id, kind)
  ) WITHOUT ROWID`,
  recountThings,
  ...Object.entries(countedTables).flatMap(([kind, table]) => [
    `CREATE TRIGGER ${table}_counted_in AFTER INSERT ON ${table} BEGIN
      INSERT INTO thing_counts(user_id, kind, things) VALUES (new.user_id, '${kind}', 1)
        ON CONFLICT (user_id, kind) DO UPDATE SET things = thing_counts.things + 1;
    END`,
    `CREATE TRIGGER ${table}_counted_out AFTER DELETE ON ${table} BEGIN
      UPDATE thing_counts SET things = things - 1 WHERE user_id = old.user_id AND kind = '${kind}';
    END`,
  ]),
  'CREATE INDEX projects_saved ON projects(user_id, last_saved_at, id)',
  'CREATE INDEX plans_created ON plans(user_id, created_at, id)',
  // those past their expiry are taken off the kept totals: without all three columns the planner walks every active memory instead
  'DROP INDEX memories_expiring',
  'CREATE INDEX memories_expiring ON memories(user_id, status, expires_at) WHERE expires_at IS NOT NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
