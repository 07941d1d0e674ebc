// Plans and their tasks. What agents race for is decided by one statement on one row, so whatever that statement asks is kept on
// the row: `version`, `state`, and `unmet`, the number of dependencies that are neither done nor cancelled, which triggers keep.
import { type Kysely, sql } from 'kysely';

const statements = [
  `CREATE TABLE plans (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users(id),
    project_id INTEGER NOT NULL REFERENCES projects(id),
    title TEXT NOT NULL,
    goal TEXT,
    context TEXT,
    status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'completed', 'archived')),
    external_ref TEXT,
    provenance TEXT NOT NULL DEFAULT '{}',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  'CREATE UNIQUE INDEX plans_by_external_ref ON plans(user_id, external_ref) WHERE external_ref IS NOT NULL',
  'CREATE INDEX plans_by_project ON plans(project_id, status)',
  `CREATE TABLE tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users(id),
    plan_id INTEGER NOT NULL REFERENCES plans(id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    description TEXT,
    state TEXT NOT NULL DEFAULT 'todo' CHECK (state IN ('todo', 'doing', 'waiting', 'done', 'cancelled')),
    priority TEXT NOT NULL CHECK (priority IN ('P0', 'P1', 'P2', 'P3')),
    assigned_agent TEXT,
    version INTEGER NOT NULL DEFAULT 1,
    unmet INTEGER NOT NULL DEFAULT 0,
    lease_expires_at INTEGER,
    provenance TEXT NOT NULL DEFAULT '{}',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  'CREATE INDEX tasks_by_urgency ON tasks(plan_id, priority, id)',
  `CREATE INDEX tasks_ready ON tasks(plan_id, priority, id) WHERE state = 'todo' AND unmet = 0`,
  `CREATE INDEX tasks_by_state ON tasks(plan_id, state, unmet)`,
  'CREATE INDEX tasks_leased ON tasks(lease_expires_at) WHERE lease_expires_at IS NOT NULL',
  `CREATE TABLE criteria (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
    description TEXT NOT NULL,
    met INTEGER NOT NULL DEFAULT 0,
    met_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  'CREATE INDEX criteria_by_task ON criteria(task_id, id)',
  `CREATE TABLE task_dependencies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
    depends_on_id INTEGER NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    UNIQUE (task_id, depends_on_id),
    CHECK (task_id <> depends_on_id)
  )`,
  'CREATE INDEX task_dependencies_back ON task_dependencies(depends_on_id, task_id)',
  `CREATE TRIGGER unmet_added AFTER INSERT ON task_dependencies
    WHEN (SELECT state FROM tasks WHERE id = new.depends_on_id) NOT IN ('done', 'cancelled') BEGIN
    UPDATE tasks SET unmet = unmet + 1 WHERE id = new.task_id;
  END`,
  `CREATE TRIGGER unmet_removed BEFORE DELETE ON task_dependencies
    WHEN (SELECT state FROM tasks WHERE id = old.depends_on_id) NOT IN ('done', 'cancelled') BEGIN
    UPDATE tasks SET unmet = unmet - 1 WHERE id = old.task_id;
  END`,
  `CREATE TRIGGER unmet_settled AFTER UPDATE OF state ON tasks
    WHEN (old.state IN ('done', 'cancelled')) <> (new.state IN ('done', 'cancelled')) BEGIN
    UPDATE tasks SET unmet = unmet + CASE WHEN new.state IN ('done', 'cancelled') THEN -1 ELSE 1 END
      WHERE id IN (SELECT task_id FROM task_dependencies WHERE depends_on_id = new.id);
  END`,
  // a cascade would remove the edges after the task, when its state can no longer be asked
  `CREATE TRIGGER unmet_deleted BEFORE DELETE ON tasks BEGIN
    DELETE FROM task_dependencies WHERE depends_on_id = old.id OR task_id = old.id;
  END`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
