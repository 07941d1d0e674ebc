import type { CallContext } from '#daemon/kernel/context.ts';
import type { Change } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import type { MemoryDeps } from '../deps.ts';
import { keepVersion } from '../history.repository.ts';
import { refileMemory } from '../index-memory.ts';
import { updateMemory } from '../memories.repository.ts';
import type { Memory } from '../memory.ts';

export type Retirement = {
  /** What the history calls it: `archived`, `consolidated`. */
  readonly action: string;
  readonly reason: string;
  /** The memory that says it now, or null. */
  readonly supersededBy: number | null;
};

/** Archives a memory with reason and pointer, in the caller's transaction; reversible, as everything a job does. */
export async function retireMemory(
  trx: Trx,
  deps: Pick<MemoryDeps, 'clock' | 'embedder'>,
  before: Memory,
  { action, reason, supersededBy }: Retirement,
  context: CallContext,
): Promise<{ change: Change; vectors: VectorChange }> {
  const nowMs = deps.clock.now();
  await keepVersion(trx, before, { action, agent: context.agent, nowMs });
  const after = await updateMemory(trx, before, {
    draft: { ...before, status: 'archived', obsoleteReason: reason, supersededBy },
    projectIds: before.projectIds,
    updatedAtMs: nowMs,
    grow: true,
  });
  return {
    vectors: await refileMemory(trx, after, deps.embedder.modelId, nowMs),
    change: {
      kind: 'memory',
      thingId: before.id,
      action: 'archived',
      changes: {
        status: { old: before.status, new: 'archived' },
        obsolete_reason: { old: before.obsoleteReason, new: reason },
        superseded_by: { old: before.supersededBy, new: supersededBy },
      },
    },
  };
}
