// A plan completes itself with the last of its tasks: all settled, one of them done. Where a policy judges plans it is asked first,
// and it cannot be asked inside the transaction: so the change that settles the last task is rolled back, the policy asked, and the
// change begun again with its verdict. A policy that refuses keeps the plan active; the task is settled all the same.
import type { CallContext } from '#daemon/kernel/context.ts';
import { withRemarks } from '#daemon/policies/index.ts';
import type { Change } from '#daemon/storage/change-log.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import { LociError } from '#shared/errors.ts';
import { commitPlanChange, LookAgain } from './commit.ts';
import type { PlansDeps } from './deps.ts';
import { planToDraft } from './plan-snapshot.ts';
import { isPlanFinished, type PlanRow, requirePlan, updatePlanRow } from './plans.repository.ts';
import { isOther } from './update-plan.ts';

/** What the policy said about a plan that is to complete. */
type Verdict = { readonly plan: PlanRow; readonly isAllowed: boolean; readonly warnings: readonly PluginWarning[] };

/** Completes the plan when its tasks are settled; answers whether it did. */
export type CompletePlan = (trx: Trx, planId: number, changes: Change[]) => Promise<boolean>;

/** The plan stands still only so long: after so many changes of it the task is settled and the plan left active. */
const maxAttempts = 5;

/** Runs a change that may settle the last task of a plan; `change` calls `complete` where it did. */
export async function commitWithCompletion<Answer extends object>(
  deps: PlansDeps,
  context: CallContext,
  change: (trx: Trx, changes: Change[], complete: CompletePlan) => Promise<Answer>,
): Promise<Answer & { plugin_warnings?: PluginWarning[] | undefined }> {
  let verdict: Verdict | null = null;
  for (let attempt = 1; ; attempt += 1) {
    const state: { judged: PlanRow | null; completed: PlanRow | null } = { judged: null, completed: null };
    const complete: CompletePlan = async (trx, planId, changes) => {
      if (!(await isPlanFinished(trx, planId))) return false;
      const plan = await requirePlan(trx, context.userId, planId);
      if (deps.policy.isSet && (verdict === null || isOther(verdict.plan, plan)) && attempt < maxAttempts) {
        state.judged = plan;
        throw new LookAgain();
      }
      if (verdict?.isAllowed === false) return false;
      const row = await updatePlanRow(trx, plan, { ...planToDraft(plan), status: 'completed' }, deps.clock.now());
      const metadata = { automatic: true };
      const moved = { status: { old: plan.status, new: 'completed' } };
      changes.push({ kind: 'plan', thingId: plan.id, action: 'updated', changes: moved, metadata });
      state.completed = row;
      return true;
    };
    try {
      const answer = await commitPlanChange(deps, context, async (trx, changes) =>
        withRemarks(await change(trx, changes, complete), verdict?.warnings ?? []),
      );
      return withRemarks(answer, await tellPolicy(deps, verdict?.plan ?? null, state.completed));
    } catch (error) {
      if (!(error instanceof LookAgain) || state.judged === null) throw error;
      verdict = await judgeCompletion(deps, state.judged);
    }
  }
}

async function judgeCompletion(deps: PlansDeps, plan: PlanRow): Promise<Verdict> {
  const previous = planToDraft(plan);
  const proposed = { ...previous, status: 'completed' };
  try {
    const warnings = await deps.policy.before({ operation: 'update', previous, proposed, automatic: true });
    return { plan, isAllowed: true, warnings };
  } catch (error) {
    if (!(error instanceof LociError)) throw error;
    const isRejected = error.code === 'rejected_by_policy';
    const code = isRejected ? 'plan_auto_completion_rejected' : 'plan_auto_completion_unavailable';
    const message = `The task is settled, but its plan was not completed: ${error.message}`;
    return { plan, isAllowed: false, warnings: [{ outcome: 'warn', message, code }] };
  }
}

async function tellPolicy(deps: PlansDeps, before: PlanRow | null, completed: PlanRow | null) {
  if (before === null || completed === null) return [];
  const [previous, proposed] = [planToDraft(before), planToDraft(completed)];
  return deps.policy.after({ operation: 'update', previous, proposed, automatic: true });
}
