// Two machines that changed one memory apart must end with one memory, whichever imports from the other, and however often.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Version, versionFields } from '#daemon/storage/records/memory-snapshots.ts';
import { mergeRecords } from '#daemon/transfer/merge/merge-records.ts';

type Memory = Record<string, unknown>;

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();

function newMemory(more: Memory = {}): Memory {
  return {
    kind: 'memory',
    uid: '01920000-0000-7000-8000-000000000001',
    status: 'active',
    type: 'fact',
    title: null,
    content: 'the port is 3456',
    context: null,
    problem: null,
    solution: null,
    concepts: [],
    tags: [],
    files: [],
    category: null,
    key: null,
    importance: 5,
    confidence: 0.5,
    provenance: 'save',
    provenance_class: 'agent',
    tier: 'regular',
    pinned: false,
    obsolete_reason: null,
    obsoleted_at: null,
    metadata: {},
    superseded_by: null,
    projects: [],
    access_count: 0,
    last_accessed_at: null,
    kept_apart_at: null,
    field_times: null,
    united: [],
    history: [],
    occurred_at: at(0),
    created_at: at(0),
    updated_at: at(0),
    ...more,
  };
}

/** A change as a store makes it: the state before becomes a version. */
function changed(memory: Memory, minute: number, change: Memory): Memory {
  const words = [...versionFields.map(({ word }) => word), 'projects', 'superseded_by'];
  const snapshot = Object.fromEntries(words.map((word) => [word, memory[word] ?? null]));
  const version: Version = {
    action: 'updated',
    agent: null,
    from: memory.updated_at as string,
    to: at(minute),
    snapshot,
  };
  return { ...memory, ...change, updated_at: at(minute), history: [...(memory.history as Version[]), version] };
}

const change = fc.record(
  {
    content: fc.constantFrom('the port is 3456', 'the port is 4000', 'the port is 5000'),
    context: fc.constantFrom(null, 'seen in the log', 'told by the owner'),
    importance: fc.integer({ min: 1, max: 10 }),
    status: fc.constantFrom('active', 'archived', 'obsolete'),
    tags: fc.subarray(['a', 'b', 'c']),
    pinned: fc.boolean(),
  },
  { requiredKeys: [] },
);
const edits = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), change), { maxLength: 4 });

const machines = fc
  .tuple(edits, edits, edits, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }))
  .map(([before, one, other, readsA, readsB]) => {
    const base = replay(newMemory(), before, 0);
    const start = minuteOf(base);
    const a: Memory = { ...replay(base, one, start), access_count: readsA };
    const b: Memory = { ...replay(base, other, start), access_count: readsB };
    return { a, b };
  });

function replay(memory: Memory, steps: readonly (readonly [number, Memory])[], start: number): Memory {
  let minute = start;
  let state = memory;
  for (const [pause, step] of steps) {
    minute += pause;
    state = changed(state, minute, step);
  }
  return state;
}

function minuteOf(memory: Memory): number {
  return (Date.parse(memory.updated_at as string) - Date.UTC(2026, 0, 1)) / 60_000;
}

const merge = (a: Memory, b: Memory): Memory => mergeRecords('memory', a, b).record as Memory;

describe('a memory that two machines changed', () => {
  it('is the same whichever side imports from the other', () => {
    fc.assert(
      fc.property(machines, ({ a, b }) => {
        expect(merge(a, b)).toEqual(merge(b, a));
      }),
      { numRuns: 400 },
    );
  });

  it('does not change when either side is imported again', () => {
    fc.assert(
      fc.property(machines, ({ a, b }) => {
        const merged = merge(a, b);
        expect(merge(merged, b)).toEqual(merged);
        expect(merge(merged, a)).toEqual(merged);
        expect(merge(a, a)).toEqual(a);
      }),
      { numRuns: 400 },
    );
  });

  it('stays as it is where the other side is an earlier state of it', () => {
    fc.assert(
      fc.property(edits, edits, (before, after) => {
        const old = replay(newMemory(), before, 0);
        const grown = replay(old, after, minuteOf(old));
        expect(merge(grown, old)).toEqual(grown);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps every text of both sides, in the memory or in its history', () => {
    fc.assert(
      fc.property(machines, ({ a, b }) => {
        const merged = merge(a, b);
        const told = [merged, ...(merged.history as Version[]).map(({ snapshot }) => snapshot)];
        for (const side of [a, b]) {
          const said = [side.content, side.context];
          expect(told.some((state) => state.content === said[0] && (state.context ?? null) === said[1])).toBe(true);
        }
      }),
    );
  });

  it('takes each field from the side that wrote it last, though the other side was changed later', () => {
    const base = newMemory();
    const laptop = changed(base, 10, { content: 'the port is 4000' });
    const desktop = changed(base, 20, { importance: 9 });
    expect(merge(laptop, desktop)).toMatchObject({ content: 'the port is 4000', importance: 9, updated_at: at(20) });
    const third = changed(base, 15, { content: 'the port is 5000' });
    expect(merge(merge(laptop, desktop), third)).toMatchObject({ content: 'the port is 5000', importance: 9 });
  });

  it('is written on after a merge, and the newer text wins again', () => {
    const base = newMemory();
    const merged = merge(changed(base, 10, { content: 'the port is 4000' }), changed(base, 20, { importance: 9 }));
    const later = changed(merged, 30, { importance: 2 });
    const old = changed(base, 15, { content: 'the port is 5000' });
    expect(merge(later, old)).toMatchObject({ content: 'the port is 5000', importance: 2 });
  });

  it('a thing of another kind is the side that was changed last, whole, where neither tells times of its fields', () => {
    const plan = { kind: 'plan', uid: 'u', title: 'one', goal: 'a', created_at: at(0), updated_at: at(5) };
    const other = { ...plan, title: 'two', goal: null, updated_at: at(6) };
    expect(mergeRecords('plan', plan, other)).toMatchObject({
      record: other,
      changed: ['title', 'goal', 'updated_at'],
    });
    expect(mergeRecords('plan', other, plan)).toMatchObject({ record: other, changed: [], lost: ['title', 'goal'] });
  });
});
