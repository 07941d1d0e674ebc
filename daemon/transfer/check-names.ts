// A skill's name and a plan's reference are there once. A record that would take one which another thing has when all is merged can only be
// refused, and before anything is stored: found by the write itself, it would end the import in the middle.
import { prepared } from '#daemon/storage/prepared.ts';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import { recordByUid } from '#daemon/storage/records/read-record.ts';
import type { StoreSide } from './check-staged.ts';
import { mergeRecords } from './merge/merge-records.ts';
import type { Problems } from './problems.ts';
import type { Staging } from './staging.ts';

const uniqueWords = [
  { kind: 'skill', word: 'name', sql: 'SELECT uid FROM skills WHERE user_id = ? AND name = ?' },
  { kind: 'plan', word: 'external_ref', sql: 'SELECT uid FROM plans WHERE user_id = ? AND external_ref = ?' },
] as const;

/** Drops records whose name or reference is another thing's; answers them as keys of a set. */
export function checkNames(staging: Staging, side: StoreSide, problems: Problems): string[] {
  const dropped: string[] = [];
  const row = staging.db.prepare<[number], { line: number | null; timed: number; json: string }>(
    'SELECT line, timed, json FROM records WHERE seq = ?',
  );
  const aliases = 'SELECT local FROM aliases WHERE kind = ? AND uid = ?';
  const localOf = staging.db.prepare<[string, string], string>(aliases).pluck();
  for (const { kind, word, sql } of uniqueWords) {
    const holders = new Map<string, string>();
    for (const { seq, thing } of staging.things(kind)) {
      const found = row.get(seq);
      if (found === undefined) continue;
      const uid = (localOf.get(kind, thing) as string | undefined) ?? thing;
      const name = mergedWith(side, kind, { ...JSON.parse(found.json), uid }, found.timed === 1)[word];
      if (typeof name !== 'string') continue;
      const holder = holders.get(name) ?? prepared<unknown[]>(side.db, sql).pluck().get(side.userId, name);
      holders.set(name, uid);
      if (holder === undefined || holder === uid) continue;
      staging.drop(seq);
      dropped.push(`${kind} ${thing}`);
      const problem = `has the ${word} '${name}', which another ${kind} has: change one of the two and import again`;
      problems.add({ line: found.line, kind, uid: thing, problem });
    }
  }
  return dropped;
}

/** The record as it will stand here. */
function mergedWith(
  { db, userId }: StoreSide,
  kind: 'skill' | 'plan',
  record: ExportRecord,
  isTimed: boolean,
): ExportRecord {
  const here = recordByUid(db, kind, String(record.uid), userId);
  if (here !== null && !isTimed) return here.record;
  return here === null ? record : mergeRecords(kind, here.record, record).record;
}
