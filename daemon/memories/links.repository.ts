// Links between memories: one row a pair, the smaller id first, read from both ends.
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { MemoryRow } from '#daemon/storage/tables/memories.ts';

/** Links a memory to others; answers the ids that were not linked before. */
export async function addLinks(
  trx: Trx,
  given: {
    userId: number;
    sourceId: number;
    targetIds: readonly number[];
    origin: 'manual' | 'automatic';
    nowMs: number;
  },
): Promise<number[]> {
  const added: number[] = [];
  for (const targetId of given.targetIds) {
    const [low, high] = ordered(given.sourceId, targetId);
    const result = await trx
      .insertInto('memory_links')
      .values({ user_id: given.userId, source_id: low, target_id: high, origin: given.origin, created_at: given.nowMs })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if ((result.numInsertedOrUpdatedRows ?? 0n) > 0n) added.push(targetId);
  }
  return added;
}

/** Removes the link of a pair, whichever way it was made; answers whether there was one. */
export async function removeLink(trx: Trx, a: number, b: number): Promise<boolean> {
  const [low, high] = ordered(a, b);
  const result = await trx
    .deleteFrom('memory_links')
    .where('source_id', '=', low)
    .where('target_id', '=', high)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Active neighbours of memories, most important first, as (memory, neighbour) pairs; at most `perMemory` each. */
export async function neighboursOf(
  db: Queries,
  userId: number,
  ids: readonly number[],
  options: { perMemory: number; projectIds: readonly number[] | null },
): Promise<{ from: number; to: number }[]> {
  if (ids.length === 0 || options.perMemory === 0) return [];
  const pairs: { from: number; to: number }[] = [];
  const seen = new Map<number, number>();
  for (const row of await neighbourRows(db, userId, ids, options.projectIds)) {
    for (const [from, to, status] of [
      [row.source_id, row.target_id, row.target_status],
      [row.target_id, row.source_id, row.source_status],
    ] as const) {
      if (!ids.includes(from) || status !== 'active') continue;
      pairs.push({ from, to });
    }
    seen.set(row.source_id, row.source_importance);
    seen.set(row.target_id, row.target_importance);
  }
  pairs.sort((a, b) => (seen.get(b.to) ?? 0) - (seen.get(a.to) ?? 0) || a.to - b.to);
  const counts = new Map<number, number>();
  return pairs.filter(({ from }) => {
    const count = (counts.get(from) ?? 0) + 1;
    counts.set(from, count);
    return count <= options.perMemory;
  });
}

type NeighbourRow = {
  source_id: number;
  target_id: number;
  source_status: MemoryRow['status'];
  target_status: MemoryRow['status'];
  source_importance: number;
  target_importance: number;
};

async function neighbourRows(
  db: Queries,
  userId: number,
  ids: readonly number[],
  projectIds: readonly number[] | null,
): Promise<NeighbourRow[]> {
  let query = db
    .selectFrom('memory_links as link')
    .innerJoin('memories as source', 'source.id', 'link.source_id')
    .innerJoin('memories as target', 'target.id', 'link.target_id')
    .select([
      'link.source_id',
      'link.target_id',
      'source.status as source_status',
      'target.status as target_status',
      'source.importance as source_importance',
      'target.importance as target_importance',
    ])
    .where('link.user_id', '=', userId)
    .where((eb) => eb.or([eb('link.source_id', 'in', ids), eb('link.target_id', 'in', ids)]));
  if (projectIds !== null) {
    const inProject = db.selectFrom('memory_projects').select('memory_id').where('project_id', 'in', projectIds);
    query = query.where('link.source_id', 'in', inProject).where('link.target_id', 'in', inProject);
  }
  return query.execute();
}

function ordered(a: number, b: number): [number, number] {
  return a < b ? [a, b] : [b, a];
}

/** Links everything that `fromIds` are linked to (each other aside) with `toId` as well; the links of `fromIds` stay. */
export async function inheritLinks(
  trx: Trx,
  { userId, fromIds, toId, nowMs }: { userId: number; fromIds: readonly number[]; toId: number; nowMs: number },
): Promise<void> {
  const links = await trx
    .selectFrom('memory_links')
    .select(['source_id', 'target_id', 'origin'])
    .where((eb) => eb.or([eb('source_id', 'in', fromIds), eb('target_id', 'in', fromIds)]))
    .orderBy('source_id')
    .orderBy('target_id')
    .execute();
  for (const { source_id, target_id, origin } of links) {
    const other = fromIds.includes(source_id) ? target_id : source_id;
    if (fromIds.includes(other) || other === toId) continue;
    await trx
      .insertInto('memory_links')
      .values({
        user_id: userId,
        source_id: Math.min(other, toId),
        target_id: Math.max(other, toId),
        origin,
        created_at: nowMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
