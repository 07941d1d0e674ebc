// What consolidation and compression must remember: memories that an undo took apart, so that the next run does not unite them
// again, and the originals of memory files that were replaced by stubs, byte for byte. Both go with their memory: erased is erased.
import { type Kysely, sql } from 'kysely';

const statements = [
  `CREATE TABLE kept_apart (
    memory_id INTEGER PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
    undone_at INTEGER NOT NULL
  )`,
  `CREATE TABLE compressed_files (
    path TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users(id),
    memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    original BLOB NOT NULL,
    stub_hash TEXT NOT NULL,
    compressed_at INTEGER NOT NULL
  )`,
  'CREATE INDEX compressed_files_by_memory ON compressed_files(memory_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
