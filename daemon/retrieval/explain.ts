// Says why a hit stands where it stands, with every number that had a part in it.
import type { Candidates } from './candidates.ts';
import type { FusedHit } from './fuse.ts';
import { featureNames, featuresOfCandidates } from './fusion-features.ts';
import { standardised } from './noise.ts';
import { transcriptFeatureNames, transcriptFeaturesOf } from './transcript-features.ts';

export type Explanation = {
  readonly method: string;
  readonly similarity: number | null;
  /** Deviations of the cosine above the scope's noise. */
  readonly similarity_z: number | null;
  readonly keyword: number | null;
  readonly keyword_z: number | null;
  /** Share of the query's weight in words that the text holds. */
  readonly coverage: number;
  /** The words of the query that the text holds. */
  readonly words: readonly string[];
  readonly fused: number;
  readonly relevance: number;
  /** What the fitted weights were multiplied with, by name; absent under the plain sum. */
  readonly features?: Readonly<Record<string, number>>;
};

/** One explanation for each hit, in order. */
export function explain(candidates: Candidates, hits: readonly FusedHit[]): Explanation[] {
  const { cosineNoise, keywordNoise, words } = candidates;
  const places = new Map(candidates.list.map((candidate, index) => [`${candidate.kind}:${candidate.id}`, index]));
  const features = featuresOfCandidates(candidates);
  const context = transcriptFeaturesOf(candidates);
  return hits.map((hit) => {
    const place = places.get(`${hit.kind}:${hit.id}`) ?? -1;
    const named = {
      ...(hit.method === 'fitted' || hit.method === 'transcript' ? byName(featureNames, features[place]) : {}),
      ...(hit.method === 'transcript' ? byName(transcriptFeatureNames, context[place]) : {}),
    };
    return {
      method: hit.method,
      similarity: hit.similarity,
      similarity_z: hit.similarity === null || cosineNoise === null ? null : standardised(hit.similarity, cosineNoise),
      keyword: hit.keyword?.score ?? null,
      keyword_z: hit.keyword === null ? null : standardised(hit.keyword.score, keywordNoise),
      coverage: hit.keyword?.coverage ?? 0,
      words: words.filter((_, bit) => ((hit.keyword?.matched ?? 0) >> bit) & 1).map(({ word }) => word),
      fused: hit.fused,
      relevance: hit.relevance,
      ...(Object.keys(named).length > 0 ? { features: named } : {}),
    };
  });
}

function byName(names: readonly string[], row: readonly number[] | undefined): Record<string, number> {
  return Object.fromEntries(names.map((name, index) => [name, row?.[index] ?? 0]));
}
