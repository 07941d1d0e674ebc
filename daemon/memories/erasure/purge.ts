// Erased is erased: the row, its history, links, words, vectors, the texts in the change log and in stored answers,
// the write-ahead log, and the derived table. Only a caller who asks for it gets here; no job does.
import type { CallContext } from '#daemon/kernel/context.ts';
import { forgetAnswers } from '#daemon/storage/answers.ts';
import { eraseChangeTexts, recordChanges } from '#daemon/storage/change-log.ts';
import { markErasure } from '#daemon/storage/lance/lance-facts.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { removeLinks } from '#daemon/storage/thing-links.ts';
import { LociError } from '#shared/errors.ts';
import { commitChanges } from '../commit.ts';
import type { MemoryDeps } from '../deps.ts';
import { unfileMemory } from '../index-memory.ts';
import { deleteMemory, memoriesByIds } from '../memories.repository.ts';
import { allHeirs, applyWithdrawals, planWithdrawals } from './withdraw.ts';

export type Purged = {
  /** How many of the given ids there were. */
  readonly purged: number;
  /** Memories that had united an erased one, and say the rest of it now. */
  readonly rewritten: readonly number[];
  /** Memories that had united erased ones alone, and are erased with them. */
  readonly emptied: readonly number[];
};

const maxAttempts = 5;

/** Erases the user's memories among `ids` for good, and what only they said from the memories that united them. */
export async function purgeMemories<Answer>(
  deps: MemoryDeps,
  ids: readonly number[],
  context: CallContext,
  answerOf: (purged: Purged) => Answer,
): Promise<Answer> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const answer = await tryPurge(deps, ids, context, answerOf);
    if (answer === 'look again') continue;
    await eraseTraces(deps);
    return answer;
  }
  const id = ids[0] ?? 0;
  throw new LociError('conflict', `A memory that united memory ${id} is being changed: erase it again.`, { id });
}

async function tryPurge<Answer>(
  deps: MemoryDeps,
  ids: readonly number[],
  context: CallContext,
  answerOf: (purged: Purged) => Answer,
): Promise<Answer | 'look again'> {
  const plan = await planWithdrawals(deps, ids, context);
  return commitChanges(deps, context, async (trx) => {
    const nowMs = deps.clock.now();
    if (!isSameList(plan.heirs, await allHeirs(trx, ids))) return 'look again';
    const memories = await memoriesByIds(trx, context.userId, [...ids, ...plan.emptied]);
    const withdrawn = await applyWithdrawals(trx, deps, plan, ids, context);
    if (withdrawn === null) return 'look again';
    const vectors: VectorChange[] = withdrawn.vectors;
    for (const memory of memories.values()) {
      vectors.push(await unfileMemory(trx, memory, deps.embedder.modelId, nowMs));
      await removeLinks(trx, { kind: 'memory', id: memory.id });
      await deleteMemory(trx, memory.id);
      await eraseChangeTexts(trx, 'memory', memory.id);
      await forgetAnswers(trx, 'memory', memory.id);
    }
    const log = await recordChanges(trx, context, deps.clock, [
      ...[...memories.keys()].map((thingId) => ({ kind: 'memory', thingId, action: 'purged' })),
      ...withdrawn.changes,
    ]);
    await markErasure(trx);
    const answer = answerOf({
      purged: ids.filter((id) => memories.has(id)).length,
      rewritten: plan.rewritten.map(({ heir }) => heir.id),
      emptied: plan.emptied,
    });
    return { answer, vectors, log };
  });
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

/** What follows the transaction of an erasure: the write-ahead log is emptied, the derived table written anew. */
export async function eraseTraces(deps: Pick<MemoryDeps, 'database' | 'vectors' | 'logger'>): Promise<void> {
  const isEmptied = await deps.database.checkpoint().catch(() => false);
  if (!isEmptied) deps.logger.warn({}, 'the write-ahead log could not be emptied yet');
  // the table is derived: should its rewrite fail now, the next optimise does it
  await deps.vectors.erase().catch((error) => deps.logger.warn({ err: error }, 'vector table not rewritten yet'));
}
