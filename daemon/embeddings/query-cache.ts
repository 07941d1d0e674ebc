/** Remembers the vectors of the last queries, so that a repeated query costs no run of the model. */
export type QueryCache = {
  /** A copy, which the caller may change or transfer; undefined for a query that is not remembered. */
  get(text: string): Float32Array | undefined;
  set(text: string, vector: Float32Array): void;
  readonly size: number;
};

/** Longer questions are rare and would make the memory of the cache unbounded. */
const longestText = 2_000;

/** Keeps the `capacity` queries used last: at 384 dimensions 500 of them take under 2 MB. */
export function createQueryCache(capacity = 500): QueryCache {
  const vectors = new Map<string, Float32Array>(); // a Map keeps the order of insertion: the first is the one used longest ago
  return {
    get(text) {
      const vector = vectors.get(text);
      if (vector === undefined) return undefined;
      vectors.delete(text);
      vectors.set(text, vector);
      return vector.slice();
    },
    set(text, vector) {
      if (text.length > longestText) return;
      vectors.delete(text);
      vectors.set(text, vector.slice());
      const oldest = vectors.keys().next();
      if (vectors.size > capacity && oldest.done !== true) vectors.delete(oldest.value);
    },
    get size() {
      return vectors.size;
    },
  };
}
