// The light handshake of a session. Point reads of counters that the transactions keep: no counting, no search.

import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import type { Project } from '#daemon/projects/index.ts';
import { memorySync } from '#shared/contract/overview.ts';
import type { MemoryDeps } from './deps.ts';
import { countsByStatus } from './memories.repository.ts';

/** How many projects a sync names at most, the last saved first. */
const maxProjects = 50;

export function overviewOperations(deps: MemoryDeps, health: () => 'ok' | 'degraded' | 'down'): Operation[] {
  const { db } = deps.database;
  return [
    implement(memorySync, async ({ project }, context) => {
      const here = project ?? (await deps.resolver.resolve(context.folder)).name;
      return {
        health: health(),
        stats: await countsByStatus(db, context.userId),
        projects: (await projectsShown(deps, project, context)).map((item) => ({
          name: item.name,
          memories: item.memory_count,
          last_saved_at: toUtc(item.last_saved_at),
        })),
        project: here,
      };
    }),
  ];
}

/** The named project alone, else the ones that were saved to last. */
async function projectsShown(deps: MemoryDeps, name: string | undefined, context: CallContext): Promise<Project[]> {
  const { db } = deps.database;
  if (name === undefined) return deps.projects.recent(db, context.userId, maxProjects);
  const id = await deps.projects.idByName(db, context.userId, name);
  return id === null ? [] : [...(await deps.projects.byIds(db, context.userId, [id])).values()];
}
