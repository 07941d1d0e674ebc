// An entity as it is stored, and its pure rules: which type needs a word of its own, what is embedded, what is compared.
import type { Selectable } from 'kysely';
import { toUtc } from '#daemon/kernel/clock.ts';
import type { EncodingAgent } from '#daemon/kernel/context.ts';
import type { IndexSource } from '#daemon/storage/keyword-index.ts';
import { foldLabel, labelKeys } from '#daemon/storage/label-keys.ts';
import { newProvenance, patchedProvenance, provenanceToWords } from '#daemon/storage/provenance.ts';
import type { EntitiesTable } from '#daemon/storage/tables/things.ts';
import { oneOrNone } from '#daemon/things/index.ts';
import { isBlank } from '#shared/contract/common.ts';
import type { createEntity, Entity, EntityType, updateEntity } from '#shared/contract/knowledge/entities.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import { invalidField } from '#shared/errors.ts';

export type EntityRow = Selectable<EntitiesTable>;
/** What a caller decides of a row. */
export type EntityDraft = Omit<EntityRow, 'id' | 'uid' | 'user_id' | 'rev' | 'created_at' | 'updated_at'>;

type CreateInput = ParsedInputOf<typeof createEntity>;
type UpdateInput = ParsedInputOf<typeof updateEntity>;

/** The columns of a new entity. Throws `invalid_input` for an Other without a custom type. */
export function newEntity(input: CreateInput, encoding: EncodingAgent): EntityDraft {
  const notes = oneOrNone({ notes: input.notes, description: input.description }) ?? null;
  return complete({
    name: input.name.trim(),
    entity_type: input.entity_type,
    custom_type: input.custom_type ?? null,
    notes,
    tags: input.tags ?? [],
    aka: input.aka ?? [],
    metadata: input.metadata ?? {},
    provenance: newProvenance(input, encoding),
  });
}

/** The columns after an update: absent leaves alone, null and an empty text clear, lists and metadata are replaced whole. */
export function patchedEntity(present: EntityRow, input: UpdateInput): EntityDraft {
  const notes = oneOrNone({ notes: input.notes, description: input.description });
  const given = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value);
  return complete({
    name: input.name === undefined ? present.name : input.name.trim(),
    entity_type: given(input.entity_type, present.entity_type as EntityType),
    custom_type: given(input.custom_type, present.custom_type),
    notes: given(notes, present.notes),
    tags: given(input.tags, listOf(present.tags)),
    aka: given(input.aka, listOf(present.aka)),
    metadata: input.metadata === undefined ? objectOf(present.metadata) : (input.metadata ?? {}),
    provenance: patchedProvenance(present, input),
  });
}

/** Which projects an input names: a list under `project_ids`, one or none under `project_id`; undefined where neither is given. */
export function givenProjects(input: {
  readonly project_ids?: readonly number[] | undefined;
  readonly project_id?: number | null | undefined;
}): number[] | undefined {
  const { project_ids: list, project_id: one } = input;
  const single = one === undefined ? undefined : one === null ? [] : [one];
  if (list !== undefined && single !== undefined && !(list.length === single.length && list[0] === single[0])) {
    throw invalidField('project_id', '`project_id` and `project_ids` differ: give one of them.');
  }
  const ids = list ?? single;
  return ids === undefined ? undefined : [...new Set(ids)].sort((a, b) => a - b);
}

export function entityToSummary(row: EntityRow, projectIds: readonly number[]) {
  return {
    id: row.id,
    entity_id: row.id,
    name: row.name,
    entity_type: row.entity_type as EntityType,
    custom_type: row.custom_type,
    tags: listOf(row.tags),
    aka: listOf(row.aka),
    project_ids: [...projectIds],
    created_at: toUtc(row.created_at),
    updated_at: toUtc(row.updated_at),
  };
}

export function entityToWords(row: EntityRow, projectIds: readonly number[]): Entity {
  return {
    ...entityToSummary(row, projectIds),
    notes: row.notes,
    description: row.notes,
    project_id: projectIds[0] ?? null,
    metadata: objectOf(row.metadata),
    ...provenanceToWords(row),
  };
}

/** What is embedded of an entity. */
export function embeddedText(draft: EntityDraft): string {
  const parts = [
    draft.name,
    listOf(draft.aka).join(', '),
    draft.custom_type ?? draft.entity_type,
    draft.notes,
    listOf(draft.tags).join(', '),
  ];
  return parts.filter((part) => part !== null && part !== '').join('\n');
}

/** What the keyword index holds of it. */
export function indexSource(draft: EntityDraft): IndexSource {
  return {
    title: draft.name,
    texts: [draft.notes],
    labels: [...listOf(draft.tags), draft.entity_type, draft.custom_type],
    names: listOf(draft.aka),
    dates: [],
  };
}

/** Fields as the change log tells them, for what changed and what a new one is. */
export function logged(draft: EntityDraft, projectIds: readonly number[]): Record<string, unknown> {
  const { name, entity_type, custom_type, notes, tags, aka, metadata } = draft;
  return {
    name,
    entity_type,
    custom_type,
    notes,
    tags: listOf(tags),
    aka: listOf(aka),
    metadata: objectOf(metadata),
    project_ids: [...projectIds],
    ...provenanceToWords(draft),
  };
}

/** A name as it is compared: folded, its white space single. */
export function foldName(name: string): string {
  return foldLabel(name).replace(/\s+/gu, ' ');
}

type Given = {
  readonly name: string;
  readonly entity_type: EntityType;
  readonly custom_type: string | null;
  readonly notes: string | null;
  readonly tags: readonly string[];
  readonly aka: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly provenance: ReturnType<typeof newProvenance>;
};

function complete(given: Given): EntityDraft {
  const { name, entity_type, tags, aka } = given;
  const custom = given.custom_type === null || isBlank(given.custom_type) ? null : given.custom_type.trim();
  if (entity_type === 'Other' && custom === null) {
    throw invalidField('custom_type', '`custom_type` is required when entity_type is Other: say what it is.');
  }
  return {
    name,
    entity_type,
    custom_type: entity_type === 'Other' ? custom : null,
    notes: given.notes === null || isBlank(given.notes) ? null : given.notes,
    tags: JSON.stringify(tags),
    tag_keys: labelKeys(tags),
    aka: JSON.stringify(aka),
    name_key: foldName(name),
    search_keys: [name, ...aka].map(foldName).join('\n'),
    metadata: JSON.stringify(given.metadata),
    ...given.provenance,
  };
}

function listOf(json: string): string[] {
  return JSON.parse(json) as string[];
}

function objectOf(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}
