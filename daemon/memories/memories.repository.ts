// The SQL statements of memories by their ids; facts and memories of one text have files of their own (facts.repository.ts, twins.repository.ts).
// Takes and gives records; decides nothing.
import { sql } from 'kysely';
import { newUid } from '#daemon/kernel/ids.ts';
import { projectIdsByMemory } from '#daemon/storage/memory-projects.ts';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { MemoryRow } from '#daemon/storage/tables/memories.ts';
import type { Memory, MemoryDraft } from './memory.ts';
import { draftToColumns, rowToMemory } from './memory-rows.ts';

/** Adds a memory with its projects (the first is the primary one); answers it as stored. */
export async function insertMemory(
  trx: Trx,
  given: {
    draft: MemoryDraft;
    userId: number;
    projectIds: readonly number[];
    nowMs: number;
    uid?: string;
    createdAtMs?: number;
    /** What a union takes over from its members; 0 when absent. */
    accessCount?: number;
  },
): Promise<Memory> {
  const columns = {
    ...draftToColumns(given.draft),
    uid: given.uid ?? newUid(given.nowMs),
    user_id: given.userId,
    primary_project_id: given.projectIds[0] ?? null,
    created_at: given.createdAtMs ?? given.nowMs,
    updated_at: given.nowMs,
    access_count: given.accessCount ?? 0,
  };
  const row = await trx.insertInto('memories').values(columns).returningAll().executeTakeFirstOrThrow();
  await setProjects(trx, row.id, given.projectIds);
  return rowToMemory(row, given.projectIds);
}

/** Overwrites what a draft decides. `updatedAtMs` moves the time of change; `grow` adds one to the rev. */
export async function updateMemory(
  trx: Trx,
  before: Memory,
  given: { draft: MemoryDraft; projectIds: readonly number[]; updatedAtMs: number; grow: boolean },
): Promise<Memory> {
  const { provenance_class: ofWriter, ...columns } = draftToColumns(given.draft);
  const row = await trx
    .updateTable('memories')
    .set({
      ...columns,
      // a text that came from elsewhere is no agent's word because an agent put a label on it or added a sentence
      ...(given.draft.content.includes(before.content) ? {} : { provenance_class: ofWriter }),
      primary_project_id: given.projectIds[0] ?? null,
      obsoleted_at: given.draft.status === 'obsolete' ? sql`coalesce(obsoleted_at, ${given.updatedAtMs})` : null,
      updated_at: given.updatedAtMs,
      rev: before.rev + (given.grow ? 1 : 0),
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (!sameIds(before.projectIds, given.projectIds)) {
    await trx.deleteFrom('memory_projects').where('memory_id', '=', before.id).execute();
    await setProjects(trx, before.id, given.projectIds);
  }
  return rowToMemory(row, given.projectIds);
}

/** A memory that was made of others is trusted no more than the least trusted of them. */
export async function inheritProvenanceClass(trx: Trx, heirId: number, fromIds: readonly number[]): Promise<void> {
  const lesser = await trx
    .selectFrom('memories')
    .select('provenance_class')
    .where('id', 'in', [...fromIds])
    .where('provenance_class', 'not in', ['user', 'agent'])
    .limit(1)
    .executeTakeFirst();
  if (lesser === undefined) return;
  await trx.updateTable('memories').set(lesser).where('id', '=', heirId).execute();
}

async function setProjects(trx: Trx, memoryId: number, projectIds: readonly number[]): Promise<void> {
  if (projectIds.length === 0) return;
  await trx
    .insertInto('memory_projects')
    .values(projectIds.map((project_id, position) => ({ memory_id: memoryId, project_id, position })))
    .execute();
}

/** A user's memory whatever its status, or null. */
export async function memoryById(db: Queries, userId: number, id: number): Promise<Memory | null> {
  return (await memoriesByIds(db, userId, [id])).get(id) ?? null;
}

/** For background work that serves every user. */
export async function memoryByAnyUser(db: Queries, id: number): Promise<Memory | null> {
  const rows = await db.selectFrom('memories').selectAll().where('id', '=', id).execute();
  return (await withProjects(db, rows)).get(id) ?? null;
}

/** A user's memories by id, in one query for the rows and one for their projects. */
export async function memoriesByIds(db: Queries, userId: number, ids: readonly number[]): Promise<Map<number, Memory>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('memories').selectAll().where('id', 'in', ids).execute();
  return withProjects(db, ofUser(rows, userId));
}

/** What ranking weighs of a memory: a search reads it of fifty, and whole rows only of the few that it shows. */
export type Standing = Pick<
  Memory,
  'id' | 'status' | 'confidence' | 'accessCount' | 'createdAtMs' | 'lastAccessedAtMs' | 'expiresAtMs'
>;

/** The standing of a user's memories by id. */
export async function standingsByIds(
  db: Queries,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, Standing>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('memories')
    .select(['id', 'status', 'confidence', 'access_count', 'created_at', 'last_accessed_at', 'expires_at'])
    .select('user_id')
    .where('id', 'in', ids)
    .execute();
  const standings = ofUser(rows, userId).map(
    (row): Standing => ({
      id: row.id,
      status: row.status as Standing['status'],
      confidence: row.confidence,
      accessCount: row.access_count,
      createdAtMs: row.created_at,
      lastAccessedAtMs: row.last_accessed_at,
      expiresAtMs: row.expires_at,
    }),
  );
  return new Map(standings.map((standing) => [standing.id, standing]));
}

/** Asked for in SQL, the user would lead the planner to read an index of all that the user has (20 ms at 100,000) to find five ids. */
function ofUser<Row extends { readonly user_id: number }>(rows: readonly Row[], userId: number): Row[] {
  return rows.filter((row) => row.user_id === userId);
}

/** Rows as memories, by id. */
export async function withProjects(db: Queries, rows: readonly MemoryRow[]): Promise<Map<number, Memory>> {
  const inProjects = rows.filter((row) => row.primary_project_id !== null).map((row) => row.id);
  const projects = await projectIdsByMemory(db, inProjects);
  return new Map(rows.map((row) => [row.id, rowToMemory(row, projects.get(row.id) ?? [])]));
}

/** Ids of what each memory replaced. */
export async function supersededBy(db: Queries, ids: readonly number[]): Promise<Map<number, number[]>> {
  const replaced = new Map<number, number[]>();
  if (ids.length === 0) return replaced;
  const rows = await db
    .selectFrom('memories')
    .select(['id', 'superseded_by'])
    .where('superseded_by', 'in', ids)
    .orderBy('id')
    .execute();
  for (const { id, superseded_by } of rows) {
    const by = superseded_by as number;
    replaced.set(by, [...(replaced.get(by) ?? []), id]);
  }
  return replaced;
}

/** Ids linked to each of `ids`, in both directions, those alone that are live at `nowMs`. */
export async function linksOf(db: Queries, ids: readonly number[], nowMs: number): Promise<Map<number, number[]>> {
  const links = new Map<number, number[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return links;
  const rows = await db
    .selectFrom('memory_links as link')
    .innerJoin('memories as source', 'source.id', 'link.source_id')
    .innerJoin('memories as target', 'target.id', 'link.target_id')
    .select(['link.source_id', 'link.target_id', 'source.status as source_status', 'target.status as target_status'])
    .select(['source.expires_at as source_expires', 'target.expires_at as target_expires'])
    .where((eb) => eb.or([eb('link.source_id', 'in', ids), eb('link.target_id', 'in', ids)]))
    .orderBy('link.source_id')
    .orderBy('link.target_id')
    .execute();
  for (const row of rows) {
    if (isLive(row.target_status, row.target_expires)) links.get(row.source_id)?.push(row.target_id);
    if (isLive(row.source_status, row.source_expires)) links.get(row.target_id)?.push(row.source_id);
  }
  return links;

  function isLive(status: string, expiresAtMs: number | null): boolean {
    return status === 'active' && (expiresAtMs === null || expiresAtMs > nowMs);
  }
}

/** Ids of a user's active memories, oldest first; of one project, or of all. */
export async function activeIds(db: Queries, userId: number, projectId: number | null): Promise<number[]> {
  let query = db.selectFrom('memories').select('id').where('user_id', '=', userId).where('status', '=', 'active');
  if (projectId !== null) {
    query = query.where('id', 'in', (eb) =>
      eb.selectFrom('memory_projects').select('memory_id').where('project_id', '=', projectId),
    );
  }
  return (await query.orderBy('id').execute()).map((row) => row.id);
}

/** When each memory was marked obsolete; absent where it was not. */
export async function obsoletedAtOf(db: Queries, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('memories')
    .select(['id', 'obsoleted_at'])
    .where('id', 'in', ids)
    .where('obsoleted_at', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.id, row.obsoleted_at as number]));
}

