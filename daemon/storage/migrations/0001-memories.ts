// The first schema. Append-only from here on: a released migration is never edited.
// What later rooms need is here from the start: the user on every row, one searchable row and one outbox for every kind
// of thing, history with the time each version was current, and a log of changes written in the transaction of the change.
import { type Kysely, sql } from 'kysely';
import { newUid } from '#daemon/kernel/ids.ts';

const statements = [
  `CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
  )`,
  `CREATE TABLE projects (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users(id),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    project_type TEXT NOT NULL DEFAULT 'development',
    status TEXT NOT NULL DEFAULT 'active',
    memory_count INTEGER NOT NULL DEFAULT 0,
    last_saved_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  'CREATE INDEX projects_by_name ON projects(user_id, name_key, status)',
  `CREATE TABLE project_aliases (
    user_id INTEGER NOT NULL REFERENCES users(id),
    alias_key TEXT NOT NULL,
    alias TEXT NOT NULL,
    project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, alias_key)
  ) WITHOUT ROWID`,
  `CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users(id),
    rev INTEGER NOT NULL DEFAULT 1,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived', 'obsolete')),
    type TEXT NOT NULL,
    title TEXT,
    content TEXT NOT NULL,
    context TEXT,
    problem TEXT,
    solution TEXT,
    concepts TEXT NOT NULL DEFAULT '[]',
    tags TEXT NOT NULL DEFAULT '[]',
    files TEXT NOT NULL DEFAULT '[]',
    category TEXT,
    key TEXT,
    importance INTEGER NOT NULL DEFAULT 5 CHECK (importance BETWEEN 1 AND 10),
    confidence REAL NOT NULL DEFAULT 0.5 CHECK (confidence BETWEEN 0 AND 1),
    provenance TEXT NOT NULL DEFAULT 'save',
    provenance_class TEXT NOT NULL DEFAULT 'agent',
    tier TEXT NOT NULL DEFAULT 'regular',
    source TEXT,
    source_context TEXT,
    source_repo TEXT,
    source_url TEXT,
    encoding_agent TEXT,
    encoding_version TEXT,
    agent_id TEXT,
    agent_version TEXT,
    agent_model TEXT,
    agent TEXT,
    session TEXT,
    sequence INTEGER,
    author TEXT,
    branch TEXT,
    worktree TEXT,
    pinned INTEGER NOT NULL DEFAULT 0,
    primary_project_id INTEGER REFERENCES projects(id) ON DELETE SET NULL,
    content_hash TEXT NOT NULL,
    access_count INTEGER NOT NULL DEFAULT 0,
    last_accessed_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    occurred_at INTEGER NOT NULL,
    valid_from INTEGER,
    valid_to INTEGER,
    expires_at INTEGER,
    obsolete_reason TEXT,
    obsoleted_at INTEGER,
    superseded_by INTEGER REFERENCES memories(id) ON DELETE SET NULL,
    metadata TEXT NOT NULL DEFAULT '{}',
    CHECK ((category IS NULL) = (key IS NULL))
  )`,
  `CREATE UNIQUE INDEX memories_fact ON memories(user_id, category, key) WHERE category IS NOT NULL AND status = 'active'`,
  'CREATE INDEX memories_recent ON memories(user_id, status, updated_at)',
  'CREATE INDEX memories_created ON memories(user_id, status, created_at)',
  'CREATE INDEX memories_by_hash ON memories(user_id, content_hash)',
  'CREATE INDEX memories_expiring ON memories(expires_at) WHERE expires_at IS NOT NULL',
  'CREATE INDEX memories_superseded ON memories(superseded_by) WHERE superseded_by IS NOT NULL',
  'CREATE INDEX memories_by_session ON memories(user_id, session, sequence) WHERE session IS NOT NULL',
  'CREATE INDEX memories_by_project ON memories(primary_project_id)',
  `CREATE TABLE memory_projects (
    memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    PRIMARY KEY (memory_id, project_id)
  ) WITHOUT ROWID`,
  'CREATE INDEX memory_projects_by_project ON memory_projects(project_id, memory_id)',
  `CREATE TABLE memory_history (
    memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    action TEXT NOT NULL,
    agent TEXT,
    recorded_from INTEGER NOT NULL,
    recorded_to INTEGER NOT NULL,
    snapshot TEXT NOT NULL,
    PRIMARY KEY (memory_id, version)
  ) WITHOUT ROWID`,
  `CREATE TABLE memory_links (
    user_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    target_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    origin TEXT NOT NULL DEFAULT 'manual',
    created_at INTEGER NOT NULL,
    PRIMARY KEY (source_id, target_id),
    CHECK (source_id < target_id)
  ) WITHOUT ROWID`,
  'CREATE INDEX memory_links_by_target ON memory_links(target_id, source_id)',

  // one row for every thing that can be found, whatever its kind: what the keyword index reads and what every search filters by
  `CREATE TABLE searchables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    thing_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    status TEXT NOT NULL,
    type TEXT NOT NULL,
    projects TEXT NOT NULL DEFAULT ',',
    session TEXT,
    rev INTEGER NOT NULL,
    passages INTEGER NOT NULL DEFAULT 0,
    embedded INTEGER NOT NULL DEFAULT 0,
    title TEXT NOT NULL DEFAULT '',
    body TEXT NOT NULL DEFAULT '',
    labels TEXT NOT NULL DEFAULT '',
    meta TEXT NOT NULL DEFAULT '',
    features TEXT NOT NULL DEFAULT '{}',
    UNIQUE (kind, thing_id)
  )`,
  'CREATE INDEX searchables_scope ON searchables(user_id, status, kind)',
  'CREATE INDEX searchables_pending ON searchables(id) WHERE embedded = 0',
  `CREATE VIRTUAL TABLE search_words USING fts5(
    title, body, labels, meta,
    content='searchables', content_rowid='id',
    tokenize="porter unicode61 remove_diacritics 2"
  )`,
  `INSERT INTO search_words(search_words, rank) VALUES ('secure-delete', 1)`,
  `CREATE VIRTUAL TABLE search_terms USING fts5vocab('search_words', 'row')`,
  `CREATE TRIGGER searchables_inserted AFTER INSERT ON searchables BEGIN
    INSERT INTO search_words(rowid, title, body, labels, meta) VALUES (new.id, new.title, new.body, new.labels, new.meta);
  END`,
  `CREATE TRIGGER searchables_deleted AFTER DELETE ON searchables BEGIN
    INSERT INTO search_words(search_words, rowid, title, body, labels, meta)
      VALUES ('delete', old.id, old.title, old.body, old.labels, old.meta);
  END`,
  `CREATE TRIGGER searchables_reworded AFTER UPDATE OF title, body, labels, meta ON searchables BEGIN
    INSERT INTO search_words(search_words, rowid, title, body, labels, meta)
      VALUES ('delete', old.id, old.title, old.body, old.labels, old.meta);
    INSERT INTO search_words(rowid, title, body, labels, meta) VALUES (new.id, new.title, new.body, new.labels, new.meta);
  END`,
  // not WITHOUT ROWID: there a row over 1 kB takes a page of its own, and this table would be twice as large
  `CREATE TABLE vectors (
    kind TEXT NOT NULL,
    thing_id INTEGER NOT NULL,
    model_id TEXT NOT NULL,
    passage INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    blob BLOB NOT NULL,
    PRIMARY KEY (kind, thing_id, model_id, passage)
  )`,
  `CREATE TABLE outbox (
    kind TEXT NOT NULL,
    thing_id INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    enqueued_at INTEGER NOT NULL,
    PRIMARY KEY (kind, thing_id)
  ) WITHOUT ROWID`,
  `CREATE TABLE change_log (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    thing_id INTEGER NOT NULL,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    actor_id TEXT,
    changes TEXT,
    snapshot TEXT,
    metadata TEXT NOT NULL DEFAULT '{}',
    created_at INTEGER NOT NULL
  )`,
  'CREATE INDEX change_log_by_thing ON change_log(kind, thing_id, seq)',
  'CREATE INDEX change_log_by_user ON change_log(user_id, seq)',
  `CREATE TABLE idempotent_answers (
    user_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    operation TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    thing_id INTEGER,
    answer TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
  ) WITHOUT ROWID`,
  'CREATE INDEX idempotent_answers_by_age ON idempotent_answers(created_at)',
  'CREATE INDEX idempotent_answers_by_thing ON idempotent_answers(thing_id) WHERE thing_id IS NOT NULL',
  `CREATE TABLE job_runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    job TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    outcome TEXT NOT NULL,
    counts TEXT NOT NULL DEFAULT '{}',
    error TEXT
  )`,
  'CREATE INDEX job_runs_by_job ON job_runs(job, started_at)',
  `CREATE TABLE store_facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,

  // counted in the transaction of the change, so that a sync or a health check never counts rows
  `CREATE TABLE memory_counts (
    user_id INTEGER NOT NULL,
    status TEXT NOT NULL,
    memories INTEGER NOT NULL,
    PRIMARY KEY (user_id, status)
  ) WITHOUT ROWID`,
  `CREATE TRIGGER memories_counted_in AFTER INSERT ON memories BEGIN
    INSERT INTO memory_counts(user_id, status, memories) VALUES (new.user_id, new.status, 1)
      ON CONFLICT (user_id, status) DO UPDATE SET memories = memories + 1;
  END`,
  `CREATE TRIGGER memories_counted_out AFTER DELETE ON memories BEGIN
    UPDATE memory_counts SET memories = memories - 1 WHERE user_id = old.user_id AND status = old.status;
  END`,
  `CREATE TRIGGER memories_counted_over AFTER UPDATE OF status ON memories WHEN old.status <> new.status BEGIN
    UPDATE memory_counts SET memories = memories - 1 WHERE user_id = old.user_id AND status = old.status;
    INSERT INTO memory_counts(user_id, status, memories) VALUES (new.user_id, new.status, 1)
      ON CONFLICT (user_id, status) DO UPDATE SET memories = memories + 1;
    UPDATE projects SET memory_count = memory_count + (new.status = 'active') - (old.status = 'active')
      WHERE id IN (SELECT project_id FROM memory_projects WHERE memory_id = new.id);
  END`,
  `CREATE TRIGGER memory_projects_counted_in AFTER INSERT ON memory_projects BEGIN
    UPDATE projects SET
      memory_count = memory_count + COALESCE((SELECT status = 'active' FROM memories WHERE id = new.memory_id), 0),
      last_saved_at = MAX(COALESCE(last_saved_at, 0), COALESCE((SELECT updated_at FROM memories WHERE id = new.memory_id), 0))
      WHERE id = new.project_id;
  END`,
  `CREATE TRIGGER memory_projects_counted_out BEFORE DELETE ON memory_projects BEGIN
    UPDATE projects SET
      memory_count = memory_count - COALESCE((SELECT status = 'active' FROM memories WHERE id = old.memory_id), 0)
      WHERE id = old.project_id;
  END`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  // the owner of the machine; further users come with tokens of their own
  const nowMs = Date.now();
  await sql`INSERT INTO users(id, uid, name, created_at) VALUES (1, ${newUid(nowMs)}, 'local', ${nowMs})`.execute(db);
}
