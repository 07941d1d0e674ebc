import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuse } from '#daemon/retrieval/fuse.ts';
import { featureNames, featuresOfCandidates } from '#daemon/retrieval/fusion-features.ts';
import { memoryWeights, transcriptWeights } from '#daemon/retrieval/fusion-weights.ts';
import { standardised } from '#daemon/retrieval/noise.ts';
import { transcriptFeatureNames, transcriptFeaturesOf } from '#daemon/retrieval/transcript-features.ts';
import { type CandidatePart, candidates } from '../../support/candidates.ts';

const ids = (hits: readonly { readonly id: number }[]) => hits.map(({ id }) => id);

const anyCandidate: fc.Arbitrary<CandidatePart> = fc.record({
  similarity: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: null }),
  keyword: fc.option(
    fc.record({
      score: fc.double({ min: 0, max: 60, noNaN: true }),
      coverage: fc.double({ min: 0, max: 1, noNaN: true }),
      rarestIdf: fc.double({ min: 0, max: 9, noNaN: true }),
      matched: fc.integer({ min: 0, max: 3 }),
    }),
    { nil: null },
  ),
  features: fc.record({
    words: fc.nat(5_000),
    question: fc.boolean(),
    code: fc.boolean(),
    session: fc.constantFrom('s1', 's2', null),
    sequence: fc.nat(9),
    author: fc.constantFrom('ada', 'grace'),
  }),
});

describe('fusion', () => {
  it('weighs the features of the table in a scope large enough, and sums in a small one', () => {
    expect(fuse(candidates([{ keyword: {} }], { rows: 10 }))[0]?.method).toBe('fitted');
    expect(fuse(candidates([{ keyword: {} }], { rows: 9 }))[0]?.method).toBe('sum');
  });

  it('goes by one kind of evidence where there is no other', () => {
    expect(fuse(candidates([{ keyword: {}, similarity: null }], { cosineNoise: null }))[0]?.method).toBe('keyword');
    expect(fuse(candidates([{}], { words: [] }))[0]?.method).toBe('vector');
  });

  it('adds deviations above the noise: half as much for words, a quarter in code', () => {
    const parts: CandidatePart[] = [{ similarity: 0.6, keyword: { score: 4.2 } }];
    expect(fuse(candidates(parts, { rows: 9 }))[0]?.fused).toBeCloseTo(3 + 0.5 * 4, 9);
    const code = parts.map((part) => ({ ...part, features: { code: true } }));
    expect(fuse(candidates(code, { rows: 9 }))[0]?.fused).toBeCloseTo(3 + 0.25 * 4, 9);
  });

  it('gives equal candidates in the order of their ids, whatever order they come in', () => {
    const parts = [{ id: 9 }, { id: 4 }, { id: 7 }];
    for (const rows of [9, 500]) {
      expect(ids(fuse(candidates(parts, { rows })))).toEqual([4, 7, 9]);
      expect(ids(fuse(candidates(parts.toReversed(), { rows })))).toEqual([4, 7, 9]);
    }
  });

  it('gives a relevance between 0 and 1 that grows with the fused score, for whatever comes in', () => {
    const noise = fc.constantFrom({ mean: 0.45, deviation: 0.05, rows: 99 }, { mean: 0, deviation: 0, rows: 1 }, null);
    fc.assert(
      fc.property(fc.array(anyCandidate, { maxLength: 30 }), fc.nat(2_000), noise, (parts, rows, cosineNoise) => {
        const hits = fuse(candidates(parts, { rows, cosineNoise, keywordNoise: { mean: 0, deviation: rows % 2 } }));
        expect(hits).toHaveLength(parts.length);
        for (const [index, { fused, relevance }] of hits.entries()) {
          expect(Number.isFinite(fused)).toBe(true);
          expect(relevance).toBeGreaterThanOrEqual(0);
          expect(relevance).toBeLessThanOrEqual(1);
          const next = hits[index + 1];
          if (next !== undefined) expect(next.fused <= fused && next.relevance <= relevance).toBe(true);
        }
      }),
    );
  });

  it('prefers what both kinds of evidence speak for', () => {
    const parts = [
      { similarity: 0.7, keyword: null },
      { similarity: 0.45, keyword: { score: 12, coverage: 1, rarestIdf: 3, matched: 3 } },
      { similarity: 0.69, keyword: { score: 11, coverage: 1, rarestIdf: 3, matched: 3 } },
    ];
    for (const rows of [9, 500]) expect(fuse(candidates(parts, { rows }))[0]?.id).toBe(3);
  });
});

describe('the table of weights', () => {
  it('has a finite number for each feature', () => {
    expect(memoryWeights.values).toHaveLength(featureNames.length);
    expect(transcriptWeights.values).toHaveLength(featureNames.length + transcriptFeatureNames.length);
    for (const { bias, values } of [memoryWeights, transcriptWeights]) {
      expect([bias, ...values].every(Number.isFinite)).toBe(true);
    }
  });

  it('was fitted: nearness counts for a memory and a question counts against it', () => {
    const weight = (name: (typeof featureNames)[number]) => memoryWeights.values[featureNames.indexOf(name)] ?? 0;
    expect(weight('cosine')).toBeGreaterThan(0);
    expect(weight('question')).toBeLessThan(0);
  });
});

