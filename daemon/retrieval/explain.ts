// Says why a hit stands where it stands, with every number that had a part in it.
import type { Candidates } from './candidates.ts';
import type { FusedHit } from './fuse.ts';
import { featureNames, featuresOfCandidates } from './fusion-features.ts';
import { standardised } from './noise.ts';

export type Explanation = {
  readonly method: string;
  readonly similarity: number | null;
  /** Deviations of the cosine above the scope's noise. */
  readonly similarity_z: number | null;
  readonly keyword: number | null;
  readonly keyword_z: number | null;
  /** Share of the query's weight in words that the text holds. */
  readonly coverage: number;
  readonly words: readonly string[];
  readonly fused: number;
  readonly relevance: number;
  /** The fitted fusion's features by name; absent under another method. */
  readonly features?: Readonly<Record<string, number>>;
};

/** One explanation for each hit, in order. */
export function explain(candidates: Candidates, hits: readonly FusedHit[]): Explanation[] {
  const { cosineNoise, keywordNoise, words } = candidates;
  const rows = new Map(featuresOfCandidates(candidates).map((row, index) => [candidates.list[index], row]));
  const byKey = new Map(candidates.list.map((candidate) => [`${candidate.kind}:${candidate.id}`, candidate]));
  return hits.map((hit) => {
    const features = rows.get(byKey.get(`${hit.kind}:${hit.id}`)) ?? [];
    return {
      method: hit.method,
      similarity: hit.similarity,
      similarity_z: hit.similarity === null || cosineNoise === null ? null : standardised(hit.similarity, cosineNoise),
      keyword: hit.keyword?.score ?? null,
      keyword_z: hit.keyword === null ? null : standardised(hit.keyword.score, keywordNoise),
      coverage: hit.keyword?.coverage ?? 0,
      words: words.map(({ word }) => word),
      fused: hit.fused,
      relevance: hit.relevance,
      ...(hit.method === 'fitted'
        ? { features: Object.fromEntries(featureNames.map((name, index) => [name, features[index] ?? 0])) }
        : {}),
    };
  });
}
