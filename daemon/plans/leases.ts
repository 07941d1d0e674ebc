// A lease that ran out gives its task back. Nothing watches the clock for that: whoever reads or claims next notices, and from then
// on the task is `todo` for everybody, a version further, so that the late holder's next change is a conflict.
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { Change } from '#daemon/storage/change-log.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { commitPlanChange } from './commit.ts';
import type { PlansDeps } from './deps.ts';
import { hasExpiredLeases, releaseExpired } from './tasks.repository.ts';

/** For a read: gives back what has run out, in a write of its own that is made only when there is something. */
export async function settleLeases(deps: PlansDeps, context: CallContext): Promise<void> {
  if (!(await hasExpiredLeases(deps.database.db, context.userId, deps.clock.now()))) return;
  const own = { ...context, claim: null }; // the answer under the key belongs to the call itself
  await commitPlanChange(deps, own, (trx, changes) => giveBackExpired(trx, context.userId, deps.clock.now(), changes));
}

/** The same inside a change that is under way. */
export async function giveBackExpired(trx: Trx, userId: number, nowMs: number, changes: Change[]): Promise<void> {
  for (const task of await releaseExpired(trx, userId, nowMs)) {
    changes.push({
      kind: 'task',
      thingId: task.id,
      action: 'lease_expired',
      changes: {
        state: { old: task.state, new: 'todo' },
        assigned_agent: { old: task.assigned_agent, new: null },
        lease_expires_at: { old: toUtc(task.lease_expires_at), new: null },
      },
      metadata: { plan_id: task.plan_id },
    });
  }
}

/** When a lease taken now ends; null for none. */
export function leaseEnd(nowMs: number, leaseSeconds: number | undefined): number | null {
  return leaseSeconds === undefined ? null : nowMs + leaseSeconds * 1_000;
}
