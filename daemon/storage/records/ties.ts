// What ties two things together and has no row of its own: dependencies of tasks, links between memories, links between kinds.
// Each is read in the order of its key, a page from the last one, and told by the uids of its ends.
import type Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import { type ExportRecord, msToInstant } from './fields.ts';
import type { RowKind } from './kinds.ts';
import { uidOf, type Visible } from './read-record.ts';

export type TieCursor = readonly (string | number)[];

export type TieSource = {
  readonly first: TieCursor;
  /** The next ties of a user after a cursor, at most `limit`; those whose ends are not visible are null. */
  page(
    db: Sqlite.Database,
    userId: number,
    after: TieCursor,
    limit: number,
    visible: Visible,
  ): { readonly cursor: TieCursor; readonly record: ExportRecord | null }[];
};

const dependencies: TieSource = {
  first: [0],
  page: (db, userId, [after], limit, visible) =>
    prepared<unknown[], { id: number; task_id: number; depends_on_id: number; created_at: number }>(
      db,
      `SELECT d.* FROM task_dependencies d JOIN tasks t ON t.id = d.task_id
        WHERE d.id > ? AND t.user_id = ? ORDER BY d.id LIMIT ?`,
    )
      .all(after, userId, limit)
      .map((row) => ({
        cursor: [row.id],
        record:
          visible('task', row.task_id) && visible('task', row.depends_on_id)
            ? {
                kind: 'dependency',
                task: uidOf(db, 'task', row.task_id),
                depends_on: uidOf(db, 'task', row.depends_on_id),
                created_at: msToInstant(row.created_at),
              }
            : null,
      })),
};

const memoryLinks: TieSource = {
  first: [0, 0],
  page: (db, userId, [source, target], limit, visible) =>
    prepared<unknown[], { source_id: number; target_id: number; origin: string; created_at: number }>(
      db,
      `SELECT * FROM memory_links WHERE (source_id, target_id) > (?, ?) AND user_id = ?
        ORDER BY source_id, target_id LIMIT ?`,
    )
      .all(source, target, userId, limit)
      .map((row) => ({
        cursor: [row.source_id, row.target_id],
        record: linkOf(db, ['memory', row.source_id], ['memory', row.target_id], row, visible),
      })),
};

type ThingLink = { from_kind: string; from_id: number; to_kind: string; to_id: number; created_at: number };

/** An entity's projects stand in the entity's own record. */
const thingLinks: TieSource = {
  first: ['', 0, '', 0],
  page: (db, userId, after, limit, visible) =>
    prepared<unknown[], ThingLink>(
      db,
      `SELECT * FROM thing_links WHERE (from_kind, from_id, to_kind, to_id) > (?, ?, ?, ?) AND user_id = ?
        AND to_kind <> 'project' ORDER BY from_kind, from_id, to_kind, to_id LIMIT ?`,
    )
      .all(...after, userId, limit)
      .map((row) => ({
        cursor: [row.from_kind, row.from_id, row.to_kind, row.to_id],
        record: linkOf(
          db,
          [row.from_kind as RowKind, row.from_id],
          [row.to_kind as RowKind, row.to_id],
          { created_at: row.created_at, origin: null },
          visible,
        ),
      })),
};

/** By the kind of their record, in order. */
export const tieSources = { dependency: [dependencies], link: [memoryLinks, thingLinks] } as const;

type End = readonly [kind: RowKind, id: number];

function linkOf(
  db: Sqlite.Database,
  from: End,
  to: End,
  { origin, created_at }: { readonly origin: string | null; readonly created_at: number },
  visible: Visible,
): ExportRecord | null {
  if (!visible(...from) || !visible(...to)) return null;
  // of two memories the one with the smaller uid is named first: ids, by which the row is ordered, differ from store to store
  const ends = [
    { kind: from[0], uid: uidOf(db, ...from) },
    { kind: to[0], uid: uidOf(db, ...to) },
  ];
  if (from[0] === to[0] && String(ends[0]?.uid) > String(ends[1]?.uid)) ends.reverse();
  return { kind: 'link', from: ends[0], to: ends[1], origin, created_at: msToInstant(created_at) };
}
