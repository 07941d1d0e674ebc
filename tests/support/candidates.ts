// Candidates as a search would have gathered them, for tests of what is done with them.
import type { Candidate, Candidates } from '#daemon/retrieval/candidates.ts';

export type CandidatePart = Omit<Partial<Candidate>, 'features' | 'keyword'> & {
  readonly keyword?: Partial<NonNullable<Candidate['keyword']>> | null;
  readonly features?: Partial<Candidate['features']>;
};

export function candidate(part: CandidatePart = {}): Candidate {
  const { keyword, features, ...rest } = part;
  return {
    kind: 'memory',
    id: 1,
    rev: 1,
    similarity: 0.5,
    ...rest,
    keyword: keyword == null ? null : { score: 5, coverage: 0.5, rarestIdf: 2, matched: 1, ...keyword },
    passage: null,
    features: { words: 20, question: false, code: false, session: null, ...features },
  };
}

export function candidates(parts: readonly CandidatePart[], part: Partial<Candidates> = {}): Candidates {
  return {
    text: 'what did Ada say about kettles',
    list: parts.map((each, index) => candidate({ id: index + 1, ...each })),
    rows: 500,
    cosineNoise: { mean: 0.45, deviation: 0.05, rows: 500 },
    keywordNoise: { mean: 0.2, deviation: 1 },
    words: [
      { word: 'kettles', idf: 3, rows: 20, exact: false },
      { word: 'ada', idf: 1, rows: 200, exact: false },
    ],
    degraded: [],
    ...part,
  };
}
