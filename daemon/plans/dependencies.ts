// Which task waits for which. A cycle would hide its tasks from every ready list for ever, so an edge that would close one is refused,
// with the way that already leads back.
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import { commitPlanChange } from './commit.ts';
import { refuseOtherPlan } from './create-task.ts';
import { deleteDependency, dependencyOf, type Edge, insertDependency, pathBetween } from './dependencies.repository.ts';
import type { PlansDeps } from './deps.ts';
import { requireTask, touchTasks } from './tasks.repository.ts';

const maxShown = 12;

/** Throws `not_found`, `conflict` for an edge that exists, `invalid_input` for one to itself, to another plan, or into a cycle. */
export async function addDependency(deps: PlansDeps, edge: Edge, context: CallContext) {
  const { taskId, dependsOnId } = edge;
  const { userId } = context;
  return commitPlanChange(deps, context, async (trx, changes) => {
    const nowMs = deps.clock.now();
    const task = await requireTask(trx, userId, taskId);
    if (taskId === dependsOnId) {
      throw invalidField('depends_on_task_id', `A task cannot depend on itself (path: ${taskId} -> ${taskId}).`);
    }
    refuseOtherPlan(await requireTask(trx, userId, dependsOnId), task.plan_id, 'depends_on_task_id');
    if ((await dependencyOf(trx, edge)) !== null) {
      throw new LociError('conflict', `Task ${taskId} depends on task ${dependsOnId} already.`, {
        task_id: taskId,
        depends_on_task_id: dependsOnId,
      });
    }
    const row = await insertDependency(trx, edge, nowMs);
    if (row === null) throw closesCycle(edge, await pathBetween(trx, task.plan_id, dependsOnId, taskId));
    await touchTasks(trx, [taskId], nowMs);
    const metadata = { plan_id: task.plan_id, task_id: taskId, depends_on_task_id: dependsOnId };
    changes.push({ kind: 'task_dependency', thingId: row.id, action: 'created', metadata });
    return { id: row.id, task_id: taskId, depends_on_task_id: dependsOnId, created_at: toUtc(row.created_at) };
  });
}

/** Throws `not_found` for a dependency that is not there. */
export async function removeDependency(deps: PlansDeps, edge: Edge, context: CallContext) {
  const { taskId, dependsOnId } = edge;
  return commitPlanChange(deps, context, async (trx, changes) => {
    const task = await requireTask(trx, context.userId, taskId);
    const row = await dependencyOf(trx, edge);
    if (row === null) {
      throw new LociError('not_found', `Dependency not found: task ${taskId} does not depend on ${dependsOnId}.`, {
        task_id: taskId,
        depends_on_task_id: dependsOnId,
      });
    }
    await deleteDependency(trx, edge);
    await touchTasks(trx, [taskId], deps.clock.now());
    const metadata = { plan_id: task.plan_id, task_id: taskId, depends_on_task_id: dependsOnId };
    changes.push({ kind: 'task_dependency', thingId: row.id, action: 'deleted', metadata });
    return { success: true };
  });
}

function closesCycle({ taskId, dependsOnId }: Edge, path: readonly number[]): LociError {
  const cycle = [taskId, ...path];
  const shown = cycle.length <= maxShown ? cycle : [...cycle.slice(0, maxShown - 3), '…', ...cycle.slice(-2)];
  return new LociError(
    'invalid_input',
    `Adding dependency ${taskId} -> ${dependsOnId} would create a cycle: ${shown.join(' -> ')}.`,
    { depends_on_task_id: 'would close a cycle', path: shown, length: cycle.length - 1 },
  );
}
