// Which entities memories are about. What is linked to a memory that another one replaced is shown at its successor too;
// the chain of replacements is walked back in the same query.
import { sql } from 'kysely';
import type { Queries } from '#daemon/storage/sqlite.ts';

export type LinkedEntity = { readonly id: number; readonly name: string; readonly entity_type: string };

/** Entities of each memory, by id; every memory has a list. */
export async function entitiesOf(db: Queries, memoryIds: readonly number[]): Promise<Map<number, LinkedEntity[]>> {
  const entities = new Map<number, LinkedEntity[]>(memoryIds.map((id) => [id, []]));
  if (memoryIds.length === 0) return entities;
  const { rows } = await sql<LinkedEntity & { memory_id: number }>`
    WITH RECURSIVE replaced(memory_id, id) AS (
      SELECT id, id FROM memories WHERE id IN (${sql.join(memoryIds)})
      UNION
      SELECT r.memory_id, m.id FROM replaced r JOIN memories m ON m.superseded_by = r.id
    )
    SELECT DISTINCT r.memory_id, e.id, e.name, e.entity_type FROM replaced r
      JOIN thing_links l ON l.to_kind = 'memory' AND l.to_id = r.id AND l.from_kind = 'entity'
      JOIN entities e ON e.id = l.from_id
      ORDER BY r.memory_id, e.id`.execute(db);
  for (const { memory_id, ...entity } of rows) entities.get(memory_id)?.push(entity);
  return entities;
}

/** Looked at, at most: an entity may be in thousands of memories. */
const maxShared = 200;

/** Other memories that share an entity with any of these. */
export async function aboutTheSame(db: Queries, memoryIds: readonly number[]): Promise<number[]> {
  if (memoryIds.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT to_id AS id FROM thing_links
      WHERE from_kind = 'entity' AND to_kind = 'memory' AND to_id NOT IN (${sql.join(memoryIds)})
        AND from_id IN (SELECT from_id FROM thing_links
          WHERE to_kind = 'memory' AND to_id IN (${sql.join(memoryIds)}) AND from_kind = 'entity')
      LIMIT ${maxShared}`.execute(db);
  return rows.map(({ id }) => id);
}
