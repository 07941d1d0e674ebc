// Files a memory where searches look: the searchable row (and by triggers the keyword index), the vectors, the outbox.
// All in the transaction of the change; what it answers is published to the vector index in the same tick as the commit.
import { indexTextOf } from '#daemon/storage/keyword-index.ts';
import { enqueue } from '#daemon/storage/outbox.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { deleteSearchable, refileSearchable, writeSearchable } from '#daemon/storage/searchables.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { carryVectors, deleteVectors, noDirection, writeVectors } from '#daemon/storage/store-vectors.ts';
import { featuresOf } from '#daemon/storage/text-features.ts';
import { type Memory, searchType } from './memory.ts';
import type { PreparedText } from './prepare-text.ts';

const kind = 'memory';

/** Files a new or reworded memory. */
export async function fileMemory(
  trx: Trx,
  memory: Memory,
  prepared: PreparedText,
  nowMs: number,
): Promise<VectorChange> {
  const key = { kind, id: memory.id };
  const words = indexTextOf({
    title: memory.title,
    texts: [memory.content, memory.context, memory.problem, memory.solution],
    labels: [...memory.concepts, ...memory.tags, ...memory.files, memory.category, memory.key],
    names: [memory.author],
    dates: [memory.occurredAtMs, memory.validFromMs, memory.validToMs],
  });
  const features = featuresOf({ text: memory.content, author: memory.author, sequence: memory.sequence });
  await writeSearchable(trx, {
    ...key,
    ...filterKeys(memory),
    userId: memory.userId,
    session: memory.session,
    passages: prepared.state === 'directionless' ? noDirection : prepared.passages.length,
    embedded: false,
    words,
    features,
  });
  await deleteVectors(trx, [key]);
  const vectors = prepared.vector === null ? [] : [{ passage: 0, vector: prepared.vector }];
  const complete = prepared.state === 'complete';
  await writeVectors(trx, { ...key, rev: memory.rev, modelId: prepared.modelId, passages: vectors, complete });
  await enqueue(trx, [{ ...key, rev: memory.rev }], nowMs);
  return { ...key, ...filterKeys(memory), userId: memory.userId, modelId: prepared.modelId, vectors };
}

/** Files a memory whose status, type or projects changed, and whose words did not: its vectors stay. */
export async function refileMemory(trx: Trx, memory: Memory, modelId: string, nowMs: number): Promise<VectorChange> {
  const key = { kind, id: memory.id };
  await refileSearchable(trx, { ...key, ...filterKeys(memory) });
  await carryVectors(trx, { ...key, fromRev: memory.rev - 1, toRev: memory.rev });
  await enqueue(trx, [{ ...key, rev: memory.rev }], nowMs);
  return { ...key, ...filterKeys(memory), userId: memory.userId, modelId, vectors: 'kept' };
}

/** Takes an erased memory out of every index. */
export async function unfileMemory(trx: Trx, memory: Memory, modelId: string, nowMs: number): Promise<VectorChange> {
  const key = { kind, id: memory.id };
  await deleteSearchable(trx, key);
  await deleteVectors(trx, [key]);
  await enqueue(trx, [{ ...key, rev: memory.rev + 1 }], nowMs);
  return { ...key, ...filterKeys(memory), rev: memory.rev + 1, userId: memory.userId, modelId, vectors: null };
}

function filterKeys(memory: Memory) {
  return {
    status: memory.status,
    type: searchType(memory),
    projectIds: memory.projectIds,
    rev: memory.rev,
  };
}
