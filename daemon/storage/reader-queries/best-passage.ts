import type { PassageBytes } from '../vectors/exact-vectors.ts';

/** Cosine of a normalised query with a normalised float32 blob; null for a blob of another length. */
export function dotProduct(query: Float32Array, bytes: Uint8Array): number | null {
  if (bytes.byteLength !== query.length * Float32Array.BYTES_PER_ELEMENT) return null;
  // a view needs an aligned start, which a pooled buffer may not have
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const vector = new Float32Array(aligned.buffer, aligned.byteOffset, query.length);
  let sum = 0;
  for (let index = 0; index < query.length; index += 1) sum += (query[index] as number) * (vector[index] as number);
  return sum;
}

/** The passage nearest to the query; null where none has the query's length. */
export function bestPassage(
  query: Float32Array,
  passages: readonly PassageBytes[],
): { similarity: number; passage: number } | null {
  let best: { similarity: number; passage: number } | null = null;
  for (const { passage, bytes } of passages) {
    const similarity = dotProduct(query, bytes);
    if (similarity !== null && (best === null || similarity > best.similarity)) best = { similarity, passage };
  }
  return best;
}
