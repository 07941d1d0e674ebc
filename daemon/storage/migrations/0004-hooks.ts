// What hooks must remember between two calls: what a session was shown, how far a transcript was read, which of its statements were
// taken, which memory a file became. Ids and hashes only, so that nothing of an erased memory's text is left here.
import { type Kysely, sql } from 'kysely';

const statements = [
  `CREATE TABLE shown_memories (
    user_id INTEGER NOT NULL REFERENCES users(id),
    session TEXT NOT NULL,
    memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    content_hash TEXT NOT NULL,
    shown_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, session, memory_id)
  ) WITHOUT ROWID`,
  'CREATE INDEX shown_memories_age ON shown_memories(shown_at)',
  'CREATE INDEX shown_memories_memory ON shown_memories(memory_id)',
  `CREATE TABLE swept_transcripts (
    user_id INTEGER NOT NULL REFERENCES users(id),
    path TEXT NOT NULL,
    head_hash TEXT NOT NULL,
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    swept_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, path)
  ) WITHOUT ROWID`,
  `CREATE TABLE swept_statements (
    user_id INTEGER NOT NULL REFERENCES users(id),
    hash TEXT NOT NULL,
    swept_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, hash)
  ) WITHOUT ROWID`,
  `CREATE TABLE taken_files (
    user_id INTEGER NOT NULL REFERENCES users(id),
    path TEXT NOT NULL,
    memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    text_hash TEXT NOT NULL,
    taken_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, path)
  ) WITHOUT ROWID`,
  'CREATE INDEX taken_files_memory ON taken_files(memory_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
