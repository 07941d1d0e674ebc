// What a record refers to: every uid in it that is another thing's. One list, walked to check that all of them exist and to rewrite those
// that are known under another uid here.
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import { isRowKind, kindRows, type RecordKind, type RowKind } from '#daemon/storage/records/kinds.ts';

export type Ref = { readonly kind: RowKind; readonly uid: string };

/** References that must lead somewhere. Versions of a memory may point at what is long gone. */
export function refsOf(record: ExportRecord): Ref[] {
  const refs: Ref[] = [];
  mapRefs(record, (kind, uid) => {
    refs.push({ kind, uid });
    return uid;
  });
  return refs;
}

/** The record with each reference replaced. */
export function mapRefs(record: ExportRecord, to: (kind: RowKind, uid: string) => string): ExportRecord {
  const kind = record.kind as RecordKind;
  const one = (of: RowKind, uid: unknown): unknown => (typeof uid === 'string' ? to(of, uid) : uid);
  if (kind === 'dependency')
    return { ...record, task: one('task', record.task), depends_on: one('task', record.depends_on) };
  if (kind === 'link') {
    const end = (given: unknown) => {
      const { kind: of, uid } = given as Ref;
      return { kind: of, uid: to(of, uid) };
    };
    return { ...record, from: end(record.from), to: end(record.to) };
  }
  if (!isRowKind(kind)) return record;
  const mapped: Record<string, unknown> = { ...record };
  for (const { word, kind: of } of kindRows[kind].refs) mapped[word] = one(of, record[word]);
  if (Array.isArray(record.united)) {
    mapped.united = record.united.map(({ uid, by }: { uid: string; by: string }) => ({ uid: to('memory', uid), by }));
  }
  if (Array.isArray(record.projects)) mapped.projects = record.projects.map((uid) => one('project', uid));
  return mapped;
}
