import { describe, expect, it } from 'vitest';
import { internalContext } from '#daemon/kernel/context.ts';
import { keepsText, mergeDrafts } from '#daemon/memories/duplicates/merge.ts';
import type { Memory } from '#daemon/memories/memory.ts';
import { emptyDraft } from '#daemon/memories/new-draft.ts';

const base = { ...emptyDraft(internalContext, 0), content: 'Short.' };
const target: Memory = {
  ...base,
  id: 1,
  uid: 'u',
  userId: 1,
  rev: 1,
  projectIds: [],
  contentHash: '',
  accessCount: 4,
  lastAccessedAtMs: null,
  createdAtMs: 0,
  updatedAtMs: 0,
};

describe('a merge', () => {
  it('keeps the longer content and says when the other text must go to the history', () => {
    const longer = { ...base, content: 'Short, and then some.' };
    expect(mergeDrafts(target, longer).content).toBe(longer.content);
    expect(keepsText(mergeDrafts(target, longer), longer)).toBe(true);
    const shorter = { ...base, content: 'S.' };
    expect(mergeDrafts(target, shorter).content).toBe('Short.');
    expect(keepsText(mergeDrafts(target, shorter), shorter)).toBe(false);
  });

  it('unites lists without repeats and fills gaps from either side', () => {
    const united = mergeDrafts({ ...target, tags: ['A'], problem: 'p' }, { ...base, tags: ['a', 'b'], solution: 's' });
    expect(united.tags).toEqual(['A', 'b']);
    expect([united.problem, united.solution]).toEqual(['p', 's']);
  });

  it('keeps the larger confidence and importance, and a tier that never falls', () => {
    const united = mergeDrafts(
      { ...target, confidence: 0.9, tier: 'core' },
      { ...base, confidence: 0.2, importance: 9 },
    );
    expect([united.confidence, united.importance, united.tier]).toEqual([0.9, 9, 'core']);
  });
});
