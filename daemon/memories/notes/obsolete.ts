// Marking a note obsolete hides it from every view but its own id; a successor may be named, and no chain of successors may close.

import type { CallContext } from '#daemon/kernel/context.ts';
import { LociError } from '#shared/errors.ts';
import type { MemoryDeps } from '../deps.ts';
import { memoryById } from '../memories.repository.ts';
import { changeMemory, requireMemory } from '../update.ts';

/** Throws `not_found` for an unknown note or successor, `conflict` for a successor that would close a loop. */
export async function markObsolete(
  deps: MemoryDeps,
  { id, reason, by }: { id: number; reason: string; by: number | null },
  context: CallContext,
) {
  await requireMemory(deps, id, context);
  if (by !== null) await requireSuccessor(deps, id, by, context);
  return changeMemory(
    deps,
    id,
    {
      action: 'obsoleted',
      apply: (present) => ({
        ...present,
        status: 'obsolete',
        obsoleteReason: reason,
        supersededBy: by ?? present.supersededBy,
      }),
    },
    context,
    () => ({ success: true }),
  );
}

/** Throws `conflict` for a note that is not obsolete. */
export async function restoreObsolete(deps: MemoryDeps, id: number, context: CallContext) {
  const memory = await requireMemory(deps, id, context);
  if (memory.status === 'active') throw new LociError('conflict', `Memory ${id} is not obsolete.`, { id });
  return changeMemory(
    deps,
    id,
    {
      action: 'restored',
      apply: (present) => ({ ...present, status: 'active', obsoleteReason: null, supersededBy: null }),
    },
    context,
    () => ({ success: true }),
  );
}

async function requireSuccessor(deps: MemoryDeps, id: number, by: number, context: CallContext): Promise<void> {
  const seen = new Set<number>();
  for (let at: number | null = by; at !== null && !seen.has(at); ) {
    if (at === id) {
      throw new LociError('conflict', `Memory ${by} is superseded by ${id} itself: a chain must not close.`, {
        superseded_by: by,
      });
    }
    seen.add(at);
    const memory = await memoryById(deps.database.db, context.userId, at);
    if (memory === null) throw new LociError('not_found', `Superseding memory ${at} not found.`, { superseded_by: at });
    at = memory.supersededBy;
  }
}
