import { LociError } from '#shared/errors.ts';

/** Below this length a vector has no direction: its cosines would be noise or NaN. */
const smallestNorm = 1e-6;

/**
 * The L2-normalised float32 vector, or null for zeros. Throws `unavailable` when the length is not `dimensions`
 * or a number is not finite: stored, such a vector would poison every ranking it takes part in.
 */
export function checkedVector(values: ArrayLike<number>, dimensions: number): Float32Array | null {
  if (values.length !== dimensions) {
    throw new LociError(
      'unavailable',
      `The embedding model gave ${values.length} numbers where ${dimensions} are expected: check 'embedding.model', or re-embed with the new model.`,
    );
  }
  let squares = 0;
  for (let index = 0; index < dimensions; index += 1) squares += (values[index] as number) ** 2;
  if (!Number.isFinite(squares)) {
    throw new LociError(
      'unavailable',
      'The embedding model gave numbers that are not finite; the vector was not kept.',
    );
  }
  const norm = Math.sqrt(squares);
  if (norm < smallestNorm) return null;
  return Float32Array.from(values, (value) => value / norm);
}
