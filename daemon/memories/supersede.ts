// A newer statement replaces older ones: they stay readable, marked obsolete, and point to what replaced them.

import type { CallContext } from '#daemon/kernel/context.ts';
import type { Change } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import type { MemoryDeps } from './deps.ts';
import { keepVersion } from './history.repository.ts';
import { refileMemory } from './index-memory.ts';
import { memoriesByIds, memoryById, updateMemory } from './memories.repository.ts';
import type { Memory } from './memory.ts';

/** Marks `ids` obsolete in favour of `by`. Throws `not_found` for an id that is not the user's, `conflict` for one that would close a loop. */
export async function supersede(
  trx: Trx,
  deps: Pick<MemoryDeps, 'clock' | 'embedder'>,
  ids: readonly number[],
  by: Memory,
  context: CallContext,
): Promise<{ changes: Change[]; vectors: VectorChange[] }> {
  const nowMs = deps.clock.now();
  const changes: Change[] = [];
  const vectors: VectorChange[] = [];
  const memories = await memoriesByIds(trx, context.userId, ids);
  for (const id of ids) {
    const before = memories.get(id);
    if (before === undefined)
      throw new LociError('not_found', `Memory ${id} not found, so it cannot be superseded.`, { supersedes: id });
    if (before.status === 'obsolete' && before.supersededBy === by.id) continue;
    await refuseLoop(trx, before, by, context);
    await keepVersion(trx, before, { action: 'superseded', agent: context.agent, nowMs });
    const draft = {
      ...before,
      status: 'obsolete' as const,
      obsoleteReason: before.obsoleteReason ?? `superseded by memory ${by.id}`,
      supersededBy: by.id,
    };
    const after = await updateMemory(trx, before, {
      draft,
      projectIds: before.projectIds,
      updatedAtMs: nowMs,
      grow: true,
    });
    vectors.push(await refileMemory(trx, after, deps.embedder.modelId, nowMs));
    changes.push({
      kind: 'memory',
      thingId: id,
      action: 'superseded',
      changes: {
        status: { old: before.status, new: after.status },
        superseded_by: { old: before.supersededBy, new: by.id },
      },
    });
  }
  return { changes, vectors };
}

/** Follows the chain from `by`: if it ends at `before`, superseding it would close a loop. */
async function refuseLoop(trx: Trx, before: Memory, by: Memory, context: CallContext): Promise<void> {
  const seen = new Set<number>();
  for (let at: Memory | null = by; at !== null && !seen.has(at.id); ) {
    if (at.id === before.id) {
      throw new LociError('conflict', `Memory ${before.id} cannot be superseded by what it supersedes itself.`, {
        supersedes: before.id,
      });
    }
    seen.add(at.id);
    at = at.supersededBy === null ? null : await memoryById(trx, context.userId, at.supersededBy);
  }
}
