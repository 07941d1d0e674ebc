// The door of the graph room: entities, what they are to each other, and the graph of everything.
import type { Operation } from '#daemon/kernel/operation.ts';
import type { GraphDeps } from './deps.ts';
import { entityOperations } from './entities.operations.ts';
import { graphOperations } from './graph.operations.ts';
import { relationshipOperations } from './relationships.operations.ts';

export type { Existing, GraphDeps } from './deps.ts';
export { entityById } from './entities.repository.ts';
export { foldName as foldEntityName } from './entity.ts';
export { requireMemory } from './entity-links.ts';
export { fileEntity, pendingEntity } from './file-entity.ts';
export { entitiesFollowProject } from './follow-project.ts';

export function graphRoomOperations(deps: GraphDeps): Operation[] {
  return [...entityOperations(deps), ...relationshipOperations(deps), ...graphOperations(deps)];
}
