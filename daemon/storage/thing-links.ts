// Links between things of different kinds, read from either end. A link has one row; its direction is fixed by the order of kinds
// below, so that linking a document to a memory and a memory to a document is the same link.
import type { Queries, Trx } from './sqlite.ts';

/** The end that stands later in this list is stored first: an entity links to a memory, a memory to a document. */
const order = ['project', 'file', 'code_artifact', 'document', 'memory', 'skill', 'entity'] as const;

export type LinkedKind = (typeof order)[number];
export type Thing = { readonly kind: LinkedKind; readonly id: number };

type Ends = { from_kind: string; from_id: number; to_kind: string; to_id: number };

/** Links two things; answers false when they were linked already. */
export async function linkThings(trx: Trx, userId: number, a: Thing, b: Thing, nowMs: number): Promise<boolean> {
  const result = await trx
    .insertInto('thing_links')
    .values({ user_id: userId, ...endsOf(a, b), created_at: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Unlinks two things; answers false when they were not linked. */
export async function unlinkThings(trx: Trx, a: Thing, b: Thing): Promise<boolean> {
  const { from_kind, from_id, to_kind, to_id } = endsOf(a, b);
  const result = await trx
    .deleteFrom('thing_links')
    .where('from_kind', '=', from_kind)
    .where('from_id', '=', from_id)
    .where('to_kind', '=', to_kind)
    .where('to_id', '=', to_id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Makes `ids` of `kind` the only ones of that kind that the thing is linked to; answers what was added and removed. */
export async function replaceLinks(
  trx: Trx,
  userId: number,
  thing: Thing,
  kind: LinkedKind,
  ids: readonly number[],
  nowMs: number,
): Promise<{ added: number[]; removed: number[] }> {
  const present = await linkedIds(trx, thing, kind);
  const removed = present.filter((id) => !ids.includes(id));
  const added = ids.filter((id) => !present.includes(id));
  for (const id of removed) await unlinkThings(trx, thing, { kind, id });
  for (const id of added) await linkThings(trx, userId, thing, { kind, id }, nowMs);
  return { added, removed };
}

/** Ids of `kind` that a thing is linked to, ascending. */
export async function linkedIds(db: Queries, thing: Thing, kind: LinkedKind): Promise<number[]> {
  return (await linkedIdsOf(db, thing.kind, [thing.id], kind)).get(thing.id) ?? [];
}

/** The same for many things of one kind, in one query. */
export async function linkedIdsOf(
  db: Queries,
  kind: LinkedKind,
  ids: readonly number[],
  toKind: LinkedKind,
): Promise<Map<number, number[]>> {
  const links = new Map<number, number[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return links;
  const forward = isFrom(kind, toKind);
  const rows = await db
    .selectFrom('thing_links')
    .select(['from_id', 'to_id'])
    .where('from_kind', '=', forward ? kind : toKind)
    .where('to_kind', '=', forward ? toKind : kind)
    .where(forward ? 'from_id' : 'to_id', 'in', ids)
    .orderBy('from_id')
    .orderBy('to_id')
    .execute();
  for (const row of rows) {
    const [own, other] = forward ? [row.from_id, row.to_id] : [row.to_id, row.from_id];
    links.get(own)?.push(other);
  }
  return links;
}

/** Links `heir` with everything that any of `things` is linked to; theirs stay. */
export async function inheritThingLinks(
  trx: Trx,
  userId: number,
  things: readonly Thing[],
  heir: Thing,
  nowMs: number,
): Promise<void> {
  for (const { kind, id } of things) {
    const rows = await trx
      .selectFrom('thing_links')
      .select(['from_kind', 'from_id', 'to_kind', 'to_id'])
      .where((eb) =>
        eb.or([
          eb.and([eb('from_kind', '=', kind), eb('from_id', '=', id)]),
          eb.and([eb('to_kind', '=', kind), eb('to_id', '=', id)]),
        ]),
      )
      .execute();
    for (const { from_kind, from_id, to_kind, to_id } of rows) {
      const isForward = from_kind === kind && from_id === id;
      const other = isForward ? { kind: to_kind, id: to_id } : { kind: from_kind, id: from_id };
      await linkThings(trx, userId, heir, other as Thing, nowMs);
    }
  }
}

/** Removes every link of a thing that is being deleted. */
export async function removeLinks(trx: Trx, thing: Thing): Promise<void> {
  await trx.deleteFrom('thing_links').where('from_kind', '=', thing.kind).where('from_id', '=', thing.id).execute();
  await trx.deleteFrom('thing_links').where('to_kind', '=', thing.kind).where('to_id', '=', thing.id).execute();
}

/** Hands every link of a thing to another of its kind; one that the other has already is dropped. */
export async function moveLinks(trx: Trx, from: Thing, intoId: number): Promise<void> {
  for (const end of ['from', 'to'] as const) {
    const [kind, id] = [`${end}_kind`, `${end}_id`] as const;
    const rows = await trx
      .selectFrom('thing_links')
      .selectAll()
      .where(kind, '=', from.kind)
      .where(id, '=', from.id)
      .execute();
    for (const row of rows) {
      await trx
        .insertInto('thing_links')
        .values({ ...row, [id]: intoId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
  await removeLinks(trx, from);
}

function endsOf(a: Thing, b: Thing): Ends {
  const [from, to] = isFrom(a.kind, b.kind) ? [a, b] : [b, a];
  return { from_kind: from.kind, from_id: from.id, to_kind: to.kind, to_id: to.id };
}

function isFrom(kind: LinkedKind, other: LinkedKind): boolean {
  return order.indexOf(kind) > order.indexOf(other);
}
