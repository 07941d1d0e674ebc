// Rows as records of an export, with everything of a thing that stands in other tables. The export writes them out, an import compares
// with them: because both read here, a store that imports its own export finds nothing to change.
import type Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import { type FieldTimes, isTimedKind, restWord, type TimedKind, timesOf, timesToTell } from './field-words.ts';
import { type ExportRecord, msToInstant, type Row, rowToRecord } from './fields.ts';
import { kindRows, type RowKind } from './kinds.ts';
import { snapshotToWords, type Version } from './memory-snapshots.ts';

/** Which things may be referred to; a reference to any other is left out. */
export type Visible = (kind: RowKind, id: number) => boolean;

const everything: Visible = () => true;

/** A row of a kind as a record, `kind` first. */
export function readRecord(db: Sqlite.Database, kind: RowKind, row: Row, visible = everything): ExportRecord {
  const { fields, refs } = kindRows[kind];
  const record: Record<string, unknown> = { kind, uid: row.uid, ...rowToRecord(fields, row) };
  for (const ref of refs) {
    const id = row[ref.column] as number | null;
    record[ref.word] = id === null || !visible(ref.kind, id) ? null : uidOf(db, ref.kind, id);
  }
  const whole = { ...record, ...(extras[kind]?.(db, row.id as number, visible) ?? {}) };
  if (!isTimedKind(kind)) return whole;
  const times = fieldTimesOf(db, kind, row);
  return times === null ? whole : { ...whole, field_times: times };
}

/** When the fields were written, as a record tells it. */
function fieldTimesOf(db: Sqlite.Database, kind: TimedKind, row: Row): FieldTimes | null {
  const kept = prepared<[string, number], { field: string; written_at: number }>(
    db,
    'SELECT field, written_at FROM field_times WHERE kind = ? AND thing_id = ?',
  ).all(kind, row.id as number);
  const [createdAt, updatedAt] = [msToInstant(row.created_at as number), msToInstant(row.updated_at as number)];
  if (kept.length === 0 && createdAt === updatedAt) return null;
  const told = Object.fromEntries(kept.map(({ field, written_at }) => [field, msToInstant(written_at)]));
  const times = timesOf(kind, { field_times: { [restWord]: createdAt, ...told } });
  return timesToTell(times, updatedAt);
}

/** The user's thing of a uid as a record, with its id; null where there is none. */
export function recordByUid(
  db: Sqlite.Database,
  kind: RowKind,
  uid: string,
  userId: number,
): { readonly id: number; readonly record: ExportRecord } | null {
  const row = prepared<[string], Row>(db, `SELECT * FROM ${kindRows[kind].table} WHERE uid = ?`).get(uid);
  if (row === undefined || row.user_id !== userId) return null;
  return { id: row.id as number, record: readRecord(db, kind, row) };
}

export function uidOf(db: Sqlite.Database, kind: RowKind, id: number): string | null {
  const uid = prepared<[number]>(db, `SELECT uid FROM ${kindRows[kind].table} WHERE id = ?`).pluck().get(id);
  return (uid as string | undefined) ?? null;
}

/** Whose a uid is, and its id. */
export function ownerOf(
  db: Sqlite.Database,
  kind: RowKind,
  uid: string,
): { readonly id: number; readonly userId: number } | null {
  const sql = `SELECT id, user_id AS userId FROM ${kindRows[kind].table} WHERE uid = ?`;
  return prepared<[string], { id: number; userId: number }>(db, sql).get(uid) ?? null;
}

/** What a kind has in other tables. */
const extras: Partial<Record<RowKind, (db: Sqlite.Database, id: number, visible: Visible) => Record<string, unknown>>> =
  {
    project: (db, id) => ({
      aliases: prepared<[number]>(db, 'SELECT alias FROM project_aliases WHERE project_id = ? ORDER BY alias_key')
        .pluck()
        .all(id),
    }),
    memory: (db, id, visible) => ({
      projects: uidsOf(db, 'SELECT project_id FROM memory_projects WHERE memory_id = ? ORDER BY position', id, visible),
      kept_apart_at: instantOf(
        prepared<[number]>(db, 'SELECT undone_at FROM kept_apart WHERE memory_id = ?').pluck().get(id),
      ),
      field_times: jsonOf(
        prepared<[number]>(db, 'SELECT times FROM memory_merges WHERE memory_id = ?').pluck().get(id),
      ),
      united: unitedOf(db, id, visible),
      history: historyOf(db, id, visible),
    }),
    entity: (db, id, visible) => ({
      projects: uidsOf(
        db,
        "SELECT to_id FROM thing_links WHERE from_kind = 'entity' AND from_id = ? AND to_kind = 'project'",
        id,
        visible,
      ).sort(),
    }),
    file: (db, id) => {
      const bytes = prepared<[number]>(db, 'SELECT bytes FROM file_contents WHERE file_id = ?').pluck().get(id);
      return { data: ((bytes as Buffer | undefined) ?? Buffer.alloc(0)).toString('base64') };
    },
    task: (db, id) => ({ criteria: criteriaOf(db, id) }),
  };

function uidsOf(db: Sqlite.Database, sql: string, id: number, visible: Visible): string[] {
  const ids = prepared<[number]>(db, sql).pluck().all(id) as number[];
  return ids.filter((project) => visible('project', project)).flatMap((project) => uidOf(db, 'project', project) ?? []);
}

/** The memories that a consolidation united into this one. */
function unitedOf(db: Sqlite.Database, id: number, visible: Visible): Record<string, unknown>[] {
  const rows = prepared<[number], { member_id: number; united_by: string }>(
    db,
    'SELECT member_id, united_by FROM united_memories WHERE heir_id = ?',
  ).all(id);
  return rows
    .filter(({ member_id }) => visible('memory', member_id))
    .map(({ member_id, united_by }) => ({ uid: uidOf(db, 'memory', member_id), by: united_by }))
    .sort((a, b) => (String(a.uid) < String(b.uid) ? -1 : 1));
}

function historyOf(db: Sqlite.Database, id: number, visible: Visible): Version[] {
  type HistoryRow = {
    action: string;
    agent: string | null;
    recorded_from: number;
    recorded_to: number;
    snapshot: string;
  };
  const rows = prepared<[number], HistoryRow>(
    db,
    'SELECT action, agent, recorded_from, recorded_to, snapshot FROM memory_history WHERE memory_id = ? ORDER BY version',
  ).all(id);
  return rows.map(({ action, agent, recorded_from, recorded_to, snapshot }) => ({
    action,
    agent,
    from: msToInstant(recorded_from),
    to: msToInstant(recorded_to),
    snapshot: snapshotToWords(snapshot, (kind, other) => (visible(kind, other) ? uidOf(db, kind, other) : null)),
  }));
}

function criteriaOf(db: Sqlite.Database, taskId: number): Record<string, unknown>[] {
  type CriterionRow = {
    description: string;
    met: number;
    met_at: number | null;
    created_at: number;
    updated_at: number;
  };
  return prepared<[number], CriterionRow>(db, 'SELECT * FROM criteria WHERE task_id = ? ORDER BY id')
    .all(taskId)
    .map(({ description, met, met_at, created_at, updated_at }) => ({
      description,
      met: met === 1,
      met_at: instantOf(met_at),
      created_at: msToInstant(created_at),
      updated_at: msToInstant(updated_at),
    }));
}

function instantOf(ms: unknown): string | null {
  return typeof ms === 'number' ? msToInstant(ms) : null;
}

function jsonOf(json: unknown): unknown {
  return typeof json === 'string' ? JSON.parse(json) : null;
}
