import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScopeFilter } from '#daemon/storage/search-types.ts';
import { createExactVectors, type ThingRows } from '#daemon/storage/vectors/exact-vectors.ts';
import { isAdmitted } from '#daemon/storage/vectors/scope-groups.ts';
import { cosineOf, createVectorSource, scope } from '../../support/vector-store.ts';

const dimensions = 8;
const next = createVectorSource(dimensions);
const palette = Array.from({ length: 12 }, next);

function bytesOf(at: number): Uint8Array {
  return new Uint8Array((palette[at] as Float32Array).slice().buffer);
}

function thing(part: Partial<ThingRows> & { id: number }): ThingRows {
  return { kind: 'memory', userId: 1, status: 'active', type: 'fact', projects: ',', rev: 1, passages: [], ...part };
}

type Step =
  | { do: 'put'; id: number; rev: number; status: string; projects: string; vectors: number[] }
  | { do: 'bury' | 'forget'; id: number; rev: number }
  | { do: 'rekey'; id: number; rev: number; status: string; projects: string };

const id = fc.integer({ min: 1, max: 6 });
const rev = fc.integer({ min: 1, max: 5 });
const status = fc.constantFrom('active', 'archived');
const projects = fc.constantFrom(',', ',3,', ',3,17,', ',13,');
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('put' as const),
      id,
      rev,
      status,
      projects,
      vectors: fc.array(fc.nat(11), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ do: fc.constantFrom('bury' as const, 'forget' as const), id, rev }),
    fc.record({ do: fc.constant('rekey' as const), id, rev, status, projects }),
  ),
  { maxLength: 40 },
);
const filters: fc.Arbitrary<ScopeFilter> = fc.record({
  userId: fc.constant(1),
  kinds: fc.constant(['memory']),
  statuses: fc.subarray(['active', 'archived']),
  types: fc.constant(null),
  projectIds: fc.option(fc.subarray([3, 13, 17, 99])),
  exclude: fc.subarray([
    { kind: 'memory', id: 1 },
    { kind: 'memory', id: 2 },
  ]),
});

