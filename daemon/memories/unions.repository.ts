// Which memories were united into which.
import type { Db, Trx } from '#daemon/storage/sqlite.ts';

export type UnitedBy = 'merge' | 'summary';

export async function recordUnion(
  trx: Trx,
  { heirId, memberIds, by }: { heirId: number; memberIds: readonly number[]; by: UnitedBy },
): Promise<void> {
  const rows = memberIds.map((member_id) => ({ heir_id: heirId, member_id, united_by: by }));
  await trx.insertInto('united_memories').values(rows).execute();
}

/** Ids of the memories that any of `ids` was united into, in order. */
export async function heirsOf(db: Db | Trx, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('united_memories')
    .select('heir_id')
    .distinct()
    .where('member_id', 'in', ids)
    .orderBy('heir_id')
    .execute();
  return rows.map((row) => row.heir_id);
}

/** What a memory unites, in order, and how its text came about. */
export async function unionOf(db: Db | Trx, heirId: number): Promise<{ memberIds: number[]; by: UnitedBy }> {
  const rows = await db
    .selectFrom('united_memories')
    .select(['member_id', 'united_by'])
    .where('heir_id', '=', heirId)
    .orderBy('member_id')
    .execute();
  return { memberIds: rows.map((row) => row.member_id), by: rows[0]?.united_by ?? 'merge' };
}
