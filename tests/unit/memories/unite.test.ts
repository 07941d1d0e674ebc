import { describe, expect, it } from 'vitest';
import { partsThatFit, uniteMemories } from '#daemon/memories/upkeep/unite.ts';
import { memorySample } from '../../support/memory-samples.ts';

describe('a union', () => {
  it('tells its members in the order in which they happened', () => {
    const { draft } = uniteMemories([
      memorySample({ id: 1, content: 'Third.', occurredAtMs: 3 }),
      memorySample({ id: 2, content: 'First.', occurredAtMs: 1 }),
      memorySample({ id: 3, content: 'Second.', occurredAtMs: 2 }),
    ]);
    expect(draft.content).toBe('First.\nSecond.\nThird.');
    expect(draft.occurredAtMs).toBe(3);
  });

  it('unites lists, texts, titles, metadata and projects, and sums the accesses', () => {
    const { draft, projectIds, accessCount } = uniteMemories([
      memorySample({
        id: 1,
        title: 'Deploys',
        tags: ['A'],
        problem: 'It broke.',
        metadata: { one: 1, both: 'old' },
        accessCount: 2,
        projectIds: [7, 8],
        updatedAtMs: 1,
      }),
      memorySample({
        id: 2,
        title: 'Deployment',
        tags: ['a', 'b'],
        problem: 'It broke. Twice.',
        solution: 'Retry.',
        metadata: { two: 2, both: 'new' },
        accessCount: 3,
        projectIds: [7, 9],
        updatedAtMs: 2,
      }),
    ]);
    expect(draft).toMatchObject({
      title: 'Deploys · Deployment',
      tags: ['A', 'b'],
      problem: 'It broke.\nTwice.',
      solution: 'Retry.',
      context: null,
      metadata: { one: 1, two: 2, both: 'new' },
    });
    expect([projectIds, accessCount]).toEqual([[7, 8, 9], 5]);
  });

  it('takes the larger of importance and confidence with its provenance, and is core if one was', () => {
    const { draft } = uniteMemories([
      memorySample({ id: 1, importance: 9, confidence: 0.5 }),
      memorySample({ id: 2, importance: 2, confidence: 0.9, provenance: 'human', tier: 'core' }),
    ]);
    expect(draft).toMatchObject({ importance: 9, confidence: 0.9, provenance: 'human', tier: 'core' });
  });

  it('has an end only where all of them end, and then the last; what only one names stays', () => {
    const ends = uniteMemories([
      memorySample({ id: 1, expiresAtMs: 10, validFromMs: 5, author: 'Ada', session: 's', sequence: 1 }),
      memorySample({ id: 2, expiresAtMs: 20, validFromMs: 3, session: 't', sequence: 2 }),
    ]).draft;
    expect(ends).toMatchObject({ expiresAtMs: 20, validFromMs: 3, author: 'Ada', session: null, sequence: null });
    const open = uniteMemories([memorySample({ id: 1, expiresAtMs: 10 }), memorySample({ id: 2 })]).draft;
    expect(open).toMatchObject({ expiresAtMs: null, validFromMs: null });
  });
});

describe('parts that fit into one memory', () => {
  it('are one where all fits, and leave nobody alone in a part', () => {
    const small = [1, 2, 3].map((id) => memorySample({ id }));
    expect(partsThatFit(small).map((part) => part.length)).toEqual([3]);
    expect(partsThatFit(small.slice(0, 1))).toEqual([]);
  });

  it('are several where content, labels or metadata would not', () => {
    const long = [1, 2, 3, 4].map((id) => memorySample({ id, content: `${'word '.repeat(1_900)}${id}.` }));
    expect(partsThatFit(long).map((part) => part.map(({ id }) => id))).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const labelled = [1, 2].map((id) =>
      memorySample({ id, tags: Array.from({ length: 30 }, (_, tag) => `${id}-${tag}`) }),
    );
    expect(partsThatFit(labelled)).toEqual([]);
    const heavy = [1, 2].map((id) => memorySample({ id, metadata: { [`m${id}`]: 'x'.repeat(10_000) } }));
    expect(partsThatFit(heavy)).toEqual([]);
  });

  it('are one where long texts say the same', () => {
    const same = [1, 2, 3].map((id) => memorySample({ id, content: `${'word '.repeat(3_000)}.` }));
    expect(partsThatFit(same).map((part) => part.length)).toEqual([3]);
  });
});
