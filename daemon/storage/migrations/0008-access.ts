// Who may call, and what may reach a model by itself. Tokens are kept as SHA-256 alone; what was judged and what was injected is kept as
// ids, so that nothing of an erased memory's text is left here.
import { type Kysely, sql } from 'kysely';

const statements = [
  'ALTER TABLE users ADD COLUMN identity TEXT',
  'CREATE UNIQUE INDEX users_identity ON users(identity) WHERE identity IS NOT NULL',
  `CREATE TABLE tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users(id),
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
  )`,
  'CREATE UNIQUE INDEX tokens_live_name ON tokens(name) WHERE revoked_at IS NULL',
  `CREATE TABLE quarantined_memories (
    memory_id INTEGER PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users(id),
    content_hash TEXT NOT NULL,
    reasons TEXT NOT NULL,
    verdict TEXT NOT NULL DEFAULT 'held' CHECK (verdict IN ('held', 'released', 'rejected')),
    found_at INTEGER NOT NULL,
    judged_at INTEGER
  )`,
  'CREATE INDEX quarantined_memories_user ON quarantined_memories(user_id, verdict)',
  `CREATE TABLE injections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users(id),
    memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    occasion TEXT NOT NULL,
    agent TEXT,
    session TEXT,
    folder TEXT,
    injected_at INTEGER NOT NULL
  )`,
  'CREATE INDEX injections_user ON injections(user_id, injected_at)',
  'CREATE INDEX injections_memory ON injections(memory_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
