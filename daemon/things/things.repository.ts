// Every SQL statement on the columns that all kinds share. The tables differ in their own columns alone, so the statements are typed
// as if for one of them; what comes and goes is typed by the caller's kind.
import { newUid } from '#daemon/kernel/ids.ts';
import { foldLabel } from '#daemon/storage/label-keys.ts';
import { isOfUser } from '#daemon/storage/of-user.ts';
import type { Database, Queries, Trx } from '#daemon/storage/sqlite.ts';
import { type CountedKind, countThings } from '#daemon/storage/thing-counts.ts';
import type { LinkedKind } from '#daemon/storage/thing-links.ts';
import type { Columns, ThingRow, ThingTable } from './kind.ts';

type In = { readonly table: ThingTable };
type Tagged = In & { readonly kind: LinkedKind & CountedKind };

const typed = ({ table }: In) => table as 'documents';

/** A user's thing; null where it is not theirs. `userId` null: anybody's, for the background embedder. */
export async function thingById<R extends ThingRow>(
  db: Queries,
  kind: In,
  userId: number | null,
  id: number,
): Promise<R | null> {
  let query = db.selectFrom(typed(kind)).selectAll().where('id', '=', id);
  if (userId !== null) query = query.where('user_id', '=', userId);
  return ((await query.executeTakeFirst()) as R | undefined) ?? null;
}

/** Which of the ids are the user's. */
export async function existingIds(db: Queries, kind: In, userId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom(typed(kind)).select('id').where('id', 'in', ids).where(isOfUser(userId)).execute();
  return rows.map((row) => row.id);
}

export async function insertThing<R extends ThingRow>(
  trx: Trx,
  kind: In,
  columns: Columns<R>,
  given: { readonly userId: number; readonly nowMs: number },
): Promise<R> {
  const { userId, nowMs } = given;
  const row = { ...columns, uid: newUid(nowMs), user_id: userId, created_at: nowMs, updated_at: nowMs };
  const inserted = await trx
    .insertInto(typed(kind))
    .values(row as never)
    .returningAll()
    .executeTakeFirstOrThrow();
  return inserted as ThingRow as R;
}

export async function updateThing<R extends ThingRow>(
  trx: Trx,
  kind: In,
  id: number,
  columns: Columns<R>,
  nowMs: number,
): Promise<R> {
  const updated = await trx
    .updateTable(typed(kind))
    .set({ ...columns, updated_at: nowMs } as never)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return updated as ThingRow as R;
}

export async function removeThing(trx: Trx, kind: In, id: number): Promise<void> {
  await trx.deleteFrom(typed(kind)).where('id', '=', id).execute();
}

/** Ids of a project's things, ascending. */
export async function idsOfProject(trx: Trx, kind: In, projectId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom(typed(kind))
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Moves a project's things to another or to none; `updated_at` stays, because nothing of the thing itself changed. */
export async function moveToProject(trx: Trx, kind: In, projectId: number, intoId: number | null): Promise<void> {
  await trx.updateTable(typed(kind)).set({ project_id: intoId }).where('project_id', '=', projectId).execute();
}

export type ThingFilter = {
  readonly userId: number;
  readonly projectId: number | undefined;
  /** Any of these, in any case. */
  readonly tags: readonly string[];
  /** A column that must have this value. */
  readonly equals?: { readonly column: string; readonly value: string } | undefined;
  /** A column that must have at least this value. */
  readonly atLeast?: { readonly column: string; readonly value: number } | undefined;
  readonly limit: number;
  readonly offset: number;
};

/** A page of things, newest first, without the columns that are not asked for, and how many there are in all. */
export async function listThings<R extends ThingRow, Column extends keyof R & string>(
  { db, scans }: Pick<Database, 'db' | 'scans'>,
  kind: Tagged,
  columns: readonly Column[],
  filter: ThingFilter,
): Promise<{ rows: Pick<R, Column>[]; total: number }> {
  const { projectId, tags, equals, atLeast } = filter;
  const isPlain = projectId === undefined && equals === undefined && atLeast === undefined && tags.length === 0;
  let matching = (isPlain ? db : scans).selectFrom(typed(kind)).where('user_id', '=', filter.userId);
  if (projectId !== undefined) matching = matching.where('project_id', '=', projectId);
  if (equals !== undefined) matching = matching.where(equals.column as 'title', '=', equals.value);
  if (atLeast !== undefined) matching = matching.where(atLeast.column as 'title', '>=', atLeast.value as never);
  if (tags.length > 0) {
    matching = matching.where('id', 'in', (eb) =>
      eb
        .selectFrom('thing_tags')
        .select('thing_id')
        .where('kind', '=', kind.kind)
        .where('tag_key', 'in', tags.map(foldLabel)),
    );
  }
  const rows = await matching
    .select(columns as never)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  return { rows: rows as unknown as Pick<R, Column>[], total: await totalOf() };

  async function totalOf(): Promise<number> {
    if (isPlain) return countThings(db, filter.userId, kind.kind);
    const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return Number(total);
  }
}
