// Words of upkeep ↔ use-cases. No rule lives here.
import { requireOwner } from '#daemon/kernel/caller.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import {
  memoryClean,
  memoryCompress,
  memoryConsolidate,
  memoryRestoreFiles,
  memoryUndoConsolidation,
} from '#shared/contract/upkeep.ts';
import { LociError } from '#shared/errors.ts';
import { compressFiles } from '../agent-files/compress.ts';
import { restoreFiles } from '../agent-files/restore.ts';
import type { MemoryDeps } from '../deps.ts';
import { round } from '../record.ts';
import { cleanMemories } from './clean.ts';
import { consolidate } from './consolidate.ts';
import type { Doomed } from './plan-cleaning.ts';
import { undoConsolidation } from './undo-consolidation.ts';

export function upkeepOperations(deps: MemoryDeps): Operation[] {
  return [
    implement(memoryConsolidate, async ({ project, dry_run: dryRun }, context) => {
      const projectId =
        project === undefined ? null : await deps.projects.idByName(deps.database.db, context.userId, project);
      if (project !== undefined && projectId === null) {
        throw new LociError('not_found', `There is no project "${project}".`, { project });
      }
      const signal = context.signal ?? neverAborted;
      const { candidates, united } = await consolidate(deps, { projectId, dryRun, signal }, context);
      return {
        clusters: united.length,
        created: united.map(({ id, title, members, by }) => ({ id, title, from: members.map((one) => one.id), by })),
        archived: united.flatMap(({ id, members }) => members.map((one) => ({ ...one, superseded_by: id }))),
        candidates,
        dry_run: dryRun,
      };
    }),
    implement(memoryUndoConsolidation, async ({ id }, context) => undoConsolidation(deps, id, context)),
    implement(memoryClean, async ({ dry_run: dryRun }, context) => {
      const signal = context.signal ?? neverAborted;
      const done = await cleanMemories(deps, { dryRun, signal }, context);
      return {
        expired: done.expired.map(titled),
        decayed: done.decayed.map(titled),
        duplicates: done.duplicates.map((one) => ({
          ...titled(one),
          kept: one.keptId,
          similarity: round(one.similarity),
        })),
        memory_md: done.memoryMd.map((file) => ({ ...file, memories: [...file.memories] })),
        dry_run: dryRun,
      };
    }),
    implement(memoryCompress, async ({ root, dry_run: dryRun }, context) => {
      requireOwner(context);
      const files = await compressFiles(deps, { root: root ?? null, dryRun }, context);
      return {
        files: files.length,
        bytes_before: files.reduce((sum, { before }) => sum + before, 0),
        bytes_after: files.reduce((sum, { after }) => sum + after, 0),
        compressed: files.map(({ file, memory, before, after }) => ({
          file,
          memory,
          bytes_before: before,
          bytes_after: after,
        })),
        dry_run: dryRun,
      };
    }),
    implement(memoryRestoreFiles, async ({ dry_run: dryRun }, context) => {
      requireOwner(context);
      const { restored, leftAlone } = await restoreFiles(deps, { dryRun }, context);
      return { files: restored.length, restored: [...restored], left_alone: [...leftAlone], dry_run: dryRun };
    }),
  ];
}

const neverAborted = new AbortController().signal;

function titled({ id, title }: Doomed): { id: number; title: string } {
  return { id, title };
}
