// Possible conflicts that nobody has settled. A save writes the pair into its row of the log of changes; a decision to keep both is
// a row of its own, and the last one holds. What was archived, replaced or erased since is no conflict any more.
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';

type Pair = { newer: number; older: number; similarity: number | null; atMs: number };

export const openConflicts: ReaderQuery<'openConflicts'> = (db, { userId, limit }) => ({
  pairs: prepared<object, Pair>(
    db,
    `WITH found AS MATERIALIZED (
       SELECT c.seq, c.thing_id AS newer, CAST(json_extract(c.metadata, '$.possible_conflict.id') AS BIGINT) AS older,
              CAST(json_extract(c.metadata, '$.possible_conflict.similarity') AS DOUBLE PRECISION) AS similarity, c.created_at AS atMs
         FROM change_log c
        WHERE c.user_id = :userId AND c.kind = 'memory' AND c.action = 'created'
          AND c.metadata LIKE '{"possible_conflict"%')
     SELECT f.newer, f.older, f.similarity, f.atMs FROM found f
       JOIN memories a ON a.id = f.newer AND a.user_id = :userId AND a.status = 'active'
       JOIN memories b ON b.id = f.older AND b.user_id = :userId AND b.status = 'active'
      WHERE coalesce((SELECT s.action FROM change_log s
                       WHERE s.kind = 'memory' AND s.thing_id = f.newer AND s.action IN ('settled', 'unsettled')
                         AND CAST(json_extract(s.metadata, '$.with') AS BIGINT) = f.older
                       ORDER BY s.seq DESC LIMIT 1), '') <> 'settled'
      ORDER BY f.seq DESC LIMIT :limit`,
  ).all({ userId, limit }),
});
