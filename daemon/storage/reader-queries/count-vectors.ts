import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-queries.ts';

/** Counts rows of the model, stale ones included: what an exact search would have to hold. */
export const countVectors: ReaderQuery<'countVectors'> = (db, { modelId }) => {
  const count = (sql: string, ...values: string[]): number =>
    prepared<string[], { rows: number }>(db, sql).get(...values)?.rows ?? 0;
  return {
    rows: count('SELECT COUNT(*) AS rows FROM vectors WHERE model_id = ?', modelId),
    pending: count('SELECT COUNT(*) AS rows FROM searchables WHERE embedded = 0'),
    unflushed: count('SELECT COUNT(*) AS rows FROM outbox'),
  };
};
