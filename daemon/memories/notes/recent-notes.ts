// Lists of notes by time or importance. Paged with a total, from indexes alone: ten rows cost the same at a thousand and at a hundred thousand.
import { sql } from 'kysely';
import { foldCase } from '#daemon/storage/fold-case.ts';
import type { Database, Db } from '#daemon/storage/sqlite.ts';
import { memoriesByIds } from '../memories.repository.ts';
import type { Memory } from '../memory.ts';

export type RecentFilter = {
  readonly userId: number;
  /** Also what is archived, obsolete or past its expiry. */
  readonly includeObsolete: boolean;
  readonly nowMs: number;
  readonly projectIds: readonly number[] | null;
  /** Any of these, compared case-folded. */
  readonly tags: readonly string[];
  readonly importanceFrom: number;
  readonly createdSinceMs: number | null;
  readonly sortBy: 'created_at' | 'updated_at' | 'importance';
  readonly ascending: boolean;
  readonly limit: number;
  readonly offset: number;
};

/** One page, and how many there are in all. */
export async function recentNotes(
  { db, scans }: Pick<Database, 'db' | 'scans'>,
  filter: RecentFilter,
): Promise<{ memories: Memory[]; total: number }> {
  const direction = filter.ascending ? 'asc' : 'desc';
  const isByTime = isPlain(filter) && filter.sortBy !== 'importance';
  const rows = await filtered(isByTime ? db : scans, filter)
    .select('memories.id')
    .orderBy(`memories.${filter.sortBy}`, direction)
    .orderBy('memories.id', direction)
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  const ids = rows.map((row) => row.id);
  const memories = await memoriesByIds(db, filter.userId, ids);
  return {
    memories: ids.flatMap((id) => memories.get(id) ?? []),
    total: await totalOf(isPlain(filter) ? db : scans, filter),
  };
}

async function totalOf(db: Db, filter: RecentFilter): Promise<number> {
  if (isPlain(filter)) {
    const rows = await db
      .selectFrom('memory_counts')
      .select(['status', 'memories'])
      .where('user_id', '=', filter.userId)
      .where('status', 'in', filter.includeObsolete ? ['active', 'archived', 'obsolete'] : ['active'])
      .execute();
    const counted = rows.reduce((sum, row) => sum + row.memories, 0);
    return filter.includeObsolete ? counted : counted - (await expiredOf(db, filter));
  }
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** Active by their status and past their expiry: few, and by an index of their own. */
async function expiredOf(db: Db, { userId, nowMs }: RecentFilter): Promise<number> {
  const row = await db
    .selectFrom('memories')
    .select((eb) => eb.fn.countAll<number>().as('expired'))
    .where('expires_at', '<=', nowMs)
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow();
  return Number(row.expired);
}

/** Nothing but the status decides: then the counters know the total. */
function isPlain({ projectIds, tags, importanceFrom, createdSinceMs }: RecentFilter): boolean {
  return projectIds === null && tags.length === 0 && importanceFrom <= 1 && createdSinceMs === null;
}

function filtered(db: Db, filter: RecentFilter) {
  let query = db.selectFrom('memories').where('memories.user_id', '=', filter.userId);
  query = filter.includeObsolete
    ? query.where('memories.status', 'in', ['active', 'archived', 'obsolete'])
    : query
        .where('memories.status', '=', 'active')
        .where((eb) => eb.or([eb('memories.expires_at', 'is', null), eb('memories.expires_at', '>', filter.nowMs)]));
  if (filter.projectIds !== null) {
    const { projectIds } = filter;
    query = query.where('memories.id', 'in', (eb) =>
      eb.selectFrom('memory_projects').select('memory_id').where('project_id', 'in', projectIds),
    );
  }
  if (filter.importanceFrom > 1) query = query.where('memories.importance', '>=', filter.importanceFrom);
  if (filter.createdSinceMs !== null) query = query.where('memories.created_at', '>=', filter.createdSinceMs);
  if (filter.tags.length > 0) {
    const wanted = filter.tags.map(foldCase);
    query = query.where(
      sql<boolean>`exists (select 1 from json_each(memories.tags) where fold_case(json_each.value) in (${sql.join(wanted)}))`,
    );
  }
  return query;
}
