// Stores of other programs as they leave them on a disk, small: what the readers of imports are tried on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { tempFolder } from './temp-folder.ts';

/** The bytes of a SQLite file with these statements run on it. */
function databaseOf(statements: readonly string[]): Buffer {
  const file = join(tempFolder(), 'foreign.db');
  const db = new Sqlite(file);
  for (const statement of statements) db.exec(statement);
  db.close();
  return readFileSync(file);
}

const provenance = `source_repo TEXT, source_files JSON, source_url TEXT, confidence FLOAT, encoding_agent TEXT, encoding_version TEXT`;
const stamps = 'created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL';
const owned = 'id INTEGER PRIMARY KEY AUTOINCREMENT, user_id VARCHAR(36) NOT NULL';
const user = '9f3b1c52-7d7e-4a57-9a04-0d6f0a3c1f10';
const times = "'2026-01-02 03:04:05.678901', '2026-01-03 03:04:05.678901'";

/** A database of Forgetful with one thing of each kind and every tie. */
export function forgetfulDatabase(): Buffer {
  return databaseOf([
    'CREATE TABLE users (id VARCHAR(36) PRIMARY KEY, external_id TEXT, name TEXT, email TEXT)',
    `INSERT INTO users VALUES ('${user}', 'x', 'somebody', 'somebody@example.org')`,
    `CREATE TABLE projects (${owned}, name TEXT, description TEXT, project_type TEXT, status TEXT, repo_name TEXT, notes TEXT, ${provenance}, ${stamps})`,
    `INSERT INTO projects(user_id, name, description, project_type, status, repo_name, created_at, updated_at)
      VALUES ('${user}', 'warehouse', 'events', 'work', 'active', 'acme/warehouse', ${times})`,
    `CREATE TABLE memories (${owned}, title TEXT, content TEXT, context TEXT, keywords JSON, tags JSON, importance INTEGER,
      ${provenance}, agent_id TEXT, agent_version TEXT, agent_model TEXT, is_obsolete BOOLEAN DEFAULT 0, obsolete_reason TEXT,
      superseded_by INTEGER, obsoleted_at DATETIME, access_count INTEGER DEFAULT 0, last_accessed_at DATETIME, ${stamps})`,
    `INSERT INTO memories(user_id, title, content, context, keywords, tags, importance, source_files, confidence, access_count, created_at, updated_at)
      VALUES ('${user}', 'Events', 'Every service writes to Kafka', 'decided in spring', '["kafka", "events"]', '["arch"]', 9, '["src/bus.ts"]', 0.8, 4, ${times})`,
    `INSERT INTO memories(user_id, title, content, context, keywords, tags, importance, is_obsolete, obsolete_reason, superseded_by, obsoleted_at, created_at, updated_at)
      VALUES ('${user}', 'Queue', 'Services write to RabbitMQ', '', '[]', '[]', 5, 1, 'replaced', 1, '2026-01-03 03:04:05', ${times})`,
    `CREATE TABLE memory_links (${owned}, source_id INTEGER, target_id INTEGER, created_at DATETIME)`,
    `INSERT INTO memory_links(user_id, source_id, target_id, created_at) VALUES ('${user}', 1, 2, '2026-01-02 03:04:05')`,
    `CREATE TABLE documents (${owned}, project_id INTEGER, title TEXT, description TEXT, content TEXT, document_type TEXT, filename TEXT, size_bytes INTEGER, tags JSON, ${provenance}, ${stamps})`,
    `INSERT INTO documents(user_id, project_id, title, description, content, document_type, size_bytes, tags, created_at, updated_at)
      VALUES ('${user}', 1, 'Handbook', 'how we work', '# Work', 'markdown', 6, '[]', ${times})`,
    `CREATE TABLE code_artifacts (${owned}, project_id INTEGER, title TEXT, description TEXT, code TEXT, language TEXT, tags JSON, ${provenance}, ${stamps})`,
    `INSERT INTO code_artifacts(user_id, title, description, code, language, tags, created_at, updated_at)
      VALUES ('${user}', 'Retry', 'retries', 'retry()', 'Python', '["net"]', ${times})`,
    `CREATE TABLE files (${owned}, project_id INTEGER, filename TEXT, description TEXT, data BLOB, mime_type TEXT, size_bytes INTEGER, tags JSON, ${provenance}, ${stamps})`,
    `INSERT INTO files(user_id, filename, description, data, mime_type, size_bytes, tags, created_at, updated_at)
      VALUES ('${user}', 'dot.bin', 'a dot', x'00ff10', 'image/x-dot', 3, '[]', ${times})`,
    `CREATE TABLE skills (${owned}, project_id INTEGER, name TEXT, description TEXT, content TEXT, license TEXT, compatibility TEXT, allowed_tools JSON, skill_metadata JSON, tags JSON, importance INTEGER, ${provenance}, ${stamps})`,
    `INSERT INTO skills(user_id, name, description, content, allowed_tools, skill_metadata, tags, importance, created_at, updated_at)
      VALUES ('${user}', 'log-reader', 'reads logs', 'Tail it.', '["bash"]', '{"team": "ops"}', '[]', 7, ${times})`,
    `CREATE TABLE entities (${owned}, name TEXT, entity_type TEXT, custom_type TEXT, notes TEXT, tags JSON, aka JSON, ${provenance}, ${stamps})`,
    `INSERT INTO entities(user_id, name, entity_type, custom_type, notes, tags, aka, created_at, updated_at)
      VALUES ('${user}', 'Ada', 'Individual', NULL, 'leads', '[]', '["AL"]', ${times}), ('${user}', 'Nightly', 'Other', 'Pipeline', NULL, '[]', '[]', ${times})`,
    `CREATE TABLE entity_relationships (${owned}, source_entity_id INTEGER, target_entity_id INTEGER, relationship_type TEXT, strength FLOAT, confidence FLOAT, relationship_metadata JSON, ${stamps})`,
    `INSERT INTO entity_relationships(user_id, source_entity_id, target_entity_id, relationship_type, strength, confidence, relationship_metadata, created_at, updated_at)
      VALUES ('${user}', 1, 2, 'owns', 0.9, 1, '{"since": 2024}', ${times})`,
    `CREATE TABLE plans (${owned}, project_id INTEGER, title TEXT, goal TEXT, context TEXT, status TEXT, ${provenance}, ${stamps})`,
    `INSERT INTO plans(user_id, project_id, title, goal, status, created_at, updated_at) VALUES ('${user}', 1, 'Move', 'moved', 'active', ${times})`,
    `CREATE TABLE tasks (${owned}, plan_id INTEGER, title TEXT, description TEXT, state TEXT, priority TEXT, assigned_agent TEXT, version INTEGER, ${provenance}, ${stamps})`,
    `INSERT INTO tasks(user_id, plan_id, title, state, priority, version, created_at, updated_at)
      VALUES ('${user}', 1, 'Pack', 'done', 'P1', 3, ${times}), ('${user}', 1, 'Carry', 'todo', 'P2', 1, ${times})`,
    `CREATE TABLE criteria (${owned}, task_id INTEGER, description TEXT, met BOOLEAN, met_at DATETIME, ${stamps})`,
    `INSERT INTO criteria(user_id, task_id, description, met, met_at, created_at, updated_at)
      VALUES ('${user}', 1, 'boxes are closed', 1, '2026-01-03 00:00:00', ${times})`,
    `CREATE TABLE task_dependencies (${owned}, task_id INTEGER, depends_on_task_id INTEGER, created_at DATETIME)`,
    `INSERT INTO task_dependencies(user_id, task_id, depends_on_task_id, created_at) VALUES ('${user}', 2, 1, '2026-01-02 03:04:05')`,
    ...[
      ['memory_project_association', 'memory_id', 'project_id'],
      ['memory_document_association', 'memory_id', 'document_id'],
      ['memory_code_artifact_association', 'memory_id', 'code_artifact_id'],
      ['memory_file_association', 'memory_id', 'file_id'],
      ['memory_skill_association', 'memory_id', 'skill_id'],
      ['memory_entity_association', 'memory_id', 'entity_id'],
      ['entity_project_association', 'entity_id', 'project_id'],
      ['entity_file_association', 'entity_id', 'file_id'],
      ['skill_file_association', 'skill_id', 'file_id'],
      ['skill_document_association', 'skill_id', 'document_id'],
      ['skill_code_artifact_association', 'skill_id', 'code_artifact_id'],
    ].flatMap(([table, left, right]) => [
      `CREATE TABLE ${table} (${left} INTEGER, ${right} INTEGER, PRIMARY KEY (${left}, ${right}))`,
      `INSERT INTO ${table} VALUES (1, 1)`,
    ]),
  ]);
}

