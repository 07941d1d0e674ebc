// Every SQL statement about tasks, criteria and dependencies. Whoever changes a task asks the row itself, in the statement that
// changes it, whether it is still what the caller read: no answer of an earlier query decides who wins.
import { type Selectable, sql } from 'kysely';
import { newUid } from '#daemon/kernel/ids.ts';
import type { Db, Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { CriteriaTable, TasksTable } from '#daemon/storage/tables/plans.ts';
import type { TaskState } from '#shared/contract/knowledge/tasks.ts';
import { LociError } from '#shared/errors.ts';
import type { Provenance } from './provenance.ts';
import { waysTo } from './rules.ts';

export type TaskRow = Selectable<TasksTable>;
export type CriterionRow = Selectable<CriteriaTable>;

/** What a caller may set beside the state. */
export type TaskDraft = {
  readonly title: string;
  readonly description: string | null;
  readonly priority: string;
  readonly assigned_agent: string | null;
  readonly provenance: Provenance;
};

/** Throws `not_found` for an id that is not the user's. */
export async function requireTask(db: Queries, userId: number, id: number): Promise<TaskRow> {
  const task = await db
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (task === undefined) throw new LociError('not_found', `Task ${id} not found.`, { task_id: id });
  return task;
}

export async function tasksByIds(db: Queries, userId: number, ids: readonly number[]): Promise<Map<number, TaskRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('tasks').selectAll().where('user_id', '=', userId).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function insertTask(
  trx: Trx,
  given: { userId: number; planId: number; draft: TaskDraft; nowMs: number },
): Promise<TaskRow> {
  return trx
    .insertInto('tasks')
    .values({
      uid: newUid(given.nowMs),
      user_id: given.userId,
      plan_id: given.planId,
      ...given.draft,
      provenance: JSON.stringify(given.draft.provenance),
      lease_expires_at: null,
      created_at: given.nowMs,
      updated_at: given.nowMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Null when the version is no longer the one given. */
export async function updateTaskRow(trx: Trx, task: TaskRow, draft: TaskDraft, nowMs: number): Promise<TaskRow | null> {
  const row = await trx
    .updateTable('tasks')
    .set({
      ...draft,
      provenance: JSON.stringify(draft.provenance),
      version: sql`version + 1`,
      updated_at: nowMs,
    })
    .where('id', '=', task.id)
    .where('version', '=', task.version)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export type Move = {
  readonly userId: number;
  readonly taskId: number;
  readonly to: TaskState;
  readonly version: number;
  /** For a claim: who takes it, and until when. */
  readonly claim?: { readonly agent: string; readonly leaseExpiresAtMs: number | null };
  readonly nowMs: number;
};

/**
 * Moves a task in one statement that asks for the version, the way there and what that way needs. Null when one of them does not
 * hold: of many that try at once the database lets one through.
 */
export async function moveTask(trx: Trx, move: Move): Promise<TaskRow | null> {
  const ways = waysTo(move.to);
  let statement = trx
    .updateTable('tasks')
    .set({
      state: move.to,
      lease_expires_at: move.claim?.leaseExpiresAtMs ?? null,
      ...(move.claim === undefined ? {} : { assigned_agent: move.claim.agent }),
      version: sql`version + 1`,
      updated_at: move.nowMs,
    })
    .where('id', '=', move.taskId)
    .where('user_id', '=', move.userId)
    .where('version', '=', move.version)
    .where(
      'state',
      'in',
      ways.map(({ from }) => from),
    );
  if (ways.some(({ needs }) => needs === 'dependencies')) statement = statement.where('unmet', '=', 0);
  if (ways.some(({ needs }) => needs === 'criteria')) {
    statement = statement.where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM criteria WHERE criteria.task_id = tasks.id AND criteria.met = 0)`,
    );
  }
  return (await statement.returningAll().executeTakeFirst()) ?? null;
}

/** Claims the most urgent ready task of a plan that is free for the agent, in one statement; null when there is none. */
export async function claimReadyTask(
  trx: Trx,
  claim: { userId: number; planId: number; agent: string; leaseExpiresAtMs: number | null; nowMs: number },
): Promise<TaskRow | null> {
  const best = trx
    .selectFrom('tasks')
    .select('id')
    .where('plan_id', '=', claim.planId)
    .where('user_id', '=', claim.userId)
    // literals, so that SQLite can prove that the partial index covers the question
    .where(sql<boolean>`state = 'todo' AND unmet = 0`)
    .where((eb) => eb.or([eb('assigned_agent', 'is', null), eb('assigned_agent', '=', claim.agent)]))
    .orderBy('priority')
    .orderBy('id')
    .limit(1);
  const row = await trx
    .updateTable('tasks')
    .set({
      state: 'doing',
      assigned_agent: claim.agent,
      lease_expires_at: claim.leaseExpiresAtMs,
      version: sql`version + 1`,
      updated_at: claim.nowMs,
    })
    .where('id', '=', best)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Prolongs the lease of a task that the agent holds; null when it does not hold it. */
export async function renewLease(
  trx: Trx,
  given: { userId: number; taskId: number; agent: string; leaseExpiresAtMs: number; nowMs: number },
): Promise<TaskRow | null> {
  const row = await trx
    .updateTable('tasks')
    .set({ lease_expires_at: given.leaseExpiresAtMs, version: sql`version + 1`, updated_at: given.nowMs })
    .where('id', '=', given.taskId)
    .where('user_id', '=', given.userId)
    .where('state', '=', 'doing')
    .where('assigned_agent', '=', given.agent)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function hasExpiredLeases(db: Db, userId: number, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .select('id')
    .where('lease_expires_at', '<=', nowMs)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Puts every task whose lease has run out back to `todo`; answers them as they were held. */
export async function releaseExpired(trx: Trx, userId: number, nowMs: number): Promise<TaskRow[]> {
  const expired = await trx
    .selectFrom('tasks')
    .selectAll()
    .where('lease_expires_at', '<=', nowMs)
    .where('user_id', '=', userId)
    .execute();
  for (const { id } of expired) {
    await trx
      .updateTable('tasks')
      .set({
        state: 'todo',
        assigned_agent: null,
        lease_expires_at: null,
        version: sql`version + 1`,
        updated_at: nowMs,
      })
      .where('id', '=', id)
      .execute();
  }
  return expired;
}

/** Adds 1 to the version of tasks because something that belongs to them changed. */
export async function touchTasks(trx: Trx, ids: readonly number[], nowMs: number): Promise<void> {
  if (ids.length === 0) return;
  await trx.updateTable('tasks').set({ version: sql`version + 1`, updated_at: nowMs }).where('id', 'in', ids).execute();
}

export async function deleteTaskRow(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('tasks').where('id', '=', id).execute();
}

export type TaskFilter = {
  readonly planId: number;
  readonly state?: string | undefined;
  readonly priority?: string | undefined;
  readonly agent?: string | undefined;
  readonly limit: number;
  readonly offset: number;
};

export type CountedTask = TaskRow & { readonly criteria_met: number; readonly criteria_total: number };

/** A page of a plan's tasks, the most urgent first, and how many there are. */
export async function findTasks(db: Queries, filter: TaskFilter): Promise<{ tasks: CountedTask[]; total: number }> {
  let matching = db.selectFrom('tasks').where('plan_id', '=', filter.planId);
  if (filter.state !== undefined) matching = matching.where('state', '=', filter.state);
  if (filter.priority !== undefined) matching = matching.where('priority', '=', filter.priority);
  if (filter.agent !== undefined) matching = matching.where('assigned_agent', '=', filter.agent);
  const tasks = await matching
    .selectAll()
    .select([
      sql<number>`(SELECT count(*) FROM criteria WHERE criteria.task_id = tasks.id AND met = 1)`.as('criteria_met'),
      sql<number>`(SELECT count(*) FROM criteria WHERE criteria.task_id = tasks.id)`.as('criteria_total'),
    ])
    .orderBy('priority')
    .orderBy('id')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { tasks, total };
}

/** How many tasks of a plan are in each state, and how many of those are blocked. */
export async function countTasks(
  db: Queries,
  planId: number,
): Promise<Map<string, { total: number; blocked: number }>> {
  const rows = await db
    .selectFrom('tasks')
    .select(['state', sql<number>`count(*)`.as('total'), sql<number>`count(*) FILTER (WHERE unmet > 0)`.as('blocked')])
    .where('plan_id', '=', planId)
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, total, blocked }) => [state, { total, blocked }]));
}

/** Tasks of a plan that are `todo` and wait for others. */
export async function countBlocked(db: Queries, planId: number): Promise<number> {
  const { blocked } = await db
    .selectFrom('tasks')
    .select((eb) => eb.fn.countAll<number>().as('blocked'))
    .where('plan_id', '=', planId)
    .where('state', '=', 'todo')
    .where('unmet', '>', 0)
    .executeTakeFirstOrThrow();
  return blocked;
}
