// The one place where a vector becomes bytes and back. LanceDB pads a vector of the wrong length with nulls and SQLite keeps any bytes,
// so length and finiteness are checked here, on the way in.
import { LociError } from '#shared/errors.ts';

/** Little-endian float32 of a vector. Throws `internal` unless every one of its `dimensions` numbers is finite. */
export function vectorToBlob(vector: Float32Array, dimensions: number = vector.length): Buffer {
  if (vector.length !== dimensions || vector.length === 0) {
    throw new LociError('internal', 'A vector has the wrong length.', { length: vector.length, dimensions });
  }
  if (!vector.every(Number.isFinite)) throw new LociError('internal', 'A vector holds a number that is not finite.');
  // a copy: the caller may reuse its array while the row waits in a transaction
  return Buffer.from(vector.slice().buffer);
}

/** The vector that a blob holds, or null for a blob that is not `dimensions` finite float32 (a damaged row is as good as none). */
export function blobToVector(blob: Uint8Array, dimensions: number): Float32Array | null {
  if (blob.byteLength !== dimensions * Float32Array.BYTES_PER_ELEMENT) return null;
  const vector = new Float32Array(blob.slice().buffer);
  return vector.every(Number.isFinite) ? vector : null;
}
