// What is deleted is erased: beside the rows, the texts in the log of changes and in stored answers. That it was there stays known.
import { forgetAnswers } from '#daemon/storage/answers.ts';
import { eraseChangeTexts } from '#daemon/storage/change-log.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';

/** Erases the traces of tasks and their criteria; call it while their rows are still there. */
export async function eraseTaskTraces(trx: Trx, taskIds: readonly number[]): Promise<void> {
  for (const taskId of taskIds) {
    const criteria = await trx.selectFrom('criteria').select('id').where('task_id', '=', taskId).execute();
    for (const { id } of criteria) await eraseChangeTexts(trx, 'criterion', id);
    await eraseChangeTexts(trx, 'task', taskId);
    await forgetAnswers(trx, taskId);
  }
}

/** Erases the traces of a plan and of all its tasks. */
export async function erasePlanTraces(trx: Trx, planId: number): Promise<void> {
  const tasks = await trx.selectFrom('tasks').select('id').where('plan_id', '=', planId).execute();
  await eraseTaskTraces(
    trx,
    tasks.map(({ id }) => id),
  );
  await eraseChangeTexts(trx, 'plan', planId);
  await forgetAnswers(trx, planId);
}
