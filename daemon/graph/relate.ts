// Directed edges between entities. Both ends must exist, and a pair has a type once: that is checked in the transaction that writes,
// so a batch with one bad edge leaves none behind.
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { newUid } from '#daemon/kernel/ids.ts';
import { commitChanges, eraseTraces } from '#daemon/memories/index.ts';
import { refuseSecrets } from '#daemon/secrets/detect-secrets.ts';
import { forgetAnswers } from '#daemon/storage/answers.ts';
import { eraseChangeTexts, recordChanges } from '#daemon/storage/change-log.ts';
import { newProvenance, patchedProvenance, provenanceToWords } from '#daemon/storage/provenance.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { oneOf } from '#daemon/things/index.ts';
import type {
  NewRelationship,
  Relationship,
  updateEntityRelationship,
} from '#shared/contract/knowledge/relationships.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import type { GraphDeps } from './deps.ts';
import {
  insertRelationship,
  type RelationshipRow,
  relationshipById,
  relationshipOf,
  removeRelationship,
  updateRelationship,
} from './relationships.repository.ts';
import { differences, requireEntity, settled } from './save-entity.ts';

/** Stores relationships, all or none. Throws `not_found` for an end that does not exist, `conflict` for one that is there already. */
export async function relate<Answer>(
  deps: GraphDeps,
  given: readonly NewRelationship[],
  context: CallContext,
  answerOf: (made: Relationship[]) => Answer,
): Promise<Answer> {
  const edges = given.map((input) => ({ input, ...endsOf(input) }));
  for (const { input } of edges) refuseSecretsIn(input);
  return settled(
    await commitChanges(deps, context, async (trx) => {
      const rows: RelationshipRow[] = [];
      for (const { input, sourceId, targetId } of edges) {
        await requireEntity(trx, context.userId, sourceId, 'Source entity');
        await requireEntity(trx, context.userId, targetId, 'Target entity');
        rows.push(await add(deps, trx, { input, sourceId, targetId }, context));
      }
      const log = await recordChanges(
        trx,
        context,
        deps.clock,
        rows.map((row) => ({
          kind: 'entity_relationship',
          thingId: row.id,
          action: 'created',
          snapshot: relationshipToWords(row),
        })),
      );
      return { answer: answerOf(rows.map(relationshipToWords)), vectors: [], log };
    }),
  );
}

type UpdateInput = ParsedInputOf<typeof updateEntityRelationship>;

/** Changes what a relationship says; its ends stay. Throws `not_found`, and `conflict` for a type that the pair has already. */
export async function changeRelationship(
  deps: GraphDeps,
  id: number,
  input: UpdateInput,
  context: CallContext,
): Promise<Relationship> {
  refuseSecretsIn(input);
  return settled(
    await commitChanges(deps, context, async (trx) => {
      const present = await requireRelationship(trx, context.userId, id);
      const columns = {
        relationship_type: input.relationship_type?.trim() ?? present.relationship_type,
        strength: input.strength === undefined ? present.strength : input.strength,
        metadata: input.metadata === undefined ? present.metadata : JSON.stringify(input.metadata ?? {}),
        ...patchedProvenance(present, input),
      };
      const changes = differences(wordsOf(present), wordsOf({ ...present, ...columns }));
      if (Object.keys(changes).length === 0) return { answer: relationshipToWords(present), vectors: [], log: [] };
      if (columns.relationship_type !== present.relationship_type) await refuseSecond(trx, { ...present, ...columns });
      const row = await updateRelationship(trx, id, { ...columns, updated_at: deps.clock.now() });
      const log = await recordChanges(trx, context, deps.clock, [
        { kind: 'entity_relationship', thingId: id, action: 'updated', changes },
      ]);
      return { answer: relationshipToWords(row), vectors: [], log };
    }),
  );
}

/** Erases a relationship. Throws `not_found`. */
export async function deleteRelationship<Answer>(
  deps: GraphDeps,
  id: number,
  context: CallContext,
  answer: Answer,
): Promise<Answer> {
  const given = await commitChanges(deps, context, async (trx) => {
    await requireRelationship(trx, context.userId, id);
    await removeRelationship(trx, id);
    await eraseChangeTexts(trx, 'entity_relationship', id);
    await forgetAnswers(trx, 'entity_relationship', id);
    const log = await recordChanges(trx, context, deps.clock, [
      { kind: 'entity_relationship', thingId: id, action: 'deleted' },
    ]);
    return { answer, vectors: [], log };
  });
  await eraseTraces(deps);
  return settled(given);
}

export function relationshipToWords(row: RelationshipRow): Relationship {
  return {
    id: row.id,
    relationship_id: row.id,
    source_entity_id: row.source_id,
    from_entity_id: row.source_id,
    target_entity_id: row.target_id,
    to_entity_id: row.target_id,
    ...wordsOf(row),
    created_at: toUtc(row.created_at),
    updated_at: toUtc(row.updated_at),
  };
}

function wordsOf(row: RelationshipRow) {
  return {
    relationship_type: row.relationship_type,
    strength: row.strength,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    ...provenanceToWords(row),
  };
}

function endsOf(input: NewRelationship): { sourceId: number; targetId: number } {
  const { source_entity_id, from_entity_id, target_entity_id, to_entity_id } = input;
  const sourceId = oneOf({ source_entity_id, from_entity_id });
  const targetId = oneOf({ target_entity_id, to_entity_id });
  if (sourceId === targetId) {
    throw invalidField('target_entity_id', 'Source and target must be two entities: nothing relates to itself.');
  }
  return { sourceId, targetId };
}

async function add(
  deps: GraphDeps,
  trx: Trx,
  { input, sourceId, targetId }: { input: NewRelationship; sourceId: number; targetId: number },
  context: CallContext,
): Promise<RelationshipRow> {
  const nowMs = deps.clock.now();
  const pair = { source_id: sourceId, target_id: targetId, relationship_type: input.relationship_type.trim() };
  await refuseSecond(trx, pair);
  return insertRelationship(trx, {
    ...pair,
    uid: newUid(nowMs),
    user_id: context.userId,
    strength: input.strength,
    metadata: JSON.stringify(input.metadata ?? {}),
    ...newProvenance(input, context.encoding),
    created_at: nowMs,
    updated_at: nowMs,
  });
}

async function refuseSecond(
  trx: Trx,
  pair: Pick<RelationshipRow, 'source_id' | 'target_id' | 'relationship_type'>,
): Promise<void> {
  const present = await relationshipOf(trx, pair);
  if (present === null) return;
  throw new LociError(
    'conflict',
    `Relationship ${present.id} says that already: change it with update_entity_relationship.`,
    { relationship_id: present.id },
  );
}

async function requireRelationship(trx: Trx, userId: number, id: number): Promise<RelationshipRow> {
  const row = await relationshipById(trx, userId, id);
  if (row !== null) return row;
  throw new LociError('not_found', `Entity relationship ${id} not found.`, { relationship_id: id });
}

function refuseSecretsIn(input: {
  readonly relationship_type?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
  readonly source_url?: string | null | undefined;
}): void {
  const { relationship_type, source_url, metadata } = input;
  refuseSecrets({ relationship_type, source_url, metadata: JSON.stringify(metadata ?? {}) });
}
