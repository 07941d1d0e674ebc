// The door to the reader worker: a thread with a read-only connection of its own, and the exact vectors in its memory.
// Whatever scans (keyword candidates, facets, statistics, lists) runs there, so that the main thread stays at point reads and writes.
import type { NoiseLevel, ScopeFilter, ThingHit, ThingKey, VectorChange, VectorHit } from './search-types.ts';
import type { HitFeatures } from './text-features.ts';

/** Requests the worker answers, by name: `[argument, answer]`. Rooms add their queries in `reader-queries/`. */
export type ReaderQueries = {
  /** Best keyword hits of a text, scores scaled to the scope's own word statistics. */
  keywordCandidates: [
    { readonly text: string; readonly filter: ScopeFilter; readonly limit: number },
    KeywordCandidates,
  ];
  /** Exact cosines over the vectors the worker holds, best passage of each thing. */
  vectorCandidates: [
    { readonly vector: Float32Array; readonly modelId: string; readonly filter: ScopeFilter; readonly limit: number },
    { readonly hits: VectorHit[]; readonly noise: NoiseLevel },
  ];
  /** Cosines of given things with a vector (for keyword hits that the vector list does not hold); absent where a thing has none. */
  cosines: [
    { readonly vector: Float32Array; readonly modelId: string; readonly things: readonly ThingKey[] },
    { readonly cosines: (number | null)[] },
  ];
  /** What ranking knows of the texts of given things (for vector hits that the keyword list does not hold); null for a thing that is gone. */
  features: [{ readonly things: readonly ThingKey[] }, { readonly features: (HitFeatures | null)[] }];
  statistics: [{ readonly userId: number; readonly projectId: number | null; readonly nowMs: number }, StatisticsRow];
};

export type KeywordCandidates = {
  readonly hits: ThingHit[];
  /** Rows of the scope. */
  readonly rows: number;
  /** Words of the query that were looked up, with their idf in the scope and how many of its rows hold them. */
  readonly words: { readonly word: string; readonly idf: number; readonly rows: number; readonly exact: boolean }[];
  /** Mean and deviation of the score over all rows of the scope, those without a word of the query counting 0. */
  readonly noise: { readonly mean: number; readonly deviation: number };
};

export type StatisticsRow = {
  readonly byType: Record<string, number>;
  readonly byTier: Record<string, number>;
  readonly byProject: { readonly name: string; readonly memories: number }[];
  readonly accesses: number;
  readonly ages: {
    readonly fresh: number;
    readonly aging: number;
    readonly fading: number;
    readonly fadingIn30Days: number;
  };
};

export type Reader = {
  ask<Name extends keyof ReaderQueries>(name: Name, argument: ReaderQueries[Name][0]): Promise<ReaderQueries[Name][1]>;
  /** Tells the worker of committed vectors, before any later question: messages keep their order. */
  publish(changes: readonly VectorChange[]): void;
  close(): Promise<void>;
};
