// Relationships between entities: directed, typed edges of the knowledge graph.
import { z } from 'zod';
import { id, metadata, requiredText, share, utc } from '../common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from '../operation.ts';
import { deleted, idempotencyKey, page, pageOutput } from './listing.ts';
import { provenanceInput, provenanceOutput } from './provenance.ts';

export const relationship = z.object({
  id,
  relationship_id: id,
  source_entity_id: id,
  from_entity_id: id,
  target_entity_id: id,
  to_entity_id: id,
  relationship_type: z.string(),
  strength: z.number().nullable(),
  ...provenanceOutput,
  metadata: z.record(z.string(), z.unknown()),
  created_at: utc,
  updated_at: utc,
});

export type Relationship = z.output<typeof relationship>;

const relationshipType = requiredText(100).describe('works_for, member_of, owns, reports_to, or a word of your own');
const { confidence: _, ...sources } = provenanceInput;

const fields = {
  source_entity_id: id.optional().describe('where it starts; `from_entity_id` is the same'),
  from_entity_id: id.optional(),
  target_entity_id: id.optional().describe('where it ends; `to_entity_id` is the same'),
  to_entity_id: id.optional(),
  relationship_type: relationshipType,
  strength: share.nullable().default(1),
  confidence: share.nullable().default(1),
  metadata: metadata.nullable().optional(),
  ...sources,
};

const newRelationship = z.strictObject(fields);

export type NewRelationship = z.output<typeof newRelationship>;

export const createEntityRelationship = defineContract({
  name: 'create_entity_relationship',
  title: 'Relate two entities',
  description:
    'Say how one entity relates to another, from source to target: works_for, owns, depends_on. The same pair and type exists once; change it by update_entity_relationship.',
  category: 'entity',
  input: z.strictObject({ ...fields, idempotency_key: idempotencyKey }),
  output: relationship,
  hints: additiveHints,
  scope: 'write:entities',
  http: [{ method: 'POST', path: '/api/v1/entities/:source_entity_id/relationships', created: () => true }],
  examples: [{ from_entity_id: 1, to_entity_id: 2, relationship_type: 'works_for', metadata: { role: 'engineer' } }],
});

export const createEntityRelationships = defineContract({
  name: 'create_entity_relationships',
  title: 'Relate many entities',
  description: 'Store up to a hundred relationships at once: all of them, or none when one is refused.',
  category: 'entity',
  input: z.strictObject({
    relationships: z.array(newRelationship).min(1).max(100),
    idempotency_key: idempotencyKey,
  }),
  output: z.object({ relationships: z.array(relationship), total_count: z.int() }),
  hints: additiveHints,
  scope: 'write:entities',
  http: [{ method: 'POST', path: '/api/v1/entities/relationships', created: () => true }],
  examples: [{ relationships: [{ from_entity_id: 1, to_entity_id: 2, relationship_type: 'owns' }] }],
});

export const getEntityRelationships = defineContract({
  name: 'get_entity_relationships',
  title: 'Relationships of entity',
  description: 'List how an entity relates to others, oldest first; by direction and type where given.',
  category: 'entity',
  input: z.strictObject({
    entity_id: id.optional().describe('the entity; `id` is the same'),
    id: id.optional(),
    direction: z.enum(['outgoing', 'incoming', 'both']).default('both'),
    relationship_type: relationshipType.optional(),
    ...page,
  }),
  output: z.object({ entity_id: id, relationships: z.array(relationship), ...pageOutput }),
  examples: [{ entity_id: 1, direction: 'outgoing', relationship_type: 'works_for' }],
  hints: readOnlyHints,
  scope: 'read:entities',
  http: [{ method: 'GET', path: '/api/v1/entities/:entity_id/relationships' }],
});

const relationshipId = id.optional().describe('the relationship; `id` is the same');

export const updateEntityRelationship = defineContract({
  name: 'update_entity_relationship',
  title: 'Update a relationship',
  description:
    'Change type, strength, confidence or metadata of a relationship; its ends stay. Metadata is replaced whole.',
  category: 'entity',
  input: z.strictObject({
    relationship_id: relationshipId,
    id: id.optional(),
    relationship_type: relationshipType.optional(),
    strength: share.nullable().optional(),
    metadata: metadata.nullable().optional(),
    ...provenanceInput,
    idempotency_key: idempotencyKey,
  }),
  output: relationship,
  examples: [{ relationship_id: 1, strength: 0.8 }],
  hints: updateHints,
  scope: 'write:entities',
  http: [
    { method: 'PATCH', path: '/api/v1/entities/relationships/:id' },
    { method: 'PUT', path: '/api/v1/entities/relationships/:id' },
  ],
});

export const deleteEntityRelationship = defineContract({
  name: 'delete_entity_relationship',
  title: 'Delete a relationship',
  description: 'Erase a relationship for good; its entities stay. Only when it does not hold any more.',
  category: 'entity',
  input: z.strictObject({ relationship_id: relationshipId, id: id.optional(), idempotency_key: idempotencyKey }),
  output: deleted.extend({ relationship_id: id }),
  examples: [{ relationship_id: 1 }],
  hints: eraseHints,
  scope: 'write:entities',
  http: [{ method: 'DELETE', path: '/api/v1/entities/relationships/:id' }],
});

export const relationshipContracts = [
  createEntityRelationship,
  createEntityRelationships,
  getEntityRelationships,
  updateEntityRelationship,
  deleteEntityRelationship,
] as const;
