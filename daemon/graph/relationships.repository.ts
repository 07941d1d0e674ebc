// Every SQL statement on relationships between entities.
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { EntityRelationshipsTable } from '#daemon/storage/tables/things.ts';

export type RelationshipRow = Selectable<EntityRelationshipsTable>;

/** A user's relationship, or null. */
export async function relationshipById(db: Queries, userId: number, id: number): Promise<RelationshipRow | null> {
  const row = await db.selectFrom('entity_relationships').selectAll().where('id', '=', id).executeTakeFirst();
  return row?.user_id === userId ? row : null;
}

/** The relationship of a pair and type, or null: there is one at most. */
export async function relationshipOf(
  db: Queries,
  pair: Pick<RelationshipRow, 'source_id' | 'target_id' | 'relationship_type'>,
): Promise<RelationshipRow | null> {
  const row = await db
    .selectFrom('entity_relationships')
    .selectAll()
    .where('source_id', '=', pair.source_id)
    .where('target_id', '=', pair.target_id)
    .where('relationship_type', '=', pair.relationship_type)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertRelationship(
  trx: Trx,
  columns: Insertable<EntityRelationshipsTable>,
): Promise<RelationshipRow> {
  return trx.insertInto('entity_relationships').values(columns).returningAll().executeTakeFirstOrThrow();
}

export async function updateRelationship(
  trx: Trx,
  id: number,
  columns: Updateable<EntityRelationshipsTable>,
): Promise<RelationshipRow> {
  return trx
    .updateTable('entity_relationships')
    .set(columns)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function removeRelationship(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('entity_relationships').where('id', '=', id).execute();
}

/** Ids of all relationships that begin or end at an entity. */
export async function relationshipIdsOf(db: Queries, entityId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('entity_relationships')
    .select('id')
    .where((eb) => eb.or([eb('source_id', '=', entityId), eb('target_id', '=', entityId)]))
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export type RelationshipFilter = {
  readonly entityId: number;
  readonly direction: 'outgoing' | 'incoming' | 'both';
  readonly type: string | null;
  readonly limit: number;
  readonly offset: number;
};

/** A page of an entity's relationships, oldest first, and how many there are in all. */
export async function listRelationships(
  db: Queries,
  { entityId, direction, type, limit, offset }: RelationshipFilter,
): Promise<{ rows: RelationshipRow[]; total: number }> {
  let matching = db
    .selectFrom('entity_relationships')
    .where((eb) =>
      eb.or([
        ...(direction === 'incoming' ? [] : [eb('source_id', '=', entityId)]),
        ...(direction === 'outgoing' ? [] : [eb('target_id', '=', entityId)]),
      ]),
    );
  if (type !== null) matching = matching.where('relationship_type', '=', type);
  const rows = await matching.selectAll().orderBy('id').limit(limit).offset(offset).execute();
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}
