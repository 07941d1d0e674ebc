// The light handshake of a session. Point reads of counters that the transactions keep: no counting, no search.

import { toUtc } from '#daemon/kernel/clock.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { memorySync } from '#shared/contract/lifecycle.ts';
import type { MemoryDeps } from './deps.ts';
import { countsByStatus } from './memories.repository.ts';

/** How many projects a sync names at most, the last saved first. */
const maxProjects = 50;

export function overviewOperations(deps: MemoryDeps, health: () => 'ok' | 'degraded' | 'down'): Operation[] {
  const { db } = deps.database;
  return [
    implement(memorySync, async ({ project }, context) => {
      const here = project ?? (await deps.projects.resolve(context.folder))?.name ?? null;
      const known = await deps.projects.list(db, context.userId);
      const shown = project === undefined ? known : await deps.projects.named(db, context.userId, project);
      return {
        health: health(),
        stats: await countsByStatus(db, context.userId),
        projects: shown.slice(0, maxProjects).map((item) => ({
          name: item.name,
          memories: item.memoryCount,
          last_saved_at: toUtc(item.lastSavedAtMs),
        })),
        project: here,
      };
    }),
  ];
}
