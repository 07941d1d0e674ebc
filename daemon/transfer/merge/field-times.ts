// When each field of a memory was last written. A store keeps no time for each field, but it keeps every earlier version with the time in
// which it was current: a field is as old as the oldest version, counted back without a gap, that has its present value. A memory that was
// merged before says so itself (`field_times`, with `at` the time of its state then): versions before that came from two machines and are
// no line any more.

import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import type { Version } from '#daemon/storage/records/memory-snapshots.ts';
import { versionFields } from '#daemon/storage/records/memory-snapshots.ts';
import { canonical } from './canonical.ts';

/** Fields that are decided together, under the word of the first: a category without its key is nothing. */
const groups: Readonly<Record<string, readonly string[]>> = { category: ['category', 'key'] };

/** What a merge decides one by one. */
export const mergedWords: readonly string[] = [
  ...versionFields.map(({ word }) => word).filter((word) => word !== 'key'),
  'projects',
  'superseded_by',
];

/** The words that a decision about `word` is about. */
export function wordsWith(word: string): readonly string[] {
  return groups[word] ?? [word];
}

/** What a field says, to be compared. */
export function saidIn(state: ExportRecord, word: string): string {
  const words = wordsWith(word);
  return words.length === 1 ? canonical(state[word]) : canonical(words.map((each) => state[each] ?? null));
}

/** UTC instants by word. */
export function fieldTimes(record: ExportRecord): Record<string, string> {
  const updatedAt = record.updated_at as string;
  const known = record.field_times as Record<string, string> | null;
  const states = ((record.history as readonly Version[] | undefined) ?? [])
    .filter(({ action, from }) => action !== 'merged_in' && (known?.at === undefined || from >= known.at))
    .sort((a, b) => (a.from < b.from ? 1 : -1));
  return Object.fromEntries(mergedWords.map((word) => [word, timeOf(word)]));

  function timeOf(word: string): string {
    const present = saidIn(record, word);
    let time = updatedAt;
    for (const { from, snapshot } of states) {
      if (saidIn(snapshot, word) !== present) return time;
      time = from;
    }
    const isBackAtMerge = known !== null && known !== undefined && time === known.at;
    return isBackAtMerge ? (known[word] ?? time) : time;
  }
}
