// Links between two things of any kind: a memory and its documents, a skill and its files, an entity and its projects.
// Memory to memory has a table of its own (0001), because every search reads it.
import { type Kysely, sql } from 'kysely';

const statements = [
  `CREATE TABLE thing_links (
    user_id INTEGER NOT NULL REFERENCES users(id),
    from_kind TEXT NOT NULL,
    from_id INTEGER NOT NULL,
    to_kind TEXT NOT NULL,
    to_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (from_kind, from_id, to_kind, to_id)
  ) WITHOUT ROWID`,
  'CREATE INDEX thing_links_back ON thing_links(to_kind, to_id, from_kind, from_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
