// Every SQL statement on entities but those that scan, which the reader thread has (entity-page.ts).
import { newUid } from '#daemon/kernel/ids.ts';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { EntityDraft, EntityRow } from './entity.ts';

/** A user's entity, or null. */
export async function entityById(db: Queries, userId: number, id: number): Promise<EntityRow | null> {
  const row = await entityByAnyUser(db, id);
  return row?.user_id === userId ? row : null;
}

/** For background work that serves every user. */
export async function entityByAnyUser(db: Queries, id: number): Promise<EntityRow | null> {
  return (await db.selectFrom('entities').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** A user's entities by id. */
export async function entitiesByIds(
  db: Queries,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, EntityRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('entities').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.filter((row) => row.user_id === userId).map((row) => [row.id, row]));
}

export async function insertEntity(
  trx: Trx,
  draft: EntityDraft,
  given: { readonly userId: number; readonly nowMs: number },
): Promise<EntityRow> {
  const { userId, nowMs } = given;
  return trx
    .insertInto('entities')
    .values({ ...draft, uid: newUid(nowMs), user_id: userId, created_at: nowMs, updated_at: nowMs })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Overwrites what a draft decides; `rev` is the new one. */
export async function updateEntity(
  trx: Trx,
  id: number,
  draft: EntityDraft,
  given: { readonly rev: number; readonly nowMs: number },
): Promise<EntityRow> {
  return trx
    .updateTable('entities')
    .set({ ...draft, rev: given.rev, updated_at: given.nowMs })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Gives an entity another rev, when only what it is filtered by changed: `updated_at` stays. */
export async function setRev(trx: Trx, id: number, rev: number): Promise<void> {
  await trx.updateTable('entities').set({ rev }).where('id', '=', id).execute();
}

/** Removes the row; its relationships go by foreign key. */
export async function removeEntity(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('entities').where('id', '=', id).execute();
}
