// How far a store is embedded with the model that is to come.
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';
import type { ThingKey } from '../search-types.ts';

const doneWith = `LEFT JOIN reembedded r ON r.kind = s.kind AND r.thing_id = s.thing_id AND r.rev = s.rev AND r.model_id = ?`;
/** Rows looked at for one answer: other questions wait for it. */
const scannedRows = 20_000;

export const reembedPage: ReaderQuery<'reembedPage'> = (db, { modelId, after, limit }) => ({
  rows: prepared<[string, number, number], ThingKey & { rowId: number; rev: number }>(
    db,
    `SELECT s.id AS rowId, s.kind, s.thing_id AS id, s.rev FROM searchables s ${doneWith}
      WHERE s.id > ? AND r.rev IS NULL ORDER BY s.id LIMIT ?`,
  ).all(modelId, after, limit),
});

export const reembedCount: ReaderQuery<'reembedCount'> = (db, { modelId }) =>
  prepared<[string], { things: number; passages: number; done: number; waiting: number }>(
    db,
    `SELECT count(*) AS things, coalesce(sum(max(s.passages, 1)), 0) AS passages, count(r.rev) AS done,
      count(*) FILTER (WHERE s.embedded = 0 AND s.passages <> 0) AS waiting FROM searchables s ${doneWith}`,
  ).get(modelId) ?? { things: 0, passages: 0, done: 0, waiting: 0 };

export const unfitVectors: ReaderQuery<'unfitVectors'> = (db, { modelId, dimensions, after }) => {
  const { last } = prepared<[], { last: number | null }>(db, 'SELECT max(rowid) AS last FROM vectors').get() ?? {};
  const until = after + scannedRows;
  const things = prepared<[number, number, string, number], ThingKey>(
    db,
    `SELECT DISTINCT kind, thing_id AS id FROM vectors WHERE rowid > ? AND rowid <= ? AND model_id = ? AND length(blob) <> ?`,
  ).all(after, until, modelId, dimensions * Float32Array.BYTES_PER_ELEMENT);
  return { things, next: until < (last ?? 0) ? until : null };
};
