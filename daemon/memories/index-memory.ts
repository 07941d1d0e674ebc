// Where searches look for a memory: which of its words are indexed, and what they are filtered by.
import { fileThing, refileThing, unfileThing } from '#daemon/storage/file-thing.ts';
import { indexTextOf } from '#daemon/storage/keyword-index.ts';
import { featuresOf } from '#daemon/storage/keywords/text-features.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { type Memory, searchType } from './memory.ts';
import type { PreparedText } from './prepare-text.ts';
import { judgeText } from './quarantine/judge-text.ts';

/** Files a new or reworded memory. */
export async function fileMemory(
  trx: Trx,
  memory: Memory,
  prepared: PreparedText,
  nowMs: number,
): Promise<VectorChange> {
  await judgeText(trx, memory, nowMs);
  const words = indexTextOf({
    title: memory.title,
    texts: [memory.content, memory.context, memory.problem, memory.solution],
    labels: [...memory.concepts, ...memory.tags, ...memory.files, memory.category, memory.key],
    names: [memory.author],
    dates: [memory.occurredAtMs, memory.validFromMs, memory.validToMs],
  });
  const features = featuresOf({ text: memory.content, author: memory.author, sequence: memory.sequence });
  const thing = { ...filed(memory), session: memory.session, words, features };
  return fileThing(trx, thing, { ...prepared, passages: prepared.passages.length }, nowMs);
}

/** Files a memory whose status, type or projects changed, and whose words did not: its vectors stay. */
export function refileMemory(trx: Trx, memory: Memory, modelId: string, nowMs: number): Promise<VectorChange> {
  return refileThing(trx, filed(memory), modelId, nowMs);
}

/** Takes an erased memory out of every index. */
export function unfileMemory(trx: Trx, memory: Memory, modelId: string, nowMs: number): Promise<VectorChange> {
  return unfileThing(trx, filed(memory), modelId, nowMs);
}

function filed(memory: Memory) {
  return {
    kind: 'memory',
    id: memory.id,
    userId: memory.userId,
    status: memory.status,
    type: searchType(memory),
    projectIds: memory.projectIds,
    rev: memory.rev,
  };
}
