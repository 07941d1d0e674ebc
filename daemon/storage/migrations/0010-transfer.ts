// What moving in needs to remember: each import with how far it has been applied (written in the transaction of what was applied, so
// that a kill repeats nothing and loses nothing), and, for a memory that two machines changed, when each of its fields was last written.
import { type Kysely, sql } from 'kysely';

const statements = [
  `CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users(id),
    source TEXT,
    project TEXT,
    dry_run INTEGER NOT NULL DEFAULT 0,
    skip_invalid INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    pass INTEGER NOT NULL DEFAULT 0,
    position INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    report TEXT NOT NULL DEFAULT '{}',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  'CREATE INDEX imports_by_state ON imports(state)',
  `CREATE TABLE memory_merges (
    memory_id INTEGER PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
    times TEXT NOT NULL
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
