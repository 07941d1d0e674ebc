// What becomes of a thing that is here and in the file: each field is the one that was written last. Memories tell by their versions when that
// was (merge-memories.ts), the other kinds by times that are kept for it (merge-things.ts).
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import type { RowKind } from '#daemon/storage/records/kinds.ts';
import { canonical } from './canonical.ts';
import { mergeMemories } from './merge-memories.ts';
import { hasEveryCriterion, mergeThings } from './merge-things.ts';

export type Merge = {
  readonly record: ExportRecord;
  /** Fields that change here. */
  readonly changed: readonly string[];
  /** Fields in which the file says something that is not what stands in the end, counters and times aside. */
  readonly lost: string[];
};

const noConflict: ReadonlySet<string> = new Set([
  'history',
  'field_times',
  'access_count',
  'last_accessed_at',
  'kept_apart_at',
  'united',
  'created_at',
  'updated_at',
  'aliases',
]);

/** Merges what a file says of a thing into what is here. The uid is the one that is here. */
export function mergeRecords(kind: RowKind, present: ExportRecord, incoming: ExportRecord): Merge {
  const given = { ...incoming, uid: present.uid };
  const record = kind === 'memory' ? mergeMemories(present, given) : mergeThings(kind, present, given);
  return {
    record,
    changed: differing(present, record),
    lost: differing(given, record).filter(
      (word) => !noConflict.has(word) && !(kind === 'task' && isKept(word, given, record)),
    ),
  };
}

/** A task's version only grows, and a criterion that one side ticked is still there. */
function isKept(word: string, given: ExportRecord, record: ExportRecord): boolean {
  return word === 'version' || (word === 'criteria' && hasEveryCriterion(record, given));
}

/** Words in which two records differ. */
export function differing(a: ExportRecord, b: ExportRecord): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (word) => canonical(a[word]) !== canonical(b[word]),
  );
}
