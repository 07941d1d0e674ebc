// Makes one order of two kinds of evidence. Both are put on the scale of their own noise, so that they can be added; a fusion of ranks, what
// most systems do, loses .04 nDCG to the plain sum, and the sum .05 to the weights fitted by `npm run eval -- fit` (fusion-weights.ts).
// In a scope of a handful of things the noise itself is a guess, and the plain sum is the safer order.
import type { Candidate, Candidates } from './candidates.ts';
import { featuresOfCandidates } from './fusion-features.ts';
import { type FittedWeights, memoryWeights, transcriptWeights } from './fusion-weights.ts';
import { standardised } from './noise.ts';
import { isTranscript, transcriptFeaturesOf } from './transcript-features.ts';

export type FusedHit = Candidate & {
  /** Unbounded; larger is better. Comparable within one query. */
  readonly fused: number;
  /** 0–1, grows with `fused`. */
  readonly relevance: number;
  readonly method: FusionMethod;
};

/** `fitted` weighs the features of any memory, `transcript` those of conversations too; `keyword` and `vector` have one kind of evidence alone. */
export type FusionMethod = 'fitted' | 'transcript' | 'sum' | 'keyword' | 'vector';

/** Below this many things the plain sum is used. */
export const smallScope = 10;

/** What a keyword deviation is worth beside one of meaning. In code, words repeat too much to say as much. */
const keywordWeight = 0.5;
const keywordWeightInCode = 0.25;

export type FuseOptions = {
  /** Forces a method, for measurements. */
  readonly method?: FusionMethod;
  /** How many of the best are wanted; all unless given. */
  readonly limit?: number;
};

/** Candidates best first; equal ones by id, so that the order is always the same. */
export function fuse(candidates: Candidates, options: FuseOptions = {}): FusedHit[] {
  const method = options.method ?? methodFor(candidates);
  const scores = scoresBy(method, candidates);
  const { center, width } = squash[method];
  return candidates.list
    .map((candidate, index) => ({ candidate, fused: scores[index] ?? 0 }))
    .sort((a, b) => b.fused - a.fused || inOrder(a.candidate, b.candidate))
    .slice(0, options.limit)
    .map(({ candidate, fused }) => ({
      ...candidate,
      fused,
      relevance: sigmoid((fused - center) / width),
      method,
    }));
}

function inOrder(a: Candidate, b: Candidate): number {
  return a.id - b.id || (a.kind < b.kind ? -1 : 1);
}

/** How a fused score becomes a relevance: one half at `center`. */
const squash: Readonly<Record<FusionMethod, { center: number; width: number }>> = {
  fitted: { center: -3, width: 2 },
  transcript: { center: -3, width: 2 },
  sum: { center: 3, width: 1.5 },
  keyword: { center: 3, width: 1.5 },
  vector: { center: 2, width: 1 },
};

function methodFor(candidates: Candidates): FusionMethod {
  if (candidates.cosineNoise === null) return 'keyword';
  if (candidates.words.length === 0) return 'vector';
  if (candidates.rows < smallScope) return 'sum';
  return isTranscript(candidates) ? 'transcript' : 'fitted';
}

function scoresBy(method: FusionMethod, candidates: Candidates): number[] {
  if (method === 'fitted') return weighed(featuresOfCandidates(candidates), memoryWeights);
  if (method !== 'transcript') return summedScores(candidates, method);
  const context = transcriptFeaturesOf(candidates);
  const rows = featuresOfCandidates(candidates).map((row, index) => [...row, ...(context[index] ?? [])]);
  return weighed(rows, transcriptWeights);
}

function summedScores({ list, cosineNoise, keywordNoise }: Candidates, method: FusionMethod): number[] {
  const code = list.filter(({ features }) => features.code).length * 2 > list.length;
  const weight = code ? keywordWeightInCode : keywordWeight;
  return list.map(({ similarity, keyword }) => {
    const meaning = similarity === null || cosineNoise === null ? 0 : standardised(similarity, cosineNoise);
    const words = standardised(keyword?.score ?? 0, keywordNoise);
    if (method === 'vector') return meaning;
    return method === 'keyword' ? words : meaning + weight * words;
  });
}

/** The logarithm of the odds that a candidate is right. */
function weighed(rows: readonly number[][], { bias, values }: FittedWeights): number[] {
  return rows.map((row) => values.reduce((sum, weight, index) => sum + weight * (row[index] ?? 0), bias));
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