describe('features', () => {
  it('has a row of sixteen numbers for each candidate', () => {
    const rows = featuresOfCandidates(candidates([{}, { keyword: {} }]));
    expect(rows.map((row) => row.length)).toEqual([16, 16]);
  });

  it('measures distance from the best of the query, and length up to sixty words', () => {
    const [best = [], other = []] = featuresOfCandidates(
      candidates([
        { similarity: 0.7, keyword: { score: 8 }, features: { words: 59 } },
        { similarity: 0.6, keyword: { score: 2 }, features: { words: 900, question: true } },
      ]),
    );
    const at = (row: readonly number[], name: (typeof featureNames)[number]) => row[featureNames.indexOf(name)];
    expect([at(best, 'cosine behind best'), at(best, 'keyword behind best')]).toEqual([0, 0]);
    expect(at(other, 'cosine behind best')).toBeCloseTo(2, 9);
    expect(at(other, 'keyword behind best')).toBeCloseTo(0.75, 9);
    expect([at(best, 'length'), at(other, 'length')]).toEqual([1, 1]);
    expect([at(best, 'question'), at(other, 'question')]).toEqual([0, 1]);
  });

  it('takes a thing without a vector for one at the level of noise', () => {
    const [[cosine] = []] = featuresOfCandidates(candidates([{ similarity: null, keyword: {} }]));
    expect(cosine).toBe(0);
  });

  it('is the share of code that makes the difference in a scope of code', () => {
    const [row = []] = featuresOfCandidates(candidates([{ features: { code: true } }, {}]));
    expect(row[featureNames.indexOf('cosine x code')]).toBeCloseTo((row[0] ?? 0) / 2, 9);
  });

  it('puts no deviation where there is no spread', () => {
    expect(standardised(0.7, { mean: 0.7, deviation: 0 })).toBe(0);
  });
});

describe('features of transcripts', () => {
  const at = (row: readonly number[] | undefined, name: (typeof transcriptFeatureNames)[number]) =>
    row?.[transcriptFeatureNames.indexOf(name)];
  const turn = (sequence: number, part: CandidatePart = {}): CandidatePart => ({
    ...part,
    features: { session: 'talk', sequence, author: sequence % 2 === 0 ? 'ada' : 'grace', ...part.features },
  });

  it('sees the turn before and the turn after, if they are candidates', () => {
    const rows = transcriptFeaturesOf(
      candidates([
        turn(1, { similarity: 0.6, keyword: { matched: 1 }, features: { question: true } }),
        turn(2, { similarity: 0.5, keyword: { matched: 2 } }),
        turn(9),
      ]),
    );
    expect(at(rows[1], 'coverage with turn before')).toBeCloseTo(0.75, 9);
    expect(at(rows[1], 'answers a question')).toBeCloseTo(3, 9);
    expect(at(rows[0], 'coverage with turn after')).toBeCloseTo(0.25, 9);
    expect(at(rows[1], 'neighbour cosine')).toBeCloseTo(3, 9);
    expect(at(rows[2], 'neighbour cosine')).toBe(0);
  });

  it('gives every turn the best of its session', () => {
    const rows = transcriptFeaturesOf(candidates([turn(1, { similarity: 0.7 }), turn(8, { similarity: 0.4 })]));
    expect(rows.map((row) => at(row, 'session cosine')?.toFixed(6))).toEqual(['5.000000', '5.000000']);
  });

  it('tells the speaker that the query names from the others', () => {
    const rows = transcriptFeaturesOf(candidates([turn(1), turn(2)]));
    expect(rows.map((row) => at(row, 'speaker named'))).toEqual([-1, 1]);
    const both = transcriptFeaturesOf(candidates([turn(1), turn(2)], { text: 'Ada and Grace' }));
    expect(both.map((row) => at(row, 'speaker named'))).toEqual([0, 0]);
  });

  it('treats a thing outside a transcript as a session of its own, even one that names a session', () => {
    const rows = transcriptFeaturesOf(
      candidates([
        { similarity: 0.6, features: { session: 'talk' } },
        { similarity: 0.7, features: { session: 'talk' } },
      ]),
    );
    expect(at(rows[0], 'session cosine')).toBeCloseTo(3, 9);
    expect(at(rows[0], 'neighbour cosine')).toBe(0);
  });

  it('is used where most candidates are turns', () => {
    expect(fuse(candidates([turn(1), turn(2), { keyword: {} }]))[0]?.method).toBe('transcript');
    expect(fuse(candidates([turn(1), { keyword: {} }]))[0]?.method).toBe('fitted');
  });
});
