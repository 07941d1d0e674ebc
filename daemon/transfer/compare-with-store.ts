// What an import would do, by the same rule that does it: the records of a dry run are merged with what is here and thrown away.
import type Sqlite from 'better-sqlite3';
import { prepared } from '#daemon/storage/prepared.ts';
import { isRowKind, type RowKind } from '#daemon/storage/records/kinds.ts';
import { ownerOf, recordByUid } from '#daemon/storage/records/read-record.ts';
import type { ImportReport, KindCounts } from '#shared/contract/transfer.ts';
import type { StoreSide } from './check-staged.ts';
import type { Ref } from './format/refs.ts';
import { type LoggedRow, loggedKind, unknownTexts } from './merge/lost-texts.ts';
import { mergeRecords } from './merge/merge-records.ts';
import type { Staged, Staging } from './staging.ts';
import { createTally, type Outcome } from './tally.ts';

export type Comparison = {
  readonly counts: Record<string, KindCounts>;
  readonly conflicts: ImportReport['conflicts'];
  readonly conflictCount: number;
};

export function compareWithStore(staging: Staging, side: StoreSide): Comparison {
  const tally = createTally();
  for (let after = 0; ; ) {
    const page = staging.page(after, { records: 100, bytes: 4 * 2 ** 20 });
    for (const staged of page) tally.add(String(staged.record.kind), outcomeOf(staged, side));
    const last = page.at(-1);
    if (last === undefined) return tally.result();
    after = last.seq;
  }
}

function outcomeOf({ record, isPresent, isTimed }: Staged, { db, userId }: StoreSide): Outcome {
  const kind = String(record.kind);
  if (!isRowKind(kind)) return isTied(record, { db, userId }) ? { what: 'unchanged' } : { what: 'added' };
  if (!isPresent) return { what: 'added' };
  const here = recordByUid(db, kind, String(record.uid), userId);
  if (here === null) return { what: 'added' };
  if (!isTimed) return { what: 'unchanged' };
  const { changed, lost } = mergeRecords(kind, here.record, record);
  const conflictOf = (fields: string[]) =>
    fields.length === 0 ? null : { kind, id: here.id, uid: String(record.uid), fields };
  if (changed.length > 0) return { what: 'updated', conflict: conflictOf(lost) };
  return { what: 'unchanged', conflict: conflictOf(lostTexts({ db, kind, id: here.id }, lost, record)) };
}

function lostTexts(
  { db, kind, id }: { readonly db: Sqlite.Database; readonly kind: RowKind; readonly id: number },
  lost: readonly string[],
  record: Staged['record'],
): string[] {
  if (kind === 'memory') return [];
  const log = prepared<[string, number], LoggedRow>(
    db,
    'SELECT changes, snapshot FROM change_log WHERE kind = ? AND thing_id = ?',
  );
  return unknownTexts(lost, record, () => log.all(loggedKind(kind), id) as LoggedRow[]);
}

function isTied(record: Staged['record'], { db }: Pick<StoreSide, 'db' | 'userId'>): boolean {
  const idOf = (kind: string, uid: unknown): unknown =>
    isRowKind(kind) ? (ownerOf(db, kind, String(uid))?.id ?? null) : null;
  if (record.kind === 'dependency') {
    const sql = 'SELECT 1 FROM task_dependencies WHERE task_id = ? AND depends_on_id = ?';
    return prepared<unknown[]>(db, sql).get(idOf('task', record.task), idOf('task', record.depends_on)) !== undefined;
  }
  const [from, to] = [record.from as Ref, record.to as Ref];
  const [a, b] = [idOf(from.kind, from.uid), idOf(to.kind, to.uid)];
  if (from.kind === 'memory' && to.kind === 'memory') {
    const sql = 'SELECT 1 FROM memory_links WHERE source_id = ? AND target_id = ?';
    const [first, second] = [Number(a), Number(b)].sort((one, other) => one - other);
    return a !== null && b !== null && prepared<unknown[]>(db, sql).get(first, second) !== undefined;
  }
  const sql = 'SELECT 1 FROM thing_links WHERE from_kind = ? AND from_id = ? AND to_kind = ? AND to_id = ?';
  const isLink = (...ends: unknown[]): boolean => prepared<unknown[]>(db, sql).get(...ends) !== undefined;
  return isLink(from.kind, a, to.kind, b) || isLink(to.kind, b, from.kind, a);
}
