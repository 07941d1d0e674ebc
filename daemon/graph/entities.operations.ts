// Words of the knowledge catalogue ↔ use-cases. No rule lives here.
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { entitiesOf, shownTitle } from '#daemon/memories/index.ts';
import { linkedIds } from '#daemon/storage/thing-links.ts';
import { oneOf } from '#daemon/things/index.ts';
import {
  createEntity,
  deleteEntity,
  type EntityType,
  getEntity,
  getEntityMemories,
  getMemoryEntities,
  linkEntityToFile,
  linkEntityToMemory,
  linkEntityToProject,
  listEntities,
  searchEntities,
  unlinkEntityFromFile,
  unlinkEntityFromMemory,
  unlinkEntityFromProject,
  updateEntity,
} from '#shared/contract/knowledge/entities.ts';
import { deleteEntity as erase } from './delete-entity.ts';
import type { GraphDeps } from './deps.ts';
import { entityToWords, givenProjects, newEntity, patchedEntity } from './entity.ts';
import { linkEntity, requireMemory, unlinkEntity } from './entity-links.ts';
import { listedEntities } from './list-entities.ts';
import { changeEntity, createEntity as create, requireEntity } from './save-entity.ts';
import { memoriesOfEntity } from './through-successors.ts';

export function entityOperations(deps: GraphDeps): Operation[] {
  return [...writing(deps), ...reading(deps), ...linking(deps)];
}

function writing(deps: GraphDeps): Operation[] {
  return [
    implement(createEntity, async (input, context) =>
      create(deps, newEntity(input, context.encoding), givenProjects(input) ?? [], context),
    ),
    implement(updateEntity, async (input, context) => {
      const patch = { apply: (present: Parameters<typeof patchedEntity>[0]) => patchedEntity(present, input) };
      return changeEntity(deps, idOf(input), { ...patch, projectIds: givenProjects(input) }, context);
    }),
    implement(deleteEntity, async (input, context) => {
      const id = idOf(input);
      return erase(deps, id, context, { success: true, deleted_id: id, entity_id: id });
    }),
  ];
}

function reading(deps: GraphDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(getEntity, async (input, context) => {
      const row = await requireEntity(db, context.userId, idOf(input));
      return entityToWords(row, await linkedIds(db, { kind: 'entity', id: row.id }, 'project'));
    }),
    implement(listEntities, async (input, context) => {
      const { limit, offset, entity_type, tags } = input;
      const wanted = givenProjects(input) ?? null;
      const filter = { text: null, entityType: entity_type ?? null, tags: tags ?? [], projectIds: wanted };
      return listedEntities(deps, { ...filter, limit, offset }, context);
    }),
    implement(searchEntities, async ({ query, entity_type, tags, project_ids, limit, offset }, context) => {
      const filter = { entityType: entity_type ?? null, tags: tags ?? [], projectIds: project_ids ?? null };
      const found = await listedEntities(deps, { text: query, ...filter, limit, offset }, context);
      return { ...found, search_query: query, filters: { entity_type: entity_type ?? null, tags: tags ?? [] } };
    }),
    implement(getEntityMemories, async (input, context) => {
      const entityId = idOf(input);
      await requireEntity(db, context.userId, entityId);
      const memories = (await memoriesOfEntity(db, entityId, deps.clock.now())).map((memory) => ({
        id: memory.id,
        title: shownTitle(memory),
      }));
      return { entity_id: entityId, memory_ids: memories.map(({ id }) => id), count: memories.length, memories };
    }),
    implement(getMemoryEntities, async ({ memory_id: memoryId }, context) => {
      await requireMemory(db, context.userId, memoryId);
      const linked = (await entitiesOf(db, [memoryId])).get(memoryId) ?? [];
      const entities = linked.map(({ id, name, entity_type }) => ({
        id,
        name,
        entity_type: entity_type as EntityType,
      }));
      return { memory_id: memoryId, entity_ids: entities.map(({ id }) => id), count: entities.length, entities };
    }),
  ];
}

function linking(deps: GraphDeps): Operation[] {
  return [
    implement(linkEntityToMemory, async ({ entity_id, memory_id }, context) =>
      linkEntity(deps, entity_id, { kind: 'memory', id: memory_id }, context, () => ({
        success: true,
        entity_id,
        memory_id,
      })),
    ),
    implement(unlinkEntityFromMemory, async ({ entity_id, memory_id }, context) =>
      unlinkEntity(deps, entity_id, { kind: 'memory', id: memory_id }, context, (success) => ({
        success,
        entity_id,
        memory_id,
      })),
    ),
    implement(linkEntityToProject, async ({ entity_id, project_id }, context) =>
      linkEntity(deps, entity_id, { kind: 'project', id: project_id }, context, () => ({
        success: true,
        entity_id,
        project_id,
      })),
    ),
    implement(unlinkEntityFromProject, async ({ entity_id, project_id }, context) =>
      unlinkEntity(deps, entity_id, { kind: 'project', id: project_id }, context, (success) => ({
        success,
        entity_id,
        project_id,
      })),
    ),
    implement(linkEntityToFile, async ({ entity_id, file_id }, context) =>
      linkEntity(deps, entity_id, { kind: 'file', id: file_id }, context, () => ({
        success: true,
        entity_id,
        file_id,
      })),
    ),
    implement(unlinkEntityFromFile, async ({ entity_id, file_id }, context) =>
      unlinkEntity(deps, entity_id, { kind: 'file', id: file_id }, context, (success) => ({
        success,
        entity_id,
        file_id,
      })),
    ),
  ];
}

function idOf({
  entity_id,
  id,
}: {
  readonly entity_id?: number | undefined;
  readonly id?: number | undefined;
}): number {
  return oneOf({ entity_id, id });
}
