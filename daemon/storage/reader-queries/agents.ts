// Who has written. The memories say how much, the log of changes when last; a client may stand in one of them alone.
import { prepared } from '../prepared.ts';
import type { AgentRow } from '../reader.ts';
import type { ReaderQuery } from '../reader-query.ts';

export const agents: ReaderQuery<'agents'> = (db, { userId }) => ({
  agents: prepared<object, AgentRow>(
    db,
    `SELECT agent, sum(memories) AS memories, sum(changes) AS changes, max(last_ms) AS lastMs FROM (
       SELECT agent, count(*) AS memories, 0 AS changes, max(created_at) AS last_ms
         FROM memories WHERE user_id = :userId AND agent IS NOT NULL GROUP BY agent
       UNION ALL
       SELECT actor_id, 0, count(*), max(created_at)
         FROM change_log WHERE user_id = :userId AND actor_id IS NOT NULL GROUP BY actor_id) AS written
     GROUP BY agent ORDER BY lastMs DESC LIMIT 100`,
  ).all({ userId }),
});
