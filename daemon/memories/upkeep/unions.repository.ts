// Which memories were united into which. What was united here is written down; of what was imported the history of the originals tells it.
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';

/** `hand`: the heir was a memory before, and took the others over. */
export type UnitedBy = 'merge' | 'summary' | 'hand';

export async function recordUnion(
  trx: Trx,
  { heirId, memberIds, by }: { heirId: number; memberIds: readonly number[]; by: UnitedBy },
): Promise<void> {
  const rows = memberIds.map((member_id) => ({ heir_id: heirId, member_id, united_by: by }));
  await trx
    .insertInto('united_memories')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Ids of the memories that any of `ids` was united into, in order. */
export async function heirsOf(db: Queries, ids: readonly number[]): Promise<number[]> {
  const known = await db
    .selectFrom('united_memories')
    .select('heir_id as heir')
    .distinct()
    .where('member_id', 'in', ids)
    .execute();
  const imported = await archivedIntoOthers(db).where('memories.id', 'in', ids).execute();
  return [...new Set([...known, ...imported].map((row) => row.heir as number))].sort((a, b) => a - b);
}

/** What a memory unites, in order, and how its text came about; null where nobody wrote that down. */
export async function unionOf(db: Queries, heirId: number): Promise<{ memberIds: number[]; by: UnitedBy | null }> {
  const known = await db
    .selectFrom('united_memories')
    .select(['member_id as member', 'united_by as by'])
    .where('heir_id', '=', heirId)
    .execute();
  const imported = await archivedIntoOthers(db).where('memories.superseded_by', '=', heirId).execute();
  const memberIds = [...new Set([...known, ...imported].map((row) => row.member))].sort((a, b) => a - b);
  return { memberIds, by: known[0]?.by ?? null };
}

/** Memories that consolidation archived in favour of another, as their history says. */
function archivedIntoOthers(db: Queries) {
  return db
    .selectFrom('memories')
    .select(['memories.id as member', 'memories.superseded_by as heir'])
    .where('memories.superseded_by', 'is not', null)
    .where('memories.status', '=', 'archived')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('memory_history')
          .select('memory_history.memory_id')
          .whereRef('memory_history.memory_id', '=', 'memories.id')
          .where('memory_history.action', '=', 'consolidated'),
      ),
    );
}
