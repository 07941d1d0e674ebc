// Every change of this room: one transaction that also writes the log, then the announcement. A change may find that it rests on
// something that is no longer so (a policy judged an older plan); it then leaves without a trace and is begun again.
import type { CallContext } from '#daemon/kernel/context.ts';
import { type Change, type ChangeRow, changeToEvent, recordChanges } from '#daemon/storage/change-log.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import type { PlansDeps } from './deps.ts';

/** Thrown inside a change to roll it back and begin anew. */
export class LookAgain extends Error {}

/** Runs `change` in one write transaction; what it pushes to `changes` is logged there and announced after the commit. */
export async function commitPlanChange<Answer>(
  deps: Pick<PlansDeps, 'database' | 'events' | 'clock'>,
  context: CallContext,
  change: (trx: Trx, changes: Change[]) => Promise<Answer>,
): Promise<Answer> {
  const log: ChangeRow[] = [];
  const answer = await deps.database.writeTogether(context, async (trx) => {
    const changes: Change[] = [];
    const made = await change(trx, changes);
    log.push(...(await recordChanges(trx, context, deps.clock, changes)));
    return made;
  });
  for (const row of log) deps.events.announce(changeToEvent(row));
  return answer;
}

/** The fields of `after` that differ from `before`, old and new; null when none does. */
export function differencesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, { old: unknown; new: unknown }> | null {
  const changed = Object.keys(after).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((field) => [field, { old: before[field] ?? null, new: after[field] ?? null }]));
}
