import type { Db } from './sqlite.ts';

/** Memories of all users by status, from the counters that every write keeps. */
export async function memoryCounts(db: Db): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('memory_counts')
    .select((eb) => ['status', eb.fn.sum<number>('memories').as('memories')])
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, memories }) => [status, memories]));
}
