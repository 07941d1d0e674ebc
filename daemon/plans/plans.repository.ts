// Every SQL statement about plans themselves; tasks.repository.ts has those about tasks.
import { type Selectable, sql } from 'kysely';
import { newUid } from '#daemon/kernel/ids.ts';
import type { Database, Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { PlansTable } from '#daemon/storage/tables/plans.ts';
import { countThings } from '#daemon/storage/thing-counts.ts';
import type { PlanStatus } from '#shared/contract/knowledge/plans.ts';
import { LociError } from '#shared/errors.ts';
import type { Provenance } from './provenance.ts';
import { settledStates } from './rules.ts';

/** What a caller may set. */
export type PlanDraft = {
  readonly title: string;
  readonly goal: string | null;
  readonly context: string | null;
  readonly status: PlanStatus;
  readonly external_ref: string | null;
  readonly provenance: Provenance;
};

export type PlanRow = Selectable<PlansTable>;
export type CountedPlan = PlanRow & { readonly task_count: number };

const taskCount = sql<number>`(SELECT count(*) FROM tasks WHERE tasks.plan_id = plans.id)`.as('task_count');

/** Throws `not_found` for an id that is not the user's. */
export async function requirePlan(db: Queries, userId: number, id: number): Promise<CountedPlan> {
  const plan = await db
    .selectFrom('plans')
    .selectAll()
    .select(taskCount)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (plan === undefined) throw planMissing(id);
  return plan;
}

/** The same without reading the plan. */
export async function requirePlanId(db: Queries, userId: number, id: number): Promise<void> {
  const found = await db
    .selectFrom('plans')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (found === undefined) throw planMissing(id);
}

function planMissing(id: number): LociError {
  return new LociError('not_found', `Plan ${id} not found.`, { plan_id: id });
}

export async function insertPlan(
  trx: Trx,
  given: { userId: number; projectId: number; draft: PlanDraft; nowMs: number },
): Promise<PlanRow> {
  const { userId, projectId, draft, nowMs } = given;
  await refuseTwin(trx, userId, draft.external_ref, null);
  return trx
    .insertInto('plans')
    .values({
      uid: newUid(nowMs),
      user_id: userId,
      project_id: projectId,
      ...draftToRow(draft),
      created_at: nowMs,
      updated_at: nowMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updatePlanRow(trx: Trx, plan: PlanRow, draft: PlanDraft, nowMs: number): Promise<PlanRow> {
  await refuseTwin(trx, plan.user_id, draft.external_ref, plan.id);
  return trx
    .updateTable('plans')
    .set({ ...draftToRow(draft), updated_at: nowMs })
    .where('id', '=', plan.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function draftToRow(draft: PlanDraft) {
  return { ...draft, provenance: JSON.stringify(draft.provenance) };
}

/** The database keeps references unique, and no other change runs beside this one: who looks first can name the plan that holds it. */
async function refuseTwin(trx: Trx, userId: number, ref: string | null, planId: number | null): Promise<void> {
  if (ref === null) return;
  const holder = await trx
    .selectFrom('plans')
    .select('id')
    .where('user_id', '=', userId)
    .where('external_ref', '=', ref)
    .executeTakeFirst();
  if (holder === undefined || holder.id === planId) return;
  throw new LociError(
    'conflict',
    'A plan with this external_ref already exists. Use list_plans with external_ref to find it.',
    { external_ref: ref, plan_id: holder.id },
  );
}

export type PlanFilter = {
  readonly userId: number;
  readonly projectId?: number | undefined;
  readonly status?: PlanStatus | undefined;
  readonly externalRef?: string | undefined;
  readonly limit: number;
  readonly offset: number;
};

/** A page of plans, newest first, and how many there are. */
export async function findPlans(
  { db, scans }: Pick<Database, 'db' | 'scans'>,
  filter: PlanFilter,
): Promise<{ plans: CountedPlan[]; total: number }> {
  const isPlain = [filter.projectId, filter.status, filter.externalRef].every((wanted) => wanted === undefined);
  let matching = (isPlain ? db : scans).selectFrom('plans').where('user_id', '=', filter.userId);
  if (filter.projectId !== undefined) matching = matching.where('project_id', '=', filter.projectId);
  if (filter.status !== undefined) matching = matching.where('status', '=', filter.status);
  if (filter.externalRef !== undefined) matching = matching.where('external_ref', '=', filter.externalRef);
  const plans = await matching
    .selectAll()
    .select(taskCount)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  if (isPlain) return { plans, total: await countThings(db, filter.userId, 'plan') };
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { plans, total };
}

/** Removes a plan with everything in it. */
export async function deletePlanRow(trx: Trx, id: number): Promise<void> {
  const tasks = trx.selectFrom('tasks').select('id').where('plan_id', '=', id);
  await trx.deleteFrom('task_dependencies').where('task_id', 'in', tasks).execute();
  await trx.deleteFrom('tasks').where('plan_id', '=', id).execute();
  await trx.deleteFrom('plans').where('id', '=', id).execute();
}

/** Whether an active plan has tasks, all of them settled and one of them done. */
export async function isPlanFinished(trx: Trx, id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('plans')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tasks').select('id').whereRef('plan_id', '=', 'plans.id').where('state', 'not in', settledStates),
        ),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('tasks').select('id').whereRef('plan_id', '=', 'plans.id').where('state', '=', 'done')),
    )
    .executeTakeFirst();
  return row !== undefined;
}
