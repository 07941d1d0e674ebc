// Earlier versions that hold words of a query. The history has no index: it is scanned here, off the main thread, and only for
// searches of the past.
import { queryWords } from '../keyword-index.ts';
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';

type Row = { memory_id: number; text: string };

/** Share of the query's words that a version which was current at the time holds, best first. */
export const historyCandidates: ReaderQuery<'historyCandidates'> = (db, { text, userId, asOfMs, limit }) => {
  const words = queryWords(text).map(({ word }) => word.toLowerCase());
  if (words.length === 0) return { hits: [] };
  const rows = prepared<[number, number, number], Row>(
    db,
    `SELECT memory_id, lower(snapshot) AS text FROM memory_history
      WHERE user_id = ? AND recorded_from <= ? AND recorded_to > ?`,
  ).iterate(userId, asOfMs, asOfMs);
  const hits: { id: number; coverage: number }[] = [];
  for (const row of rows) {
    const held = words.filter((word) => row.text.includes(word)).length;
    if (held > 0) hits.push({ id: row.memory_id, coverage: held / words.length });
  }
  return { hits: hits.sort((a, b) => b.coverage - a.coverage || a.id - b.id).slice(0, limit) };
};
