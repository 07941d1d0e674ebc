// Which memories were united into which: by consolidation, or by hand. `superseded_by` says it only until somebody brings an original back, and a purge must
// find every memory that repeats what it erases.
import { type Kysely, sql } from 'kysely';

const statements = [
  `CREATE TABLE united_memories (
    heir_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    member_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    united_by TEXT NOT NULL CHECK (united_by IN ('merge', 'summary', 'hand')),
    PRIMARY KEY (heir_id, member_id)
  ) WITHOUT ROWID`,
  'CREATE INDEX united_memories_by_member ON united_memories(member_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