/** Memories that an undo took apart are not united again. */
export async function keepApart(trx: Trx, ids: readonly number[], nowMs: number): Promise<void> {
  for (const memory_id of ids) {
    await trx
      .insertInto('kept_apart')
      .values({ memory_id, undone_at: nowMs })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Ids of all users, whose memories jobs look after one by one. */
export async function userIds(db: Queries): Promise<number[]> {
  const rows = await db.selectFrom('users').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
}

/** Adds accesses: counters move, `updated_at` and the keyword index do not. */
export async function addAccesses(
  trx: Trx,
  accesses: readonly { id: number; count: number; lastMs: number }[],
): Promise<void> {
  for (const { id, count, lastMs } of accesses) {
    await trx
      .updateTable('memories')
      .set({
        access_count: sql`access_count + ${count}`,
        // never before its birth: a read under a clock that was set back would age it by that much when the clock is right again
        last_accessed_at: sql`max(coalesce(last_accessed_at, created_at), ${lastMs})`,
      })
      .where('id', '=', id)
      .execute();
  }
}

/** Removes a memory and all that hangs on it by foreign key: projects, history, links. */
export async function deleteMemory(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('memory_projects').where('memory_id', '=', id).execute();
  await trx.deleteFrom('memories').where('id', '=', id).execute();
}

/** Counts by status of one user, as the triggers keep them. */
export async function countsByStatus(
  db: Queries,
  userId: number,
): Promise<Record<'active' | 'archived' | 'obsolete', number>> {
  const rows = await db
    .selectFrom('memory_counts')
    .select(['status', 'memories'])
    .where('user_id', '=', userId)
    .execute();
  const counts = { active: 0, archived: 0, obsolete: 0 };
  for (const { status, memories } of rows) counts[status as keyof typeof counts] = memories;
  return counts;
}

function sameIds(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
