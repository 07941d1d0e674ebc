// The audit of what was put into which context: ids alone, kept as long as the log of activity.
import type { Db, Trx } from '#daemon/storage/sqlite.ts';

export type Injected = {
  readonly userId: number;
  readonly occasion: 'recall' | 'recap';
  readonly agent: string | null;
  readonly session: string | null;
  readonly folder: string | null;
  readonly nowMs: number;
};

export async function keepInjections(trx: Trx, at: Injected, memoryIds: readonly number[]): Promise<void> {
  if (memoryIds.length === 0) return;
  const { userId, occasion, agent, session, folder, nowMs } = at;
  const row = { user_id: userId, occasion, agent, session, folder, injected_at: nowMs };
  await trx
    .insertInto('injections')
    .values(memoryIds.map((memory_id) => ({ ...row, memory_id })))
    .execute();
}

export type InjectionFilter = {
  readonly userId: number;
  readonly memoryId: number | null;
  readonly session: string | null;
  readonly limit: number;
  readonly offset: number;
};

/** Newest first. */
export async function injectionPage(db: Db, { userId, memoryId, session, limit, offset }: InjectionFilter) {
  let wanted = db.selectFrom('injections').where('user_id', '=', userId);
  if (memoryId !== null) wanted = wanted.where('memory_id', '=', memoryId);
  if (session !== null) wanted = wanted.where('session', '=', session);
  const rows = await wanted.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  const { total } = await wanted.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}
