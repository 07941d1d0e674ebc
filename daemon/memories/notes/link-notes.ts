// Linking and unlinking notes. Targets that do not exist or are linked already are skipped and named, as callers expect.

import type { CallContext } from '#daemon/kernel/context.ts';
import { recordChanges } from '#daemon/storage/change-log.ts';
import { LociError } from '#shared/errors.ts';
import { commitChanges } from '../commit.ts';
import type { MemoryDeps } from '../deps.ts';
import type { LinkEnds } from '../link-ends.ts';
import { addLinks, neighboursOf, removeLink } from '../links.repository.ts';
import { memoriesByIds } from '../memories.repository.ts';
import { isLive, type Memory } from '../memory.ts';
import { requireMemory } from '../update.ts';
import { linkChange } from './create-note.ts';

/** In the words of the operation, because what the transaction answers is what the same key gets again. */
export type Linked = {
  linked_memory_ids: number[];
  linked_ids: number[];
  skipped_ids: { id: number; reason: string }[];
};

/** Links a note to others. Throws `not_found` for a source that is not the user's. */
export async function linkNotes(
  deps: MemoryDeps,
  { sourceId, targetIds }: LinkEnds,
  context: CallContext,
): Promise<Linked> {
  await requireMemory(deps, sourceId, context);
  const answer = await commitChanges(deps, context, async (trx) => {
    const known = await memoriesByIds(trx, context.userId, targetIds);
    const present = targetIds.filter((id) => known.has(id));
    const linked = await addLinks(trx, {
      userId: context.userId,
      sourceId,
      targetIds: present,
      origin: 'manual',
      nowMs: deps.clock.now(),
    });
    const skipped = targetIds
      .filter((id) => !linked.includes(id))
      .map((id) => ({ id, reason: known.has(id) ? 'linked already' : 'not found' }));
    const log = await recordChanges(
      trx,
      context,
      deps.clock,
      linked.map((id) => linkChange(sourceId, id, 'created', 'manual')),
    );
    return { answer: { linked_memory_ids: linked, linked_ids: linked, skipped_ids: skipped }, vectors: [], log };
  });
  return settled(answer);
}

/** Removes the links between a note and others; answers true only if every pair was linked. `refuse` may throw where none was. */
export async function unlinkNotes(
  deps: MemoryDeps,
  { sourceId, targetIds }: LinkEnds,
  context: CallContext,
  refuse: () => void = () => undefined,
): Promise<boolean> {
  const answer = await commitChanges(deps, context, async (trx) => {
    const known = await memoriesByIds(trx, context.userId, [sourceId, ...targetIds]);
    const removed: number[] = [];
    for (const id of targetIds) {
      if (known.has(sourceId) && known.has(id) && (await removeLink(trx, sourceId, id))) removed.push(id);
    }
    if (removed.length === 0) refuse();
    const log = await recordChanges(
      trx,
      context,
      deps.clock,
      removed.map((id) => linkChange(sourceId, id, 'deleted', 'manual')),
    );
    return { answer: { success: removed.length === targetIds.length }, vectors: [], log };
  });
  return settled(answer).success;
}

/** Removes one link. Throws `not_found` when the two are not linked. */
export async function removeNoteLink(
  deps: MemoryDeps,
  id: number,
  targetId: number,
  context: CallContext,
): Promise<void> {
  await requireMemory(deps, id, context);
  await unlinkNotes(deps, { sourceId: id, targetIds: [targetId] }, context, () => {
    throw new LociError('not_found', `Memories ${id} and ${targetId} are not linked.`, { target_id: targetId });
  });
}

/** The active notes a note is linked to, most important first. */
export async function noteLinks(deps: MemoryDeps, id: number, limit: number, context: CallContext): Promise<Memory[]> {
  await requireMemory(deps, id, context);
  const { db } = deps.database;
  const pairs = await neighboursOf(db, context.userId, [id], { perMemory: limit, projectIds: null });
  const rows = await memoriesByIds(
    db,
    context.userId,
    pairs.map((pair) => pair.to),
  );
  const nowMs = deps.clock.now();
  return pairs.flatMap(({ to }) => {
    const memory = rows.get(to);
    return memory === undefined || !isLive(memory, nowMs) ? [] : [memory];
  });
}

function settled<Answer>(answer: Answer | 'look again'): Answer {
  if (answer === 'look again') throw new Error('a link never looks again');
  return answer;
}
