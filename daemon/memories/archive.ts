import type { CallContext } from '#daemon/kernel/context.ts';
import type { MemoryDeps } from './deps.ts';
import { changeMemory } from './update.ts';

/** Hides a memory from search; the reason is kept with it. Archiving what is archived changes nothing. */
export async function archiveMemory(
  deps: MemoryDeps,
  { id, reason }: { id: number; reason: string | null },
  context: CallContext,
): Promise<{ id: number; status: 'active' | 'archived' | 'obsolete'; changed: boolean }> {
  return changeMemory(
    deps,
    id,
    {
      action: 'archived',
      apply: (present) =>
        present.status === 'archived' && (reason === null || present.obsoleteReason === reason)
          ? present
          : { ...present, status: 'archived', obsoleteReason: reason ?? present.obsoleteReason },
    },
    context,
    (memory, changed) => ({ id: memory.id, status: memory.status, changed }),
  );
}
