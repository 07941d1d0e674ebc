// What was said of a memory that another one replaced holds of its successor: an entity's link to the old note is shown at the new one.
// A chain of replacements is walked to its end in one query; a loop in it (none can be made) would end the walk, not hang it.
import { sql } from 'kysely';
import type { Queries } from '#daemon/storage/sqlite.ts';

export type LinkedMemory = { readonly id: number; readonly title: string | null; readonly content: string };

/** Live memories that an entity is linked to, themselves or through what they replaced, by id. */
export async function memoriesOfEntity(db: Queries, entityId: number, nowMs: number): Promise<LinkedMemory[]> {
  const { rows } = await sql<LinkedMemory>`
    WITH RECURSIVE chain(id, next) AS (
      SELECT m.id, m.superseded_by FROM thing_links l JOIN memories m ON m.id = l.to_id
        WHERE l.from_kind = 'entity' AND l.from_id = ${entityId} AND l.to_kind = 'memory'
      UNION
      SELECT m.id, m.superseded_by FROM chain c JOIN memories m ON m.id = c.next
    )
    SELECT DISTINCT m.id, m.title, substr(m.content, 1, 400) AS content FROM chain c JOIN memories m ON m.id = c.id
      WHERE m.status = 'active' AND (m.expires_at IS NULL OR m.expires_at > ${nowMs})
      ORDER BY m.id`.execute(db);
  return rows;
}
