import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';

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

/** Counts what one user has: what it is to the others is none of their business. */
export const countOwnVectors: ReaderQuery<'countOwnVectors'> = (db, { modelId, userId }) => {
  const count = (sql: string, ...values: (string | number)[]): number =>
    prepared<(string | number)[], { rows: number }>(db, sql).get(...values)?.rows ?? 0;
  return {
    rows: count(
      'SELECT COUNT(*) AS rows FROM searchables s JOIN vectors v ON v.kind = s.kind AND v.thing_id = s.thing_id WHERE s.user_id = ? AND v.model_id = ?',
      userId,
      modelId,
    ),
    pending: count('SELECT COUNT(*) AS rows FROM searchables WHERE embedded = 0 AND user_id = ?', userId),
  };
};
