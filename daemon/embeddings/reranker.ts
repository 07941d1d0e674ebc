// Orders the first hits of a search once more by a model that reads question and text together: slower than comparing two vectors and
// better at telling which of twenty near texts answers. Nothing is ordered so unless the settings name a model; when it fails the order
// stays as it was, and the answer says so.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Logger } from '#daemon/kernel/logger.ts';

export type Reranker = {
  /** A score for each text, in order; the higher, the better it answers. Throws `unavailable`. */
  score(query: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]>;
  close(): Promise<void>;
};

export type RerankerDeps = { readonly clock: Clock; readonly logger: Logger };
