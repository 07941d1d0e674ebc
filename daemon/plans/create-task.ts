// A task is born whole: with its criteria and its dependencies, or not at all.
import type { CallContext } from '#daemon/kernel/context.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import { commitPlanChange } from './commit.ts';
import { insertCriterion } from './criteria.repository.ts';
import { insertFirstDependencies } from './dependencies.repository.ts';
import type { PlansDeps } from './deps.ts';
import { taskToSnapshot } from './plan-snapshot.ts';
import { requirePlan } from './plans.repository.ts';
import { openPlanStatuses, ruleBroken } from './rules.ts';
import { insertTask, requireTask, type TaskDraft, type TaskRow, tasksByIds } from './tasks.repository.ts';
import { taskToWords } from './words.ts';

export type NewTask = {
  readonly planId: number;
  readonly draft: TaskDraft;
  readonly criteria: readonly string[];
  readonly dependencyIds: readonly number[];
};

/** Throws `not_found` for the plan or a dependency, `rejected_by_policy` for a plan that is closed. */
export async function createTask(deps: PlansDeps, request: NewTask, context: CallContext) {
  const { planId, draft, criteria } = request;
  const { userId } = context;
  const dependencyIds = [...new Set(request.dependencyIds)];
  return commitPlanChange(deps, context, async (trx, changes) => {
    const plan = await requirePlan(trx, userId, planId);
    if (!openPlanStatuses.some((status) => status === plan.status)) {
      throw ruleBroken('plan_status', `Cannot add tasks to plan in ${plan.status} status.`, { status: plan.status });
    }
    await requireSiblings(trx, userId, planId, dependencyIds);
    const nowMs = deps.clock.now();
    const task = await insertTask(trx, { userId, planId, draft, nowMs });
    for (const description of criteria) await insertCriterion(trx, task.id, description, nowMs);
    await insertFirstDependencies(trx, task.id, dependencyIds, nowMs);
    const snapshot = { ...taskToSnapshot(task), criteria, dependency_ids: dependencyIds };
    changes.push({ kind: 'task', thingId: task.id, action: 'created', snapshot, metadata: { plan_id: planId } });
    return taskToWords(trx, await requireTask(trx, userId, task.id));
  });
}

/** Dependencies that exist and are of the same plan. */
async function requireSiblings(trx: Trx, userId: number, planId: number, ids: readonly number[]): Promise<void> {
  const tasks = await tasksByIds(trx, userId, ids);
  for (const id of ids) {
    const task = tasks.get(id);
    if (task === undefined) {
      throw new LociError('not_found', `Dependency task ${id} not found.`, { dependency_ids: id });
    }
    refuseOtherPlan(task, planId, 'dependency_ids');
  }
}

/** Throws `invalid_input` for a dependency on a task of another plan. */
export function refuseOtherPlan(task: TaskRow, planId: number, field: string): void {
  if (task.plan_id === planId) return;
  throw new LociError(
    'invalid_input',
    `Task ${task.id} belongs to plan ${task.plan_id}, not plan ${planId}. Dependencies must be within the same plan.`,
    { [field]: `task ${task.id} is of another plan` },
  );
}
