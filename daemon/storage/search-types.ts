// The vocabulary of search between storage and retrieval: ids and numbers, never rows.
import type { HitFeatures } from './keywords/text-features.ts';

/** What a search may see. Applied before the top-k, never after. */
export type ScopeFilter = {
  readonly userId: number;
  readonly kinds: readonly string[];
  readonly statuses: readonly string[];
  /** Any of these project ids; an empty list means things of no project; null for all. */
  readonly projectIds: readonly number[] | null;
  /** Any of these types; null for all. A fact of the `memory` tool has the type `keyed_fact` here, so that it can be told from other facts. */
  readonly types: readonly string[] | null;
  /** Things to leave out (`kind:id`), such as the memory being saved. */
  readonly exclude?: readonly ThingKey[];
};

export type ThingKey = { readonly kind: string; readonly id: number };

export type ThingHit = ThingKey & {
  readonly rev: number;
  /** bm25 summed over the words, each scaled to the scope's idf; larger is better. */
  readonly score: number;
  /** Share of the query's idf that the text holds, 0–1. */
  readonly coverage: number;
  /** The largest idf among the words it holds. */
  readonly rarestIdf: number;
  /** Which words of the answer's `words` it holds, a bit each, the first being 1. */
  readonly matched: number;
  /** What else ranking needs of the text. */
  readonly features: HitFeatures;
};

export type VectorHit = ThingKey & {
  readonly rev: number /** Cosine of the best passage, −1 to 1. */;
  readonly similarity: number;
  readonly passage: number;
};

/** Mean and deviation of the cosine between this query and the scope's vectors. */
export type NoiseLevel = { readonly mean: number; readonly deviation: number; readonly rows: number };

/**
 * A committed change of one thing. Filter keys come along. `vectors`: all passages of this rev; null is a tombstone;
 * `kept` when the text is the same and only rev or filter keys changed (`carryVectors` in the transaction).
 */
export type VectorChange = ThingKey & {
  readonly rev: number;
  readonly userId: number;
  readonly status: string;
  readonly type: string;
  readonly projectIds: readonly number[];
  readonly modelId: string;
  readonly vectors: readonly { readonly passage: number; readonly vector: Float32Array }[] | 'kept' | null;
};
