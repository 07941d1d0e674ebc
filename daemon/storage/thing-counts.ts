import type { countedTables } from './migrations/0012-list-totals.ts';
import type { Queries } from './sqlite.ts';

export type CountedKind = keyof typeof countedTables;

/** How many things of a kind a user has, from the counters that every write keeps. */
export async function countThings(db: Queries, userId: number, kind: CountedKind): Promise<number> {
  const row = await db
    .selectFrom('thing_counts')
    .select('things')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.things ?? 0;
}
