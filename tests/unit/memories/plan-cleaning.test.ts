import { describe, expect, it } from 'vitest';
import type { MemorySettings } from '#daemon/memories/deps.ts';
import { type Comparable, comparable, planDuplicates, whyOutlived } from '#daemon/memories/upkeep/plan-cleaning.ts';
import { dayMs } from '../../support/fake-clock.ts';
import { memorySample } from '../../support/memory-samples.ts';

const settings: MemorySettings = {
  mergeThreshold: 0.92,
  obsoleteThreshold: 0.89,
  decayStrength: 0.05,
  automaticLinks: 3,
  linkThreshold: 0.7,
  tokenBudget: 8_000,
  maxMemories: 20,
  rerankCandidates: 20,
  halfLifeDays: 30,
  consolidation: { below: 0.3, threshold: 0.8, minCandidates: 10 },
  cleaning: { archiveBelow: 0.1, duplicateThreshold: 0.95 },
};

const same = (id: number, more: object = {}): [number, Comparable] => [
  id,
  comparable(memorySample({ id, content: 'The same text', ...more })),
];
const pair = (a: number, b: number, similarity = 0.97) => ({ a, b, similarity });
const plan = (pairs: ReturnType<typeof pair>[], ...memories: [number, Comparable][]) =>
  planDuplicates(pairs, new Map(memories)).map(({ id, keptId }) => [id, keptId]);

describe('duplicates', () => {
  it('keep the one with more accesses, then higher confidence, then the newer', () => {
    expect(plan([pair(1, 2)], same(1, { accessCount: 1 }), same(2, { confidence: 0.9 }))).toEqual([[2, 1]]);
    expect(plan([pair(1, 2)], same(1, { confidence: 0.9 }), same(2, { updatedAtMs: 5 }))).toEqual([[2, 1]]);
    expect(plan([pair(1, 2)], same(1, { updatedAtMs: 9 }), same(2))).toEqual([[2, 1]]);
    expect(plan([pair(1, 2)], same(1), same(2))).toEqual([[1, 2]]);
  });

  it('never point to a memory that is archived itself', () => {
    const pairs = [pair(1, 2, 0.99), pair(2, 3, 0.98), pair(1, 3, 0.96)];
    expect(plan(pairs, same(1), same(2), same(3))).toEqual([
      [1, 2],
      [2, 3],
    ]);
    const kept = new Set(plan(pairs, same(1), same(2), same(3)).map(([id]) => id));
    expect(kept.has(3)).toBe(false);
  });

  it('need the guard: a number more, and they are two', () => {
    expect(plan([pair(1, 2)], same(1), same(2, { content: 'The same text 2' }))).toEqual([]);
  });

  it('leave a core memory alone, and one that is not among the comparable', () => {
    expect(plan([pair(1, 2)], same(1, { tier: 'core' }), same(2, { accessCount: 3 }))).toEqual([]);
    expect(plan([pair(1, 2)], same(1, { tier: 'core', accessCount: 3 }), same(2))).toEqual([[2, 1]]);
    expect(plan([pair(1, 2)], same(1))).toEqual([]);
  });
});

describe('what has outlived its use', () => {
  const nowMs = 1_000 * dayMs;
  const aged = (days: number, more: object = {}) => memorySample({ id: 1, createdAtMs: nowMs - days * dayMs, ...more });

  it.each([
    ['expired to the millisecond', aged(0, { expiresAtMs: nowMs }), 'expired'],
    ['a millisecond before its expiry', aged(0, { expiresAtMs: nowMs + 1 }), null],
    ['pinned and expired', aged(0, { expiresAtMs: nowMs, pinned: true }), 'expired'],
    ['faded', aged(200), 'decayed'],
    ['not yet faded', aged(199), null],
    ['faded and pinned', aged(900, { pinned: true }), null],
    ['faded and core', aged(900, { tier: 'core' }), null],
    ['a keyed fact, however old', aged(900, { category: 'other', key: 'k' }), null],
    ['archived already', aged(900, { status: 'archived' }), null],
  ])('%s', (_what, memory, why) => {
    expect(whyOutlived(memory, nowMs, settings)).toBe(why);
  });
});
