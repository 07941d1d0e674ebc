// What a LanceDB table is built from: rows of present things, their vectors in one array so that a page crosses threads as two objects.

import { prepared } from '../prepared.ts';
import type { VectorPageRow, VectorRows } from '../reader.ts';
import type { ReaderQuery } from '../reader-query.ts';
import { selectVectorRows, type VectorRow } from '../vectors/held-vectors.ts';

export const vectorPage: ReaderQuery<'vectorPage'> = (db, { modelId, dimensions, after, limit }) => {
  const found = prepared<[string, number, number], VectorRow>(
    db,
    `${selectVectorRows} WHERE v.model_id = ? AND v.rowid > ? ORDER BY v.rowid LIMIT ?`,
  ).all(modelId, after, limit);
  return { ...packed(found, dimensions), next: found.length < limit ? null : (found.at(-1)?.rowid ?? null) };
};

export const vectorsOf: ReaderQuery<'vectorsOf'> = (db, { modelId, dimensions, things }) => {
  const ofThing = prepared<[string, number, string], VectorRow>(
    db,
    `${selectVectorRows} WHERE v.kind = ? AND v.thing_id = ? AND v.model_id = ?`,
  );
  return packed(
    things.flatMap(({ kind, id }) => ofThing.all(kind, id, modelId)),
    dimensions,
  );
};

/** A blob of another length is left out: it could not be compared with anything. */
function packed(found: readonly VectorRow[], dimensions: number): VectorRows {
  const sizeBytes = dimensions * Float32Array.BYTES_PER_ELEMENT;
  const whole = found.filter(({ blob }) => blob.byteLength === sizeBytes);
  const vectors = new Float32Array(whole.length * dimensions);
  const bytes = new Uint8Array(vectors.buffer);
  const rows = whole.map((row, index): VectorPageRow => {
    bytes.set(row.blob, index * sizeBytes);
    const { kind, id, rev, passage, userId, status, type, projects } = row;
    return { kind, id, rev, passage, userId, status, type, projects };
  });
  return { rows, vectors };
}
