// Erased is erased: the row, its history, links, words, vectors, the texts in the change log and in stored answers,
// the write-ahead log, and the derived table. Only a caller who asks for it gets here; no job does.
import type { CallContext } from '#daemon/kernel/context.ts';
import { forgetAnswers } from '#daemon/storage/answers.ts';
import { eraseChangeTexts, recordChanges } from '#daemon/storage/change-log.ts';
import { markErasure } from '#daemon/storage/lance-facts.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { removeLinks } from '#daemon/storage/thing-links.ts';
import { commitChanges } from './commit.ts';
import type { MemoryDeps } from './deps.ts';
import { unfileMemory } from './index-memory.ts';
import { deleteMemory, memoriesByIds } from './memories.repository.ts';

/** Erases the user's memories among `ids` for good and answers how many there were. */
export async function purgeMemories<Answer>(
  deps: MemoryDeps,
  ids: readonly number[],
  context: CallContext,
  answerOf: (purged: number) => Answer,
): Promise<Answer> {
  const answer = await commitChanges(deps, context, async (trx) => {
    const nowMs = deps.clock.now();
    const memories = await memoriesByIds(trx, context.userId, ids);
    const vectors: VectorChange[] = [];
    for (const memory of memories.values()) {
      vectors.push(await unfileMemory(trx, memory, deps.embedder.modelId, nowMs));
      await removeLinks(trx, { kind: 'memory', id: memory.id });
      await deleteMemory(trx, memory.id);
      await eraseChangeTexts(trx, 'memory', memory.id);
      await forgetAnswers(trx, 'memory', memory.id);
    }
    const log = await recordChanges(
      trx,
      context,
      deps.clock,
      [...memories.keys()].map((thingId) => ({ kind: 'memory', thingId, action: 'purged' })),
    );
    await markErasure(trx);
    return { answer: answerOf(memories.size), vectors, log };
  });
  if (answer === 'look again') throw new Error('a purge never looks again');
  await eraseTraces(deps);
  return answer;
}

/** What follows the transaction of an erasure: the write-ahead log is emptied, the derived table written anew. */
export async function eraseTraces(deps: Pick<MemoryDeps, 'database' | 'vectors' | 'logger'>): Promise<void> {
  const isEmptied = await deps.database.checkpoint().catch(() => false);
  if (!isEmptied) deps.logger.warn({}, 'the write-ahead log could not be emptied yet');
  // the table is derived: should its rewrite fail now, the next optimise does it
  await deps.vectors.erase().catch((error) => deps.logger.warn({ err: error }, 'vector table not rewritten yet'));
}
