import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';

type Row = { rowid: number; kind: string; id: number; passage: number; rev: number };

/** Ids and revs of the vectors that are current, in order of their rowid. */
export const revisionPage: ReaderQuery<'revisionPage'> = (db, { modelId, after, limit }) => {
  const rows = prepared<[string, number, number], Row>(
    db,
    `SELECT v.rowid AS rowid, v.kind, v.thing_id AS id, v.passage, v.rev
      FROM vectors v JOIN searchables s ON s.kind = v.kind AND s.thing_id = v.thing_id AND s.rev = v.rev
      WHERE v.model_id = ? AND v.rowid > ? ORDER BY v.rowid LIMIT ?`,
  ).all(modelId, after, limit);
  return { rows, next: rows.length < limit ? null : (rows.at(-1)?.rowid ?? null) };
};
