import type { Queries } from './sqlite.ts';

/** Project ids of those memories that have any, the primary one first. */
export async function projectIdsByMemory(db: Queries, ids: readonly number[]): Promise<Map<number, number[]>> {
  const projects = new Map<number, number[]>();
  if (ids.length > 0) {
    const links = await db
      .selectFrom('memory_projects')
      .select(['memory_id', 'project_id'])
      .where('memory_id', 'in', ids)
      .orderBy('memory_id')
      .orderBy('position')
      .execute();
    for (const { memory_id, project_id } of links) {
      const known = projects.get(memory_id);
      if (known === undefined) projects.set(memory_id, [project_id]);
      else known.push(project_id);
    }
  }
  return projects;
}
