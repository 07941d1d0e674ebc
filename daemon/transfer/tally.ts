// What became of the records, counted by kind.
import type { ImportReport, KindCounts } from '#shared/contract/transfer.ts';

export type Conflict = ImportReport['conflicts'][number];

export type Outcome =
  | { readonly what: 'added' | 'skipped' }
  | { readonly what: 'updated' | 'unchanged'; readonly conflict?: Conflict | null };

export type Tally = {
  add(kind: string, outcome: Outcome): void;
  result(): { counts: Record<string, KindCounts>; conflicts: Conflict[]; conflictCount: number };
};

const maxConflicts = 100;

/** Goes on from earlier counts, where an import was interrupted. */
export function createTally(before?: Pick<ImportReport, 'counts' | 'conflicts' | 'conflict_count'>): Tally {
  const counts = new Map(Object.entries(before?.counts ?? {}).map(([kind, known]) => [kind, { ...known }]));
  const conflicts = [...(before?.conflicts ?? [])];
  let conflictCount = before?.conflict_count ?? 0;
  return {
    add(kind, outcome) {
      const known = counts.get(kind) ?? { added: 0, updated: 0, unchanged: 0, skipped: 0 };
      counts.set(kind, { ...known, [outcome.what]: known[outcome.what] + 1 });
      if (!('conflict' in outcome) || outcome.conflict === null || outcome.conflict === undefined) return;
      conflictCount += 1;
      if (conflicts.length < maxConflicts) conflicts.push(outcome.conflict);
    },
    result: () => ({ counts: Object.fromEntries(counts), conflicts: [...conflicts], conflictCount }),
  };
}
