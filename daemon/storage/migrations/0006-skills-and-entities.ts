// Skills, entities and the relationships between them. What links an entity or a skill to other kinds stands in `thing_links` (0003).
// The long text of a row is its last column: a list of a hundred rows never touches it.
import { type Kysely, sql } from 'kysely';
import { tagTriggers } from '../tag-triggers.ts';

const provenance = `source_repo TEXT,
    source_files TEXT NOT NULL DEFAULT '[]',
    source_url TEXT,
    confidence REAL CHECK (confidence BETWEEN 0 AND 1),
    encoding_agent TEXT,
    encoding_version TEXT,
    agent_id TEXT,
    agent_version TEXT,
    agent_model TEXT`;

/** Tags are kept as given and, for comparing, case-folded. */
const thing = `id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users(id),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    name TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '[]',
    tag_keys TEXT NOT NULL DEFAULT '[]',
    metadata TEXT NOT NULL DEFAULT '{}',
    ${provenance}`;

const statements = [
  `CREATE TABLE entities (
    ${thing},
    rev INTEGER NOT NULL DEFAULT 1,
    entity_type TEXT NOT NULL,
    custom_type TEXT,
    aka TEXT NOT NULL DEFAULT '[]',
    name_key TEXT NOT NULL,
    search_keys TEXT NOT NULL,
    notes TEXT,
    CHECK ((entity_type = 'Other') = (custom_type IS NOT NULL))
  )`,
  'CREATE INDEX entities_created ON entities(user_id, created_at, id)',
  'CREATE INDEX entities_by_type ON entities(user_id, entity_type, created_at, id)',
  // both ends are entities, or there is no relationship
  `CREATE TABLE entity_relationships (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users(id),
    source_id INTEGER NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    target_id INTEGER NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    relationship_type TEXT NOT NULL,
    strength REAL CHECK (strength BETWEEN 0 AND 1),
    metadata TEXT NOT NULL DEFAULT '{}',
    ${provenance},
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (source_id, target_id, relationship_type),
    CHECK (source_id <> target_id)
  )`,
  'CREATE INDEX entity_relationships_by_target ON entity_relationships(target_id, source_id)',
  `CREATE TABLE skills (
    ${thing},
    project_id INTEGER REFERENCES projects(id) ON DELETE SET NULL,
    description TEXT NOT NULL,
    license TEXT,
    compatibility TEXT,
    allowed_tools TEXT NOT NULL DEFAULT '[]',
    importance INTEGER NOT NULL DEFAULT 7 CHECK (importance BETWEEN 1 AND 10),
    content TEXT NOT NULL,
    UNIQUE (user_id, name)
  )`,
  'CREATE INDEX skills_created ON skills(user_id, created_at, id)',
  'CREATE INDEX skills_by_project ON skills(project_id, created_at, id)',
  ...tagTriggers('entity', 'entities'),
  ...tagTriggers('skill', 'skills'),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
