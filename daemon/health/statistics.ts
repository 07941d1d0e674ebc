// Counts of the store. What scans runs in the reader worker; sizes come from the file system, never by opening a database file.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runToWords } from '#daemon/jobs/index.ts';
import { ownerId } from '#daemon/kernel/caller.ts';
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { shownTitle } from '#daemon/memories/index.ts';
import type { OutputOf, ParsedInputOf } from '#shared/contract/operation.ts';
import type { memoryStats } from '#shared/contract/overview.ts';
import { LociError } from '#shared/errors.ts';
import type { HealthDeps } from './deps.ts';

export async function storeStatistics(
  deps: HealthDeps,
  { project }: ParsedInputOf<typeof memoryStats>,
  context: CallContext,
): Promise<OutputOf<typeof memoryStats>> {
  const projectId =
    project === undefined ? null : await deps.projects.idByName(deps.database.db, context.userId, project);
  if (project !== undefined && projectId === null) {
    throw new LociError('not_found', `There is no project "${project}".`, { project });
  }
  const isOwner = context.userId === ownerId;
  const [counts, vectors] = await Promise.all([
    deps.reader.ask('statistics', {
      userId: context.userId,
      projectId,
      nowMs: deps.clock.now(),
      ...deps.settings,
    }),
    isOwner
      ? deps.vectors.stats()
      : deps.reader
          .ask('countOwnVectors', { modelId: deps.embedder.modelId, userId: context.userId })
          .then((own) => ({ ...own, bytes: null })),
  ]);
  return {
    memories: counts.byStatus,
    by_type: counts.byType,
    by_tier: counts.byTier,
    by_project: counts.byProject,
    decay: { fresh: counts.ages.fresh, aging: counts.ages.aging, fading: counts.ages.fading },
    fading_in_30_days: counts.ages.fadingIn30Days,
    fading_next: counts.fadingNext.map((memory) => ({
      id: memory.id,
      title: shownTitle(memory),
      fades_at: toUtc(memory.fadesAtMs),
    })),
    growth: counts.growth.map(({ fromMs, saved }) => ({ from: toUtc(fromMs), saved })),
    accesses: counts.accesses,
    vectors: { rows: vectors.rows, pending: vectors.pending, model: deps.embedder.modelId },
    bytes: {
      database: sizeOf(deps.paths.database) + sizeOf(`${deps.paths.database}-wal`),
      vectors: vectors.bytes ?? sizeOf(deps.paths.vectors),
      backups: sizeOf(deps.paths.backups),
    },
    jobs: isOwner ? deps.lastRuns().map(runToWords) : [], // they count what was everybody's
  };
}

/** Bytes of a file or of everything below a folder; 0 where there is nothing. */
function sizeOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((bytes, name) => bytes + sizeOf(join(path, name)), 0);
}
