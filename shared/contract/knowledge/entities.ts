// Entities: the people, teams, organisations and machines that notes are about, and how they relate to each other.
// Each field that the catalogue's clients know under two names (`notes` and `description`) is accepted and answered under both.
import { z } from 'zod';
import { id, labels, metadata, requiredText, text, utc } from '../common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from '../operation.ts';
import { deleted, idempotencyKey, page, pageOutput } from './listing.ts';
import { pluginWarnings } from './plugin-warnings.ts';
import { provenanceInput, provenanceOutput } from './provenance.ts';

export const entityTypes = ['Organization', 'Individual', 'Team', 'Device', 'System', 'Other'] as const;
export type EntityType = (typeof entityTypes)[number];

/** One of the six, in any case. */
const entityType = z.preprocess(
  (given) =>
    entityTypes.find((known) => typeof given === 'string' && known.toLowerCase() === given.toLowerCase()) ?? given,
  z.enum(entityTypes),
);

const ids = z.array(id).max(100);
const names = labels(10);
const entityId = id.optional().describe('the entity; `id` is the same');
const entityPage = { ...page, limit: z.int().min(1).max(100).default(20) };

const summary = {
  id,
  entity_id: id,
  name: z.string(),
  entity_type: z.enum(entityTypes),
  custom_type: z.string().nullable(),
  tags: z.array(z.string()),
  aka: z.array(z.string()),
  project_ids: z.array(id),
  created_at: utc,
  updated_at: utc,
};

export const entitySummary = z.object(summary);
export const entity = z.object({
  ...summary,
  notes: z.string().nullable(),
  description: z.string().nullable(),
  project_id: id.nullable(),
  metadata: z.record(z.string(), z.unknown()),
  ...provenanceOutput,
  ...pluginWarnings,
});

export type Entity = z.output<typeof entity>;

const fields = {
  custom_type: text(100).nullable().optional().describe('a word of your own; required for Other, dropped otherwise'),
  notes: text(4_000).nullable().optional().describe('what is known of it; `description` is the same'),
  description: text(4_000).nullable().optional(),
  tags: names.optional(),
  aka: names.optional().describe('other names; found by search_entities'),
  project_ids: ids.optional(),
  project_id: id.nullable().optional().describe('one project, in place of project_ids'),
  metadata: metadata.nullable().optional(),
  ...provenanceInput,
  idempotency_key: idempotencyKey,
};

export const createEntity = defineContract({
  name: 'create_entity',
  title: 'Create an entity',
  description:
    'Create a concrete thing that notes are about: a person, team, organisation, device or system. Look for it by search_entities first, under other names too. Concepts and decisions belong into create_memory.',
  category: 'entity',
  input: z.strictObject({ name: requiredText(200), entity_type: entityType, ...fields }),
  output: entity,
  hints: additiveHints,
  scope: 'write:entities',
  http: [{ method: 'POST', path: '/api/v1/entities', created: () => true }],
  examples: [
    { name: 'Cache Server 01', entity_type: 'Device', notes: 'Redis primary', tags: ['infra'], aka: ['redis-primary'] },
  ],
});

