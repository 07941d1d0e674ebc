// Every SQL statement about which task waits for which. An edge is added only where the statement that adds it finds no way back:
// two edges that would close a cycle together can be asked for at once, and the second finds the first.
import { type Selectable, sql } from 'kysely';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { TaskDependenciesTable } from '#daemon/storage/tables/plans.ts';

export type DependencyRow = Selectable<TaskDependenciesTable>;

export type Edge = { readonly taskId: number; readonly dependsOnId: number };

/** The ids a task waits for, in the order in which they were given. */
export async function dependencyIds(db: Queries, taskId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('task_dependencies')
    .select('depends_on_id')
    .where('task_id', '=', taskId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.depends_on_id);
}

/** The ids of the tasks that wait for a task. */
export async function dependentIds(db: Queries, taskId: number): Promise<number[]> {
  const rows = await db.selectFrom('task_dependencies').select('task_id').where('depends_on_id', '=', taskId).execute();
  return rows.map((row) => row.task_id);
}

export async function dependencyOf(db: Queries, { taskId, dependsOnId }: Edge): Promise<DependencyRow | null> {
  const row = await db
    .selectFrom('task_dependencies')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('depends_on_id', '=', dependsOnId)
    .executeTakeFirst();
  return row ?? null;
}

/** Edges of a task that was just made: nobody waits for it yet, so none of them can close a cycle. */
export async function insertFirstDependencies(
  trx: Trx,
  taskId: number,
  dependsOnIds: readonly number[],
  nowMs: number,
): Promise<void> {
  for (const id of dependsOnIds) {
    await trx
      .insertInto('task_dependencies')
      .values({ task_id: taskId, depends_on_id: id, created_at: nowMs })
      .execute();
  }
}

/** Adds an edge unless it would close a cycle; answers null then. The walk is done only where somebody waits for the task at all. */
export async function insertDependency(
  trx: Trx,
  { taskId, dependsOnId }: Edge,
  nowMs: number,
): Promise<DependencyRow | null> {
  const { rows } = await sql<DependencyRow>`
    INSERT INTO task_dependencies (task_id, depends_on_id, created_at)
    SELECT CAST(${taskId} AS BIGINT), CAST(${dependsOnId} AS BIGINT), CAST(${nowMs} AS BIGINT)
    WHERE NOT EXISTS (SELECT 1 FROM task_dependencies WHERE depends_on_id = ${taskId})
      OR ${taskId} NOT IN (
        WITH RECURSIVE reached(id) AS (
          SELECT CAST(${dependsOnId} AS BIGINT)
          UNION
          SELECT edge.depends_on_id FROM task_dependencies AS edge JOIN reached ON edge.task_id = reached.id
        )
        SELECT id FROM reached
      )
    RETURNING *`.execute(trx);
  return rows[0] ?? null;
}

export async function deleteDependency(trx: Trx, { taskId, dependsOnId }: Edge): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('task_dependencies')
    .where('task_id', '=', taskId)
    .where('depends_on_id', '=', dependsOnId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** A shortest chain of dependencies from one task to another, both included; empty when there is none. */
export async function pathBetween(trx: Trx, planId: number, fromId: number, toId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('task_dependencies')
    .innerJoin('tasks', 'tasks.id', 'task_dependencies.task_id')
    .select(['task_dependencies.task_id', 'task_dependencies.depends_on_id'])
    .where('tasks.plan_id', '=', planId)
    .execute();
  const next = new Map<number, number[]>();
  for (const { task_id, depends_on_id } of rows) next.set(task_id, [...(next.get(task_id) ?? []), depends_on_id]);
  const cameFrom = new Map<number, number | null>([[fromId, null]]);
  const queue = [fromId];
  for (const at of queue) {
    for (const id of next.get(at) ?? []) {
      if (cameFrom.has(id)) continue;
      cameFrom.set(id, at);
      queue.push(id);
    }
  }
  const path: number[] = [];
  for (let at = cameFrom.has(toId) ? toId : null; at !== null; at = cameFrom.get(at) ?? null) path.push(at);
  return path.reverse();
}
