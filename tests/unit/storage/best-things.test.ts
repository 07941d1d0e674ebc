import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBestThings } from '#daemon/storage/vectors/best-things.ts';

type Row = { readonly thing: number; readonly cosine: number };

/** What a plain sort would answer. */
function plainBest(rows: readonly Row[], limit: number): { row: number; cosine: number }[] {
  const seen = new Set<number>();
  return rows
    .map(({ thing, cosine }, row) => ({ row, thing, cosine: Math.fround(cosine) }))
    .sort((a, b) => b.cosine - a.cosine || a.thing - b.thing || a.row - b.row)
    .filter(({ thing }) => !seen.has(thing) && seen.add(thing) !== undefined)
    .slice(0, limit)
    .map(({ row, cosine }) => ({ row, cosine }));
}

describe('the best things of a stream of rows', () => {
  it('are those of a plain sort, with equal cosines and several rows a thing', () => {
    const cosine = fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.constantFrom(0, 0.5, -0.5, 1, -1));
    const row = fc.record({ thing: fc.integer({ min: 1, max: 40 }), cosine });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 300 }), fc.integer({ min: 0, max: 20 }), (rows, limit) => {
        const things = new Map<number, object>();
        const ownerOf = (at: number): object => {
          const { thing = 0 } = rows[at] ?? {};
          const owner = things.get(thing) ?? {};
          things.set(thing, owner);
          return owner;
        };
        const best = createBestThings(limit, {
          ownerOf,
          idOf: (at) => rows[at]?.thing ?? 0,
          isAlone: (at) => rows.filter(({ thing }) => thing === rows[at]?.thing).length === 1,
        });
        for (const [at, { cosine: given }] of rows.entries()) {
          const rounded = Math.fround(given);
          if (rounded >= best.floor()) best.offer(at, rounded);
        }
        const wanted = plainBest(rows, limit).map(({ row: at, cosine: value }) => [at, value + 0]);
        expect(best.take().map(({ row: at, cosine: value }) => [at, value + 0])).toEqual(wanted);
      }),
    );
  });
});
