import { selectVectorRows, type VectorRow } from '../held-vectors.ts';
import { prepared } from '../prepared.ts';
import type { VectorPageRow } from '../reader.ts';
import type { ReaderQuery } from '../reader-queries.ts';

/** One page of vectors by rowid, to build a LanceDB table from. Blobs of another length are left out. */
export const vectorPage: ReaderQuery<'vectorPage'> = (db, { modelId, dimensions, after, limit }) => {
  const found = prepared<[string, number, number], VectorRow>(
    db,
    `${selectVectorRows} WHERE v.model_id = ? AND v.rowid > ? ORDER BY v.rowid LIMIT ?`,
  ).all(modelId, after, limit);
  const whole = found.filter(({ blob }) => blob.byteLength === dimensions * 4);
  const vectors = new Float32Array(whole.length * dimensions);
  const bytes = new Uint8Array(vectors.buffer);
  const rows = whole.map((row, index): VectorPageRow => {
    bytes.set(row.blob, index * dimensions * 4);
    const { kind, id, rev, passage, userId, status, type, projects } = row;
    return { kind, id, rev, passage, userId, status, type, projects };
  });
  return { rows, vectors, next: found.length < limit ? null : (found.at(-1)?.rowid ?? null) };
};
