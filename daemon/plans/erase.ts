// What is deleted is erased: beside the rows, the texts in the log of changes and in stored answers. That it was there stays known.
import { sql } from 'kysely';
import { eraseChangeTexts } from '#daemon/storage/change-log.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { planContracts } from '#shared/contract/knowledge/plans.ts';
import { taskContracts } from '#shared/contract/knowledge/tasks.ts';

/** Erases the traces of a task and its criteria; call it while their rows are still there. */
export async function eraseTaskTraces(trx: Trx, taskId: number): Promise<void> {
  await eraseTexts(trx, [taskId]);
  await trx
    .deleteFrom('idempotent_answers')
    .where('operation', 'in', operations)
    .where(
      sql<boolean>`(json_extract(answer, '$.task_id') = ${taskId} OR json_extract(answer, '$.task.task_id') = ${taskId})`,
    )
    .execute();
}

/** Erases the traces of a plan and of all its tasks; call it while their rows are still there. */
export async function erasePlanTraces(trx: Trx, planId: number): Promise<void> {
  const tasks = await trx.selectFrom('tasks').select('id').where('plan_id', '=', planId).execute();
  await eraseTexts(
    trx,
    tasks.map(({ id }) => id),
  );
  await eraseChangeTexts(trx, 'plan', planId);
  await trx
    .deleteFrom('idempotent_answers')
    .where('operation', 'in', operations)
    .where(
      sql<boolean>`(json_extract(answer, '$.plan_id') = ${planId} OR json_extract(answer, '$.task.plan_id') = ${planId}
        OR CAST(json_extract(answer, '$.task_id') AS BIGINT) IN (SELECT id FROM tasks WHERE plan_id = ${planId}))`,
    )
    .execute();
}

/** Whose answers can hold words of a plan or a task. */
const operations = [...planContracts, ...taskContracts].map(({ name }) => name);

async function eraseTexts(trx: Trx, taskIds: readonly number[]): Promise<void> {
  for (const taskId of taskIds) {
    const criteria = await trx.selectFrom('criteria').select('id').where('task_id', '=', taskId).execute();
    for (const { id } of criteria) await eraseChangeTexts(trx, 'criterion', id);
    await eraseChangeTexts(trx, 'task', taskId);
  }
}
