// What the knowledge catalogue keeps beside memories: documents, code artifacts, files, and the rest of projects and users.
// The long text of a row is its last column: SQLite then reads a list of a hundred rows without ever touching the texts.
import { type Kysely, sql } from 'kysely';
import { tagTriggers } from '../tag-triggers.ts';

const provenance = [
  'source_repo TEXT',
  "source_files TEXT NOT NULL DEFAULT '[]'",
  'source_url TEXT',
  'confidence REAL CHECK (confidence BETWEEN 0 AND 1)',
  'encoding_agent TEXT',
  'encoding_version TEXT',
  'agent_id TEXT',
  'agent_version TEXT',
  'agent_model TEXT',
];

const projectColumns = [
  'repo_name TEXT',
  // what the address of the repository is compared by
  'repo_key TEXT',
  'last_encoding_point TEXT',
  'notes TEXT',
  "metadata TEXT NOT NULL DEFAULT '{}'",
  ...provenance,
];

/** Columns of every kind of thing; tags are kept as given and, for comparing, case-folded. */
const thing = `
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users(id),
    project_id INTEGER REFERENCES projects(id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    tags TEXT NOT NULL DEFAULT '[]',
    tag_keys TEXT NOT NULL DEFAULT '[]',
    ${provenance.join(',\n    ')}`;

const statements = [
  'ALTER TABLE users ADD COLUMN email TEXT',
  'ALTER TABLE users ADD COLUMN notes TEXT',
  'ALTER TABLE users ADD COLUMN updated_at INTEGER',
  ...projectColumns.map((column) => `ALTER TABLE projects ADD COLUMN ${column}`),
  'CREATE INDEX projects_by_repository ON projects(user_id, repo_key) WHERE repo_key IS NOT NULL',
  'CREATE INDEX projects_created ON projects(user_id, created_at, id)',

  `CREATE TABLE documents (${thing},
    title TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    document_type TEXT NOT NULL,
    type_key TEXT NOT NULL,
    filename TEXT,
    size_bytes INTEGER NOT NULL,
    content TEXT NOT NULL
  )`,
  // where each embedded passage of a document stands: offsets into its content (UTF-16 units) and the headings above it
  `CREATE TABLE document_passages (
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    passage INTEGER NOT NULL,
    start_at INTEGER NOT NULL,
    end_at INTEGER NOT NULL,
    headings TEXT NOT NULL,
    PRIMARY KEY (document_id, passage)
  ) WITHOUT ROWID`,
  `CREATE TABLE code_artifacts (${thing},
    title TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL,
    framework TEXT,
    version TEXT,
    code TEXT NOT NULL
  )`,
  `CREATE TABLE files (${thing},
    filename TEXT NOT NULL,
    description TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    type_key TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL
  )`,
  `CREATE TABLE file_contents (
    file_id INTEGER PRIMARY KEY REFERENCES files(id) ON DELETE CASCADE,
    bytes BLOB NOT NULL
  )`,
  // kept by triggers, so that a list of what has a tag reads an index and not every row
  `CREATE TABLE thing_tags (
    kind TEXT NOT NULL,
    tag_key TEXT NOT NULL,
    thing_id INTEGER NOT NULL,
    PRIMARY KEY (kind, tag_key, thing_id)
  ) WITHOUT ROWID`,
  ...tagTriggers('document', 'documents'),
  ...tagTriggers('code_artifact', 'code_artifacts'),
  ...tagTriggers('file', 'files'),
  ...['documents', 'code_artifacts', 'files'].flatMap((table) => [
    `CREATE INDEX ${table}_created ON ${table}(user_id, created_at, id)`,
    `CREATE INDEX ${table}_by_project ON ${table}(project_id, created_at, id)`,
  ]),
  'CREATE INDEX documents_by_type ON documents(user_id, type_key, created_at, id)',
  'CREATE INDEX code_artifacts_by_language ON code_artifacts(user_id, language, created_at, id)',
  'CREATE INDEX files_by_type ON files(user_id, type_key, created_at, id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
