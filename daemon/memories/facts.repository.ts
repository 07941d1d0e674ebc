// Facts are memories under a category and a key.
import type { Queries } from '#daemon/storage/sqlite.ts';
import { withProjects } from './memories.repository.ts';
import type { Memory } from './memory.ts';

/** The active fact under a category and key, or null. */
export async function factByKey(db: Queries, userId: number, category: string, key: string): Promise<Memory | null> {
  const rows = await db
    .selectFrom('memories')
    .selectAll()
    .where('user_id', '=', userId)
    .where('category', '=', category)
    .where('key', '=', key)
    .where('status', '=', 'active')
    .execute();
  return [...(await withProjects(db, rows)).values()][0] ?? null;
}

/** Ids of every fact under a key, whatever its status: what `forget` erases. */
export async function factIds(db: Queries, userId: number, key: string, category: string | null): Promise<number[]> {
  let query = db.selectFrom('memories').select('id').where('user_id', '=', userId).where('key', '=', key);
  if (category !== null) query = query.where('category', '=', category);
  return (await query.orderBy('id').execute()).map((row) => row.id);
}

/** How many live facts each category holds and when the newest changed. */
export async function factCategoryCounts(
  db: Queries,
  userId: number,
  nowMs: number,
): Promise<{ category: string; facts: number; updatedAtMs: number }[]> {
  const rows = await db
    .selectFrom('memories')
    .select(['category', (eb) => eb.fn.countAll<number>().as('facts'), (eb) => eb.fn.max('updated_at').as('updated')])
    .where('user_id', '=', userId)
    .where('category', 'is not', null)
    .where('status', '=', 'active')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]))
    .groupBy('category')
    .orderBy('category')
    .execute();
  return rows.map((row) => ({
    category: row.category as string,
    facts: Number(row.facts),
    updatedAtMs: Number(row.updated),
  }));
}
