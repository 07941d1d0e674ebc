// Words of the knowledge catalogue ↔ use-cases. No rule lives here.
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { oneOf, pageOf } from '#daemon/things/index.ts';
import {
  createEntityRelationship,
  createEntityRelationships,
  deleteEntityRelationship,
  getEntityRelationships,
  type Relationship,
  updateEntityRelationship,
} from '#shared/contract/knowledge/relationships.ts';
import type { GraphDeps } from './deps.ts';
import { changeRelationship, deleteRelationship, relate, relationshipToWords } from './relate.ts';
import { listRelationships } from './relationships.repository.ts';
import { requireEntity } from './save-entity.ts';

export function relationshipOperations(deps: GraphDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(createEntityRelationship, async (input, context) =>
      relate(deps, [input], context, ([made]) => made as Relationship),
    ),
    implement(createEntityRelationships, async ({ relationships }, context) =>
      relate(deps, relationships, context, (made) => ({ relationships: made, total_count: made.length })),
    ),
    implement(getEntityRelationships, async (input, context) => {
      const { direction, relationship_type: type, limit, offset } = input;
      const entityId = oneOf({ entity_id: input.entity_id, id: input.id });
      await requireEntity(db, context.userId, entityId);
      const filter = { entityId, direction, type: type?.trim() ?? null, limit, offset };
      const { rows, total } = await listRelationships(db, filter);
      return {
        entity_id: entityId,
        relationships: rows.map(relationshipToWords),
        ...pageOf({ limit, offset }, rows.length, total),
      };
    }),
    implement(updateEntityRelationship, async (input, context) =>
      changeRelationship(deps, oneOf({ relationship_id: input.relationship_id, id: input.id }), input, context),
    ),
    implement(deleteEntityRelationship, async (input, context) => {
      const id = oneOf({ relationship_id: input.relationship_id, id: input.id });
      return deleteRelationship(deps, id, context, { success: true, deleted_id: id, relationship_id: id });
    }),
  ];
}