describe('vectors in memory', () => {
  it('hold and find what a plain map of the newest revs holds and finds, whatever happens to them', () => {
    fc.assert(
      fc.property(steps, filters, fc.nat(11), fc.integer({ min: 1, max: 8 }), (happened, filter, asked, limit) => {
        const vectors = createExactVectors(dimensions);
        const model = new Map<number, ThingRows>();
        for (const step of happened) apply(step, vectors, model);

        const query = palette[asked] as Float32Array;
        const excluded = new Set((filter.exclude ?? []).map((key) => key.id));
        const admitted = [...model.values()].filter((held) => !excluded.has(held.id) && isAdmitted(filter, held));
        const cosines = admitted.flatMap(({ passages }) => passages.map(({ bytes }) => cosineTo(query, bytes)));
        const wanted = admitted
          .filter(({ passages }) => passages.length > 0)
          .map((held) => Math.max(...held.passages.map(({ bytes }) => cosineTo(query, bytes))))
          .sort((a, b) => b - a)
          .slice(0, limit);

        const { hits, noise } = vectors.search(query, filter, limit);
        expect(hits.map(({ similarity }) => similarity.toFixed(4))).toEqual(wanted.map((cosine) => cosine.toFixed(4)));
        for (const hit of hits) expect(model.get(hit.id)?.rev).toBe(hit.rev);
        expect(noise.rows).toBe(cosines.length);
        // what the search has computed is used again, what it has not is computed
        for (const held of model.values()) {
          const nearest = Math.max(...held.passages.map(({ bytes }) => cosineTo(query, bytes)));
          const cosine = vectors.cosine(query, held);
          if (held.passages.length === 0) expect(cosine).toBeNull();
          else expect(cosine).toBeCloseTo(nearest, 4);
        }
        const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / Math.max(1, cosines.length);
        expect(noise.mean).toBeCloseTo(mean, 4);
        expect(vectors.rows()).toBe([...model.values()].reduce((sum, held) => sum + held.passages.length, 0));
      }),
      { numRuns: 300 },
    );
  });

  it('find a thing with filter keys that were new since the same filter was last asked with', () => {
    const vectors = createExactVectors(dimensions);
    const query = palette[0] as Float32Array;
    const found = () => vectors.search(query, scope({ projectIds: [3] }), 10).hits.map((hit) => hit.id);
    vectors.put(thing({ id: 1, projects: ',3,', passages: [{ passage: 0, bytes: bytesOf(0) }] }));
    expect(found()).toEqual([1]);
    vectors.put(thing({ id: 2, projects: ',3,17,', passages: [{ passage: 0, bytes: bytesOf(1) }] }));
    vectors.put(thing({ id: 3, projects: ',17,', passages: [{ passage: 0, bytes: bytesOf(2) }] }));
    expect(found().sort()).toEqual([1, 2]);
  });

  it('use the rows of what is gone again, so that memory does not grow with updates', () => {
    const vectors = createExactVectors(dimensions);
    for (let at = 1; at < 50_000; at += 1) {
      vectors.put(thing({ id: at % 3, rev: at, passages: [{ passage: 0, bytes: bytesOf(at % 12) }] }));
    }
    const before = vectors.sizeBytes();
    expect(vectors.rows()).toBe(3);
    expect(before).toBe(createExactVectors(dimensions).sizeBytes());
  });

  it('take rows one by one while they are loaded, and never over a newer rev', () => {
    const vectors = createExactVectors(dimensions);
    vectors.put(thing({ id: 1, rev: 3, passages: [{ passage: 0, bytes: bytesOf(3) }] }));
    vectors.add(thing({ id: 1, rev: 2 }), { passage: 0, bytes: bytesOf(1) });
    vectors.add(thing({ id: 1, rev: 3 }), { passage: 0, bytes: bytesOf(3) });
    vectors.add(thing({ id: 1, rev: 3 }), { passage: 1, bytes: bytesOf(4) });
    vectors.bury({ kind: 'memory', id: 2 }, 5);
    vectors.add(thing({ id: 2, rev: 4 }), { passage: 0, bytes: bytesOf(5) });
    expect(vectors.rows()).toBe(2);
    const hit = vectors.search(palette[4] as Float32Array, scope(), 5).hits[0];
    expect(hit).toMatchObject({ id: 1, rev: 3, passage: 1 });
    expect(vectors.cosine(palette[3] as Float32Array, { kind: 'memory', id: 1 })).toBeCloseTo(1, 5);
    expect(vectors.cosine(palette[3] as Float32Array, { kind: 'memory', id: 2 })).toBeNull();
  });

  it('leave out a vector of another length', () => {
    const vectors = createExactVectors(dimensions);
    vectors.put(thing({ id: 1, passages: [{ passage: 0, bytes: new Uint8Array(12) }] }));
    expect(vectors.search(palette[0] as Float32Array, scope(), 5)).toEqual({
      hits: [],
      noise: { mean: 0, deviation: 0, rows: 0 },
    });
  });
});

function cosineTo(query: Float32Array, bytes: Uint8Array): number {
  return cosineOf(query, new Float32Array(bytes.slice().buffer));
}

function apply(step: Step, vectors: ReturnType<typeof createExactVectors>, model: Map<number, ThingRows>): void {
  const key = { kind: 'memory', id: step.id };
  const held = model.get(step.id);
  const isOlder = held !== undefined && held.rev > step.rev;
  if (step.do === 'put') {
    const put = thing({ ...step, passages: step.vectors.map((at, passage) => ({ passage, bytes: bytesOf(at) })) });
    vectors.put(put);
    if (!isOlder) model.set(step.id, put);
  } else if (step.do === 'bury') {
    vectors.bury(key, step.rev);
    if (!isOlder) model.set(step.id, thing({ id: step.id, rev: step.rev }));
  } else if (step.do === 'forget') {
    vectors.forget(key, step.rev);
    if (held !== undefined && !isOlder) model.delete(step.id);
  } else {
    const known = vectors.rekey(thing(step));
    expect(known).toBe(held !== undefined && held.passages.length > 0);
    if (known && held !== undefined && !isOlder)
      model.set(step.id, { ...held, ...thing(step), passages: held.passages });
  }
}
