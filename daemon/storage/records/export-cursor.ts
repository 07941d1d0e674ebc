// An export as it is read: a connection of its own in the reader thread, one read transaction from the first line to the last (so that
// the file is the store at one moment, whatever is written meanwhile), and a page at a time, so that searches pass in between and no more
// than a page is ever in memory.
import Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import type { ReaderDatabase } from '../reader-query.ts';
import { countRows, type ExportScope, isInScope, pageSql, type ScopeValues, scopeValues } from './export-scope.ts';
import type { ExportRecord, Row } from './fields.ts';
import { isRowKind, kindRows, type RecordKind, type RowKind, recordKinds } from './kinds.ts';
import { readRecord, type Visible } from './read-record.ts';
import { type TieSource, tieSources } from './ties.ts';

export type ExportCounts = Readonly<Record<RecordKind, number>>;

export type ExportHead = {
  readonly counts: ExportCounts;
  /** Memories that are archived, obsolete or expired and were not asked for. */
  readonly leftOut: number;
  readonly user: { readonly uid: string; readonly name: string };
};

export type ExportCursor = {
  /** What the export holds; null while it is still being counted: ask again, others get their turn in between. */
  count(): ExportHead | null;
  /** The next lines, each with its line end, about `maxBytes` of them; null after the last. */
  next(maxBytes: number): Uint8Array | null;
  close(): void;
};

const tiePage = 500;
/** Ties are counted for so long at a time. */
const countTurnMs = 15;

/** Opens the database of `db` once more and holds it as it is now. */
export function openExportCursor(db: ReaderDatabase, scope: ExportScope): ExportCursor {
  const snapshot = db.openSnapshot?.() ?? openFileSnapshot(db);
  try {
    const values = scopeValues(scope);
    const user = prepared<[number], { uid: string; name: string }>(
      snapshot,
      'SELECT uid, name FROM users WHERE id = ?',
    ).get(scope.userId);
    const { rows, leftOut } = countRows(snapshot, values);
    const visible = visibleIn(snapshot, values);
    const ties = countTies(snapshot, rows, values, visible);
    const lines = linesOf(snapshot, values, visible);
    return {
      count() {
        const endMs = performance.now() + countTurnMs;
        while (performance.now() < endMs) {
          if (ties.next().done !== true) continue;
          const counts = Object.fromEntries(recordKinds.map((kind) => [kind, rows.get(kind) ?? 0])) as ExportCounts;
          return { counts, leftOut, user: user ?? { uid: '', name: '' } };
        }
        return null;
      },
      next: (maxBytes) => takeBytes(lines, maxBytes),
      close: () => snapshot.close(),
    };
  } catch (error) {
    snapshot.close();
    throw error;
  }
}

function openFileSnapshot(db: Sqlite.Database): Sqlite.Database {
  const snapshot = new Sqlite(db.name, { readonly: true, fileMustExist: true });
  snapshot.pragma('query_only = ON');
  snapshot.pragma('cache_size = -4000');
  snapshot.exec('BEGIN');
  return snapshot;
}

function takeBytes(lines: Iterator<string>, maxBytes: number): Uint8Array | null {
  const taken: string[] = [];
  let length = 0;
  while (length < maxBytes) {
    const { value, done } = lines.next();
    if (done === true) break;
    taken.push(value);
    length += value.length;
  }
  return taken.length === 0 ? null : Buffer.from(taken.join(''));
}

function* linesOf(db: Sqlite.Database, values: ScopeValues, visible: Visible): Generator<string> {
  for (const record of recordsOf(db, values, visible)) yield `${JSON.stringify(record)}\n`;
}

function* recordsOf(db: Sqlite.Database, values: ScopeValues, visible: Visible): Generator<ExportRecord> {
  for (const kind of recordKinds) {
    if (isRowKind(kind)) yield* rowsOf(db, kind, values, visible);
    else {
      for (const source of tieSources[kind]) {
        for (const { record } of tiesOf(db, source, values.user, visible)) if (record !== null) yield record;
      }
    }
  }
}

function* rowsOf(db: Sqlite.Database, kind: RowKind, values: ScopeValues, visible: Visible): Generator<ExportRecord> {
  const limit = kindRows[kind].pageRows;
  const statement = prepared<Record<string, unknown>, Row>(db, pageSql(kind));
  for (let after = 0; ; ) {
    const rows = statement.all({ ...values, after, limit });
    for (const row of rows) yield readRecord(db, kind, row, visible);
    if (rows.length < limit) return;
    after = rows.at(-1)?.id as number;
  }
}

function* tiesOf(db: Sqlite.Database, source: TieSource, userId: number, visible: Visible) {
  for (let after = source.first; ; ) {
    const ties = source.page(db, userId, after, tiePage, visible);
    yield* ties;
    const last = ties.at(-1);
    if (last === undefined || ties.length < tiePage) return;
    after = last.cursor;
  }
}

function* countTies(
  db: Sqlite.Database,
  rows: Map<RecordKind, number>,
  { user }: ScopeValues,
  visible: Visible,
): Generator<void> {
  for (const kind of ['dependency', 'link'] as const) {
    for (const source of tieSources[kind]) {
      for (const { record } of tiesOf(db, source, user, visible)) {
        if (record !== null) rows.set(kind, (rows.get(kind) ?? 0) + 1);
        yield;
      }
    }
  }
}

/** Whether a thing is in the export. Asked for each reference, so an export of everything does not ask. */
function visibleIn(db: Sqlite.Database, values: ScopeValues): Visible {
  if (values.project === null && values.all === 1) return () => true;
  return (kind, id) => isInScope(db, kind, id, values);
}
