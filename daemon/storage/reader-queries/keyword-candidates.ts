import type { ReaderQuery } from '../reader-queries.ts';
import { isAdmitted } from '../scope-groups.ts';

type Row = {
  kind: string;
  id: number;
  rev: number;
  userId: number;
  status: string;
  type: string;
  projects: string;
  score: number;
};

/** Things of the scope that hold any word of the text, best bm25 first. */
export const keywordCandidates: ReaderQuery<'keywordCandidates'> = (db, { text, filter, limit }) => {
  const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 10);
  const excluded = new Set((filter.exclude ?? []).map(({ kind, id }) => `${kind}:${id}`));
  const found = db
    .prepare<[string], Row>(
      `SELECT s.kind, s.thing_id AS id, s.rev, s.user_id AS userId, s.status, s.type, s.projects, -bm25(search_words) AS score
        FROM search_words JOIN searchables s ON s.id = search_words.rowid WHERE search_words MATCH ? ORDER BY bm25(search_words)`,
    )
    .all(words.length === 0 ? '""' : words.map((word) => `"${word}"`).join(' OR '))
    .filter((row) => isAdmitted(filter, row) && !excluded.has(`${row.kind}:${row.id}`));
  const hits = found
    .slice(0, limit)
    .map(({ kind, id, rev, score }) => ({ kind, id, rev, score, coverage: 1, rarestIdf: score }));
  return { hits, rows: found.length, words: [] };
};
