import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';

/** Active memories whose expiry has passed, or whose decay may be below what is kept; the caller's formula has the last word. */
export const outlived: ReaderQuery<'outlived'> = (db, { userId, nowMs, fadedAfterMs, after, limit }) => {
  const rows = prepared<object, { id: number }>(
    db,
    `SELECT m.id AS id FROM memories m WHERE m.user_id = :userId AND m.status = 'active' AND m.id > :after
      AND (m.expires_at <= :nowMs
        OR (:nowMs - COALESCE(m.last_accessed_at, m.created_at)) * (1 - m.confidence) >= :fadedAfterMs)
      ORDER BY m.id LIMIT :limit`,
  ).all({ userId, nowMs, fadedAfterMs, after, limit });
  return { ids: rows.map(({ id }) => id), next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
};