export const getEntity = defineContract({
  name: 'get_entity',
  title: 'Get an entity',
  description: 'Read an entity whole by its id.',
  category: 'entity',
  input: z.strictObject({ entity_id: entityId, id: id.optional() }),
  output: entity,
  examples: [{ entity_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:entities',
  http: [{ method: 'GET', path: '/api/v1/entities/:id' }],
});

export const listEntities = defineContract({
  name: 'list_entities',
  title: 'List entities',
  description: 'List entities without their notes, newest first, filtered by type, project, or any of some tags.',
  category: 'entity',
  input: z.strictObject({
    entity_type: entityType.optional(),
    tags: labels(20).optional().describe('any of these'),
    project_ids: ids.optional().describe('any of these'),
    project_id: id.optional(),
    ...entityPage,
  }),
  output: z.object({ entities: z.array(entitySummary), ...pageOutput }),
  examples: [{ entity_type: 'Individual', tags: ['engineering'] }],
  hints: readOnlyHints,
  scope: 'read:entities',
  http: [{ method: 'GET', path: '/api/v1/entities', csv: ['tags', 'project_ids'] }],
});

export const searchEntities = defineContract({
  name: 'search_entities',
  title: 'Search entities',
  description:
    'Find entities by a part of their name or of one of their other names, in any case; exact names first. To search by meaning use search_everything.',
  category: 'entity',
  input: z.strictObject({
    query: text(200).describe('a part of a name'),
    entity_type: entityType.optional(),
    tags: labels(20).optional().describe('any of these'),
    project_ids: ids.optional().describe('any of these'),
    ...entityPage,
  }),
  output: z.object({
    entities: z.array(entitySummary),
    search_query: z.string(),
    filters: z.object({ entity_type: z.enum(entityTypes).nullable(), tags: z.array(z.string()) }),
    ...pageOutput,
  }),
  hints: readOnlyHints,
  scope: 'read:entities',
  http: [{ method: 'POST', path: '/api/v1/entities/search' }],
  examples: [{ query: 'redis' }],
});

export const updateEntity = defineContract({
  name: 'update_entity',
  title: 'Update an entity',
  description:
    'Change fields of an entity; only what you pass changes. Lists and metadata are replaced whole, [] empties, null or an empty text clears.',
  category: 'entity',
  input: z.strictObject({
    entity_id: entityId,
    id: id.optional(),
    name: requiredText(200).optional(),
    entity_type: entityType.optional(),
    ...fields,
  }),
  output: entity,
  examples: [{ entity_id: 1, notes: 'Leads the payments team', aka: ['payments lead'] }],
  hints: updateHints,
  scope: 'write:entities',
  http: [
    { method: 'PATCH', path: '/api/v1/entities/:id' },
    { method: 'PUT', path: '/api/v1/entities/:id' },
  ],
});

export const deleteEntity = defineContract({
  name: 'delete_entity',
  title: 'Delete an entity',
  description: 'Erase an entity for good with its relationships. Notes linked to it stay. Only when the user asks.',
  category: 'entity',
  input: z.strictObject({ entity_id: entityId, id: id.optional(), idempotency_key: idempotencyKey }),
  output: deleted.extend({ entity_id: id }),
  examples: [{ entity_id: 1 }],
  hints: eraseHints,
  scope: 'write:entities',
  http: [{ method: 'DELETE', path: '/api/v1/entities/:id' }],
});

const entityMemory = z.strictObject({ entity_id: id, memory_id: id, idempotency_key: idempotencyKey });
const entityProject = z.strictObject({ entity_id: id, project_id: id, idempotency_key: idempotencyKey });

export const linkEntityToMemory = defineContract({
  name: 'link_entity_to_memory',
  title: 'Link to memory',
  description: 'Say that a note is about an entity. Linking twice changes nothing.',
  category: 'entity',
  input: entityMemory,
  output: z.object({ success: z.boolean(), entity_id: id, memory_id: id }),
  hints: updateHints,
  scope: 'write:entities',
  http: [{ method: 'POST', path: '/api/v1/entities/:entity_id/memories' }],
});

export const unlinkEntityFromMemory = defineContract({
  name: 'unlink_entity_from_memory',
  title: 'Unlink from memory',
  description: 'Remove the link between an entity and a note; success is false when there was none.',
  category: 'entity',
  input: entityMemory,
  output: z.object({ success: z.boolean(), entity_id: id, memory_id: id }),
  hints: updateHints,
  scope: 'write:entities',
  http: [{ method: 'DELETE', path: '/api/v1/entities/:entity_id/memories/:memory_id' }],
});

export const linkEntityToProject = defineContract({
  name: 'link_entity_to_project',
  title: 'Link to project',
  description: 'Put an entity into a project; it may be in several. Linking twice changes nothing.',
  category: 'entity',
  input: entityProject,
  output: z.object({ success: z.boolean(), entity_id: id, project_id: id }),
  hints: updateHints,
  scope: 'write:entities',
  http: [{ method: 'POST', path: '/api/v1/entities/:entity_id/projects' }],
});

export const unlinkEntityFromProject = defineContract({
  name: 'unlink_entity_from_project',
  title: 'Unlink from project',
  description: 'Take an entity out of a project; success is false when it was not in it.',
  category: 'entity',
  input: entityProject,
  output: z.object({ success: z.boolean(), entity_id: id, project_id: id }),
  hints: updateHints,
  scope: 'write:entities',
  http: [{ method: 'DELETE', path: '/api/v1/entities/:entity_id/projects/:project_id' }],
});

const entityFile = z.strictObject({ entity_id: id, file_id: id, idempotency_key: idempotencyKey });

export const linkEntityToFile = defineContract({
  name: 'link_entity_to_file',
  title: 'Link to file',
  description:
    'Say that a file shows or belongs to an entity, such as a photo or a contract. Linking twice changes nothing.',
  category: 'entity',
  input: entityFile,
  output: z.object({ success: z.boolean(), entity_id: id, file_id: id }),
  hints: updateHints,
  scope: 'write:entities',
  http: [{ method: 'POST', path: '/api/v1/entities/:entity_id/files' }],
});

export const unlinkEntityFromFile = defineContract({
  name: 'unlink_entity_from_file',
  title: 'Unlink from file',
  description: 'Remove the link between an entity and a file; success is false when there was none.',
  category: 'entity',
  input: entityFile,
  output: z.object({ success: z.boolean(), entity_id: id, file_id: id }),
  hints: updateHints,
  scope: 'write:entities',
  http: [{ method: 'DELETE', path: '/api/v1/entities/:entity_id/files/:file_id' }],
});

export const getEntityMemories = defineContract({
  name: 'get_entity_memories',
  title: 'Notes of entity',
  description:
    'List the live notes that are linked to an entity, by id. A note that was replaced is shown through the one that replaced it.',
  category: 'entity',
  input: z.strictObject({ entity_id: entityId, id: id.optional() }),
  output: z.object({
    entity_id: id,
    memory_ids: z.array(id),
    count: z.int(),
    memories: z.array(z.object({ id, title: z.string() })),
  }),
  examples: [{ entity_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:entities',
  http: [{ method: 'GET', path: '/api/v1/entities/:entity_id/memories' }],
});

export const getMemoryEntities = defineContract({
  name: 'get_memory_entities',
  title: 'Entities of note',
  description: 'List every entity that a note is linked to, itself or through a note that it replaced, by id.',
  category: 'entity',
  input: z.strictObject({ memory_id: id }),
  output: z.object({
    memory_id: id,
    entity_ids: z.array(id),
    count: z.int(),
    entities: z.array(z.object({ id, name: z.string(), entity_type: z.enum(entityTypes) })),
  }),
  hints: readOnlyHints,
  scope: 'read:entities',
  http: [{ method: 'GET', path: '/api/v1/memories/:memory_id/entities' }],
});

export const entityContracts = [
  createEntity,
  getEntity,
  listEntities,
  searchEntities,
  updateEntity,
  deleteEntity,
  linkEntityToMemory,
  unlinkEntityFromMemory,
  linkEntityToProject,
  unlinkEntityFromProject,
  linkEntityToFile,
  unlinkEntityFromFile,
  getEntityMemories,
  getMemoryEntities,
] as const;