/** A database of claude-mem with two observations, a summary and a rule. */
export function claudeMemDatabase(): Buffer {
  return databaseOf([
    'CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, content_session_id TEXT, memory_session_id TEXT, project TEXT)',
    "INSERT INTO sdk_sessions VALUES (1, 'c1', 's1', 'shop')",
    `CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT, project TEXT, text TEXT, type TEXT,
      title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
      prompt_number INTEGER, created_at TEXT, created_at_epoch INTEGER)`,
    `INSERT INTO observations(memory_session_id, project, type, title, subtitle, facts, narrative, concepts, files_read, files_modified, created_at, created_at_epoch)
      VALUES ('s1', 'shop', 'decision', 'Row versions', 'instead of locks', '["locks were slow"]', 'The cart uses row versions.', '["cart"]', '["a.ts"]', '["b.ts"]', '2026-01-02T03:04:05.000Z', 1767323045000),
             ('s1', 'shop', 'bugfix', 'Null price', NULL, '["price may be null", "guarded in cart.ts"]', NULL, NULL, NULL, NULL, '2026-01-02T03:05:05.000Z', 1767323105000)`,
    `CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT, project TEXT, request TEXT, investigated TEXT,
      learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, created_at TEXT, created_at_epoch INTEGER)`,
    `INSERT INTO session_summaries(memory_session_id, project, request, learned, completed, next_steps, created_at, created_at_epoch)
      VALUES ('s1', 'shop', 'Make the cart fast', 'Locks wait on each other', 'Moved to versions', 'Measure', '2026-01-02T04:00:00.000Z', 1767326400000)`,
    `CREATE TABLE directives (id INTEGER PRIMARY KEY, scope TEXT, project TEXT, content TEXT, status TEXT, source TEXT, created_at TEXT, created_at_epoch INTEGER, updated_at_epoch INTEGER)`,
    "INSERT INTO directives VALUES (1, 'global', NULL, 'Answer in English', 'active', 'manual', '2026-01-01T00:00:00Z', 1767225600000, 1767225600000)",
    'CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, prompt_text TEXT)',
  ]);
}

/** A folder as `loci import FOLDER` packs it. */
export function packedFolder(files: Readonly<Record<string, string>>, name = 'me/notes'): string {
  const lines = Object.entries(files).map(([path, text]) => ({ path, text, modified_at: '2026-01-02T03:04:05.000Z' }));
  return [{ loci_folder: 1, name }, ...lines].map((line) => JSON.stringify(line)).join('\n');
}
