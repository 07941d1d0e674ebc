import { internalContext } from '#daemon/kernel/context.ts';
import { contentHash, type Memory } from '#daemon/memories/memory.ts';
import { emptyDraft } from '#daemon/memories/new-draft.ts';

/** A stored memory with nothing special about it. */
export function memorySample(more: Partial<Memory> & { id: number }): Memory {
  const draft = { ...emptyDraft(internalContext, 0), content: `memory ${more.id}` };
  return {
    ...draft,
    uid: `u${more.id}`,
    userId: 1,
    rev: 1,
    projectIds: [],
    contentHash: contentHash(draft),
    accessCount: 0,
    lastAccessedAtMs: null,
    createdAtMs: 0,
    updatedAtMs: 0,
    ...more,
  };
}
