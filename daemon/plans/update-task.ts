import type { CallContext } from '#daemon/kernel/context.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import { commitPlanChange, differencesOf } from './commit.ts';
import { commitWithCompletion } from './complete-plan.ts';
import { dependentIds } from './dependencies.repository.ts';
import type { PlansDeps } from './deps.ts';
import { eraseTaskTraces } from './erase.ts';
import { giveBackExpired } from './leases.ts';
import { versionConflict } from './move-task.ts';
import { taskToDraft } from './plan-snapshot.ts';
import { deleteTaskRow, requireTask, type TaskDraft, touchTasks, updateTaskRow } from './tasks.repository.ts';
import { taskToWords } from './words.ts';

export type TaskPatch = {
  readonly apply: (present: TaskDraft) => TaskDraft;
  /** Refuses the change as a `conflict` when the task has another version by now. */
  readonly version: number | undefined;
};

/** Changes a task's own fields; one that changes nothing leaves its version alone. Throws `not_found`, `conflict`. */
export async function updateTask(deps: PlansDeps, id: number, patch: TaskPatch, context: CallContext) {
  const { userId } = context;
  return commitPlanChange(deps, context, async (trx, changes) => {
    const nowMs = deps.clock.now();
    await giveBackExpired(trx, userId, nowMs, changes);
    const present = await requireTask(trx, userId, id);
    if (patch.version !== undefined && patch.version !== present.version) throw versionConflict(present, patch.version);
    const before = taskToDraft(present);
    const after = patch.apply(before);
    const differences = differencesOf({ ...before }, { ...after });
    if (differences === null) return taskToWords(trx, present);
    const task = await updateTaskRow(trx, present, after, nowMs);
    if (task === null) throw versionConflict(await requireTask(trx, userId, id), present.version);
    const metadata = { plan_id: task.plan_id, version: task.version };
    changes.push({ kind: 'task', thingId: id, action: 'updated', changes: differences, metadata });
    return taskToWords(trx, task);
  });
}

export type DeletedTask = {
  readonly success: boolean;
  readonly deleted_id: number;
  plugin_warnings?: PluginWarning[] | undefined;
};

/** Erases a task; those that waited for it no longer do. Throws `not_found`. */
export async function deleteTask(deps: PlansDeps, id: number, context: CallContext): Promise<DeletedTask> {
  const answer = await commitWithCompletion(deps, context, async (trx, changes, complete) => {
    const task = await requireTask(trx, context.userId, id);
    const waiting = await dependentIds(trx, id);
    await eraseTaskTraces(trx, id);
    await deleteTaskRow(trx, id);
    await touchTasks(trx, waiting, deps.clock.now());
    const { plan_id } = task;
    changes.push({ kind: 'task', thingId: id, action: 'deleted', metadata: { plan_id } });
    for (const dependent of waiting) {
      const metadata = { plan_id, task_id: dependent, depends_on_task_id: id };
      changes.push({ kind: 'task_dependency', thingId: dependent, action: 'deleted', metadata });
    }
    await complete(trx, plan_id, changes);
    return { success: true, deleted_id: id };
  });
  await deps.database.checkpoint().catch(() => false);
  return answer;
}
