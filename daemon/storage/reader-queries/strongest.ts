// What an agent should know before it asks: the memories of a project by the score of the contract with nothing asked for,
// decay × frequency × trust (lifecycle, "Confidence, tier, decay").
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';

const dayMs = 86_400_000;

export const strongest: ReaderQuery<'strongest'> = (db, argument) => {
  const { userId, projectId, nowMs, halfLifeDays, exclude, limit } = argument;
  const rows = prepared<object, { id: number }>(
    db,
    `SELECT m.id AS id FROM memory_projects p JOIN memories m ON m.id = p.memory_id
      WHERE p.project_id = :projectId AND m.user_id = :userId AND m.status = 'active' AND m.category IS NULL
        AND (m.expires_at IS NULL OR m.expires_at > :nowMs)
        AND m.id NOT IN (SELECT CAST(value AS BIGINT) FROM json_each(:exclude))
      ORDER BY POW(0.5, MAX(0, :nowMs - COALESCE(m.last_accessed_at, m.created_at)) / :halfLifeMs * (1 - m.confidence))
        * (LOG2(m.access_count + 1) / 10 + 1) * (0.5 + 0.5 * m.confidence) DESC, m.id
      LIMIT :limit`,
  ).all({ userId, projectId, nowMs, halfLifeMs: halfLifeDays * dayMs, exclude: JSON.stringify(exclude), limit });
  return { ids: rows.map(({ id }) => id) };
};
