// Every SQL statement about acceptance criteria.
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import type { CriterionRow } from './tasks.repository.ts';

export async function criteriaOf(db: Queries, taskId: number): Promise<CriterionRow[]> {
  return db.selectFrom('criteria').selectAll().where('task_id', '=', taskId).orderBy('id').execute();
}

/** Throws `not_found` for a criterion that is not of a task of the user's. */
export async function requireCriterion(trx: Queries, userId: number, id: number): Promise<CriterionRow> {
  const row = await trx
    .selectFrom('criteria')
    .innerJoin('tasks', 'tasks.id', 'criteria.task_id')
    .selectAll('criteria')
    .where('criteria.id', '=', id)
    .where('tasks.user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) throw new LociError('not_found', `Criterion ${id} not found.`, { criterion_id: id });
  return row;
}

export async function insertCriterion(
  trx: Trx,
  taskId: number,
  description: string,
  nowMs: number,
): Promise<CriterionRow> {
  return trx
    .insertInto('criteria')
    .values({ task_id: taskId, description, met_at: null, created_at: nowMs, updated_at: nowMs })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateCriterionRow(
  trx: Trx,
  id: number,
  given: Pick<CriterionRow, 'description' | 'met' | 'met_at'>,
  nowMs: number,
): Promise<CriterionRow> {
  return trx
    .updateTable('criteria')
    .set({ ...given, updated_at: nowMs })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteCriterionRow(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('criteria').where('id', '=', id).execute();
}
