import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGroupScan, createPace } from '#daemon/storage/vectors/group-scan.ts';
import { vectorToBlob } from '#daemon/storage/vectors/vector-blob.ts';

const dimensions = 8;

function unit(numbers: readonly number[]): Float32Array {
  const norm = Math.hypot(...numbers) || 1;
  return Float32Array.from(numbers, (value) => value / norm);
}

const vector = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions });
const thing = fc.array(vector, { minLength: 1, maxLength: 4 }).map((all) => all.map(unit));

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] as number), 0);
}

/** The rule in its plainest form: each passage of the shorter has a partner in the longer. */
function plainSimilarity(a: readonly Float32Array[], b: readonly Float32Array[]): number {
  if (a.length === b.length) return Math.min(covered(a, b), covered(b, a));
  return a.length < b.length ? covered(a, b) : covered(b, a);
}

function covered(shorter: readonly Float32Array[], longer: readonly Float32Array[]): number {
  return Math.min(...shorter.map((one) => Math.max(...longer.map((other) => cosine(one, other)))));
}

describe('comparing a group', () => {
  it('finds behind each thing those, and only those, that a plain comparison finds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(thing, { minLength: 1, maxLength: 12 }), async (things) => {
        const scan = createGroupScan(dimensions);
        scan.load(
          things.map((passages, index) => ({ id: index + 1, passages: passages.map((one) => vectorToBlob(one)) })),
        );
        expect(scan.size()).toBe(things.length);
        const skip = new Uint8Array(things.length);
        if (things.length > 2) skip[2] = 1;
        for (const [index, passages] of things.entries()) {
          const found = await scan.later(index, 0.5, skip, createPace());
          const wanted = things.flatMap((other, at) => {
            const similarity = plainSimilarity(passages, other);
            return at > index && skip[at] !== 1 && similarity > 0.5 + 1e-6 ? [at] : [];
          });
          expect(found.map((one) => one.index)).toEqual(expect.arrayContaining(wanted));
          for (const { index: at, similarity } of found) {
            expect(similarity).toBeCloseTo(plainSimilarity(passages, things[at] as Float32Array[]), 5);
            expect(scan.similarity(at, index)).toBeCloseTo(similarity, 5);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it('works beyond one block of rows, and leaves out vectors of another length', async () => {
    const scan = createGroupScan(dimensions);
    const one = vectorToBlob(unit([1, 0, 0, 0, 0, 0, 0, 0]));
    const other = vectorToBlob(unit([0, 1, 0, 0, 0, 0, 0, 0]));
    const things = Array.from({ length: 3_000 }, (_, index) => ({
      id: index,
      passages: [index % 2 === 0 ? one : other],
    }));
    scan.load([...things, { id: 9_999, passages: [Buffer.alloc(4)] }]);
    expect(scan.size()).toBe(3_000);
    const found = await scan.later(0, 0.9, new Uint8Array(3_000), createPace());
    expect(found).toHaveLength(1_499);
    expect(found.at(-1)).toEqual({ index: 2_998, similarity: 1 });
  });
});
