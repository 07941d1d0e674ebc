// Changing a plan. A policy is asked outside the transaction, about the plan as it was then: if it has changed when the transaction
// comes to it, the policy is asked again, a few times, before the caller is told that the plan does not hold still.
import type { CallContext } from '#daemon/kernel/context.ts';
import { withRemarks } from '#daemon/policies/index.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import { LociError } from '#shared/errors.ts';
import { commitPlanChange, differencesOf, LookAgain } from './commit.ts';
import type { PlansDeps } from './deps.ts';
import { erasePlanTraces } from './erase.ts';
import { planToDraft } from './plan-snapshot.ts';
import { deletePlanRow, type PlanDraft, type PlanRow, requirePlan, updatePlanRow } from './plans.repository.ts';
import { refusePlanMove } from './rules.ts';
import { planToWords } from './words.ts';

/** Makes the plan as it should be from the plan as it is. */
export type PlanPatch = (present: PlanDraft) => PlanDraft;

const maxAttempts = 5;

/** Throws `not_found`, `conflict` for a reference that another plan holds, `rejected_by_policy` for a move that does not exist. */
export async function updatePlan(deps: PlansDeps, id: number, patch: PlanPatch, context: CallContext) {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    try {
      return await tryUpdate(deps, id, patch, context);
    } catch (error) {
      if (!(error instanceof LookAgain)) throw error;
    }
  }
  throw new LociError('conflict', `Plan ${id} is being changed by others: read it again and repeat the change.`, {
    plan_id: id,
    policy: 'PLAN_PLUGIN_STATE_CHANGED',
  });
}

async function tryUpdate(deps: PlansDeps, id: number, patch: PlanPatch, context: CallContext) {
  const { userId } = context;
  const seen = deps.policy.isSet ? await requirePlan(deps.database.db, userId, id) : null;
  const verdict = seen === null ? null : await judge(deps, seen, patch);
  const answer = await commitPlanChange(deps, context, async (trx, changes) => {
    const present = await requirePlan(trx, userId, id);
    const before = planToDraft(present);
    const after = checked(before, patch);
    const differences = differencesOf({ ...before }, { ...after });
    if (differences === null) return planToWords(present);
    if (seen !== null && isOther(seen, present)) throw new LookAgain();
    const plan = await updatePlanRow(trx, present, after, deps.clock.now());
    changes.push({ kind: 'plan', thingId: id, action: 'updated', changes: differences });
    return withRemarks(planToWords({ ...plan, task_count: present.task_count }), verdict ?? []);
  });
  if (seen === null || verdict === null) return answer;
  const told = await deps.policy.after({ operation: 'update', previous: planToDraft(seen), proposed: answer });
  return withRemarks(answer, told);
}

/** What the policy says; null when nothing would change, which no policy is asked about. */
async function judge(deps: PlansDeps, seen: PlanRow, patch: PlanPatch): Promise<readonly PluginWarning[] | null> {
  const previous = planToDraft(seen);
  const proposed = checked(previous, patch);
  if (differencesOf({ ...previous }, { ...proposed }) === null) return null;
  return deps.policy.before({ operation: 'update', previous, proposed });
}

function checked(before: PlanDraft, patch: PlanPatch): PlanDraft {
  const after = patch(before);
  refusePlanMove(before.status, after.status);
  return after;
}

export function isOther(seen: PlanRow, present: PlanRow): boolean {
  return differencesOf({ ...planToDraft(seen) }, { ...planToDraft(present) }) !== null;
}

/** Erases a plan with all its tasks. Throws `not_found`. */
export async function deletePlan(deps: PlansDeps, id: number, context: CallContext) {
  const answer = await commitPlanChange(deps, context, async (trx, changes) => {
    const plan = await requirePlan(trx, context.userId, id);
    await erasePlanTraces(trx, id);
    await deletePlanRow(trx, id);
    const metadata = { project_id: plan.project_id, tasks: plan.task_count };
    changes.push({ kind: 'plan', thingId: id, action: 'deleted', metadata });
    return { success: true, deleted_id: id };
  });
  await deps.database.checkpoint().catch(() => false); // what a reader keeps in the log now goes with the next one
  return answer;
}
