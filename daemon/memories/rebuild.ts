// Embedding notes again on request: texts and times stay, only vectors are made anew.

import type { CallContext } from '#daemon/kernel/context.ts';
import { LociError } from '#shared/errors.ts';
import { commitChanges } from './commit.ts';
import type { MemoryDeps } from './deps.ts';
import { fileMemory } from './index-memory.ts';
import { activeIds, memoryById } from './memories.repository.ts';
import { prepareText } from './prepare-text.ts';

export type Rebuilt = {
  rebuilt_ids: number[];
  skipped_ids: number[];
  failed: { memory_id: number; reason: string }[];
};

/** Embeds the given notes, a project's, or all active ones. Throws `invalid_input` for an empty list. */
export async function rebuildNotes(
  deps: MemoryDeps,
  { memoryIds, projectId }: { memoryIds: readonly number[] | null; projectId: number | null },
  context: CallContext,
): Promise<Rebuilt> {
  if (memoryIds !== null && memoryIds.length === 0) {
    throw new LociError('invalid_input', '`memory_ids`: must not be empty: leave it out to rebuild all.', {
      memory_ids: 'must not be empty',
    });
  }
  const ids = memoryIds ?? (await activeIds(deps.database.db, context.userId, projectId));
  const result: Rebuilt = { rebuilt_ids: [], skipped_ids: [], failed: [] };
  for (const id of ids) {
    const memory = await memoryById(deps.database.db, context.userId, id);
    if (memory === null || (projectId !== null && !memory.projectIds.includes(projectId))) {
      result.failed.push({ memory_id: id, reason: 'not_found_or_not_owned' });
    } else if (memory.status !== 'active') {
      result.skipped_ids.push(id);
    } else {
      const prepared = await prepareText(deps.embedder, memory, 'bulk');
      // without a model the vectors that are there are better than none
      if (prepared.state === 'pending' && prepared.vector === null) {
        result.failed.push({ memory_id: id, reason: 'embedding_unavailable' });
        continue;
      }
      // the claim is the whole call's, not one note's
      const done = await commitChanges(deps, { ...context, claim: null }, async (trx) => {
        const present = await memoryById(trx, context.userId, id);
        if (present === null || present.rev !== memory.rev) return 'look again';
        return { answer: true, vectors: [await fileMemory(trx, present, prepared, deps.clock.now())], log: [] };
      });
      // changed meanwhile: that change has embedded its own text
      if (done === 'look again') result.skipped_ids.push(id);
      else result.rebuilt_ids.push(id);
    }
  }
  return result;
}
