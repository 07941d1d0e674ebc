// Two machines that change different fields of one thing keep both changes, so a store knows when each field was last written. Only what was
// written after the thing was made has a row here: every other field is as old as the row called `rest`, or else as the thing itself.
// Memories tell it by their versions. What was changed before this table was there is as old as the last change of the thing.
import { type Kysely, sql } from 'kysely';

/** The table of each kind whose fields have times. */
const timedTables = {
  project: 'projects',
  document: 'documents',
  code_artifact: 'code_artifacts',
  file: 'files',
  skill: 'skills',
  entity: 'entities',
  relationship: 'entity_relationships',
  plan: 'plans',
  task: 'tasks',
} as const;

const statements = [
  `CREATE TABLE field_times (
    kind TEXT NOT NULL,
    thing_id INTEGER NOT NULL,
    field TEXT NOT NULL,
    written_at INTEGER NOT NULL,
    PRIMARY KEY (kind, thing_id, field)
  ) WITHOUT ROWID`,
  ...Object.entries(timedTables).flatMap(([kind, table]) => [
    `INSERT INTO field_times(kind, thing_id, field, written_at)
      SELECT '${kind}', id, 'rest', updated_at FROM ${table} WHERE updated_at <> created_at`,
    `CREATE TRIGGER ${table}_times_out AFTER DELETE ON ${table} BEGIN
      DELETE FROM field_times WHERE kind = '${kind}' AND thing_id = old.id;
    END`,
  ]),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
