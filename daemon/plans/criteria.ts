// Acceptance criteria: what must hold before a task is done. Each change of one is a change of its task, so its version grows.
import type { CallContext } from '#daemon/kernel/context.ts';
import { eraseChangeTexts } from '#daemon/storage/change-log.ts';
import { commitPlanChange, differencesOf } from './commit.ts';
import { deleteCriterionRow, insertCriterion, requireCriterion, updateCriterionRow } from './criteria.repository.ts';
import type { PlansDeps } from './deps.ts';
import { ruleBroken } from './rules.ts';
import { requireTask, touchTasks } from './tasks.repository.ts';
import { criterionToWords } from './words.ts';

/** Throws `not_found`, `rejected_by_policy` for a task that is done. */
export async function addCriterion(
  deps: PlansDeps,
  { taskId, description }: { readonly taskId: number; readonly description: string },
  context: CallContext,
) {
  return commitPlanChange(deps, context, async (trx, changes) => {
    const nowMs = deps.clock.now();
    const task = await requireTask(trx, context.userId, taskId);
    if (task.state === 'done') {
      throw ruleBroken('criteria', 'Cannot add criteria to a completed task.', { task_id: taskId });
    }
    const words = criterionToWords(await insertCriterion(trx, taskId, description, nowMs));
    await touchTasks(trx, [taskId], nowMs);
    const metadata = { task_id: taskId, plan_id: task.plan_id };
    changes.push({ kind: 'criterion', thingId: words.id, action: 'created', snapshot: words, metadata });
    return words;
  });
}

/** Changes what is given; nothing moves where that says what is so already. Throws `not_found`. */
export async function changeCriterion(
  deps: PlansDeps,
  given: { readonly id: number; readonly description?: string | undefined; readonly met?: boolean | undefined },
  context: CallContext,
) {
  return commitPlanChange(deps, context, async (trx, changes) => {
    const nowMs = deps.clock.now();
    const present = await requireCriterion(trx, context.userId, given.id);
    const before = { description: present.description, met: present.met === 1 };
    const after = { description: given.description ?? before.description, met: given.met ?? before.met };
    const differences = differencesOf(before, after);
    if (differences === null) return criterionToWords(present);
    const metAtMs = after.met ? (before.met ? present.met_at : nowMs) : null;
    const row = await updateCriterionRow(
      trx,
      given.id,
      { description: after.description, met: after.met ? 1 : 0, met_at: metAtMs },
      nowMs,
    );
    await touchTasks(trx, [row.task_id], nowMs);
    const metadata = { task_id: row.task_id };
    changes.push({ kind: 'criterion', thingId: row.id, action: 'updated', changes: differences, metadata });
    return criterionToWords(row);
  });
}

/** Throws `not_found`. */
export async function deleteCriterion(deps: PlansDeps, id: number, context: CallContext) {
  return commitPlanChange(deps, context, async (trx, changes) => {
    const { task_id } = await requireCriterion(trx, context.userId, id);
    await eraseChangeTexts(trx, 'criterion', id);
    await deleteCriterionRow(trx, id);
    await touchTasks(trx, [task_id], deps.clock.now());
    changes.push({ kind: 'criterion', thingId: id, action: 'deleted', metadata: { task_id } });
    return { success: true };
  });
}
