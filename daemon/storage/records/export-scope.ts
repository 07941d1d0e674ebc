// What belongs to an export: the user's own things, of one project or of all; without `all` only memories that are live, because what is
// hidden in searches must not come out by the back door. As SQL conditions on one row, so that each page asks only about its own rows.
import type Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import type { RecordKind, RowKind } from './kinds.ts';
import { kindRows } from './kinds.ts';

export type ExportScope = {
  readonly userId: number;
  /** Null for all projects. */
  readonly projectId: number | null;
  /** Archived, obsolete and expired memories too. */
  readonly all: boolean;
  /** What is expired is decided at this time, milliseconds. */
  readonly nowMs: number;
};

export type ScopeValues = { user: number; project: number | null; all: number; now: number };

export function scopeValues({ userId, projectId, all, nowMs }: ExportScope): ScopeValues {
  return { user: userId, project: projectId, all: all ? 1 : 0, now: nowMs };
}

const liveMemory = "(@all = 1 OR (r.status = 'active' AND (r.expires_at IS NULL OR r.expires_at > @now)))";
const isOfProject = '(CAST(@project AS BIGINT) IS NULL OR r.project_id = @project)';
const aMemoryOf = (memory: string): string =>
  `EXISTS (SELECT 1 FROM memories m JOIN memory_projects mp ON mp.memory_id = m.id
     WHERE ${memory} AND mp.project_id = @project
       AND (@all = 1 OR (m.status = 'active' AND (m.expires_at IS NULL OR m.expires_at > @now))))`;

/** Conditions on a row `r` of the kind's table, whose user is asked for besides. */
const conditions: Readonly<Record<RowKind, string>> = {
  project: `(CAST(@project AS BIGINT) IS NULL OR r.id = @project
     OR EXISTS (SELECT 1 FROM memory_projects other WHERE other.project_id = r.id AND ${aMemoryOf('m.id = other.memory_id')})
     OR EXISTS (SELECT 1 FROM thing_links l WHERE l.from_kind = 'entity' AND l.to_kind = 'project' AND l.to_id = r.id
       AND EXISTS (SELECT 1 FROM thing_links k WHERE k.from_kind = 'entity' AND k.from_id = l.from_id
         AND k.to_kind = 'project' AND k.to_id = @project)))`,
  memory: `${liveMemory} AND (CAST(@project AS BIGINT) IS NULL
     OR EXISTS (SELECT 1 FROM memory_projects mp WHERE mp.memory_id = r.id AND mp.project_id = @project))`,
  document: isOfProject,
  code_artifact: isOfProject,
  file: isOfProject,
  skill: isOfProject,
  entity: `(CAST(@project AS BIGINT) IS NULL OR EXISTS (SELECT 1 FROM thing_links l WHERE l.from_kind = 'entity' AND l.from_id = r.id
     AND l.to_kind = 'project' AND l.to_id = @project))`,
  relationship: `(CAST(@project AS BIGINT) IS NULL OR 2 = (SELECT count(DISTINCT l.from_id) FROM thing_links l
     WHERE l.from_kind = 'entity' AND l.from_id IN (r.source_id, r.target_id) AND l.to_kind = 'project' AND l.to_id = @project))`,
  plan: isOfProject,
  task: '(CAST(@project AS BIGINT) IS NULL OR EXISTS (SELECT 1 FROM plans p WHERE p.id = r.plan_id AND p.project_id = @project))',
};

/** A page of a kind's rows after an id. */
export function pageSql(kind: RowKind): string {
  return `SELECT r.* FROM ${kindRows[kind].table} r
    WHERE r.id > @after AND r.user_id = @user AND ${conditions[kind]} ORDER BY r.id LIMIT @limit`;
}

/** Whether one row belongs to the export. */
export function isInScope(db: Sqlite.Database, kind: RowKind, id: number, values: ScopeValues): boolean {
  const sql = `SELECT 1 FROM ${kindRows[kind].table} r WHERE r.id = @id AND r.user_id = @user AND ${conditions[kind]}`;
  return prepared<Record<string, unknown>>(db, sql).get({ ...values, id }) !== undefined;
}

/** How many rows each kind with a uid has in the export, and how many memories were left out because they are not live. */
export function countRows(
  db: Sqlite.Database,
  values: ScopeValues,
): { rows: Map<RecordKind, number>; leftOut: number } {
  const rows = new Map<RecordKind, number>();
  const count = (kind: RowKind, given: ScopeValues): number =>
    prepared<ScopeValues>(
      db,
      `SELECT count(*) FROM ${kindRows[kind].table} r WHERE r.user_id = @user AND ${conditions[kind]}`,
    )
      .pluck()
      .get(given) as number;
  for (const kind of Object.keys(kindRows) as RowKind[]) rows.set(kind, count(kind, values));
  return { rows, leftOut: count('memory', { ...values, all: 1 }) - (rows.get('memory') ?? 0) };
}
