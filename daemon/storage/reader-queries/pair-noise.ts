import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';
import { noiseLevel } from '../vectors/exact-vectors.ts';
import { blobToVector } from '../vectors/vector-blob.ts';
import { dotProduct } from './best-passage.ts';

/** 64 vectors give 2,016 pairs: the mean is known to a hundredth. */
const sampled = 64;

/** How near unrelated stored texts are under a model: pairs of vectors spread evenly over the store. `rows` counts the model's vectors. */
export const pairNoise: ReaderQuery<'pairNoise'> = (db, { modelId, dimensions }) => {
  const { last, rows } = prepared<[string], { last: number | null; rows: number }>(
    db,
    'SELECT MAX(rowid) AS last, COUNT(*) AS rows FROM vectors WHERE model_id = ?',
  ).get(modelId) ?? { last: null, rows: 0 };
  const point = prepared<[string, number], { blob: Buffer }>(
    db,
    'SELECT blob FROM vectors WHERE model_id = ? AND rowid >= ? ORDER BY rowid LIMIT 1',
  );
  const step = Math.max(1, Math.floor((last ?? 0) / sampled));
  const vectors: Float32Array[] = [];
  for (let at = 1; at <= (last ?? 0) && vectors.length < sampled; at += step) {
    const row = point.get(modelId, at);
    const vector = row === undefined ? null : blobToVector(row.blob, dimensions);
    if (vector !== null) vectors.push(vector);
  }
  let [sum, squares, pairs] = [0, 0, 0];
  for (const [index, one] of vectors.entries()) {
    for (const other of vectors.slice(index + 1)) {
      const cosine = dotProduct(one, new Uint8Array(other.buffer)) ?? 0;
      sum += cosine;
      squares += cosine * cosine;
      pairs += 1;
    }
  }
  return { noise: { ...noiseLevel(sum, squares, pairs), rows } };
};
