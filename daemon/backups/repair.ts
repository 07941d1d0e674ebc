// A damaged database made whole: from the newest good backup, plus everything that can still be read of the damaged file, which is newer.
// The damaged files are kept.
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#daemon/storage/sqlite.ts';
import { fileOfBackup, listFolder, syncFolder, workFolder } from './backup-folder.ts';
import { fileMember } from './backup-tasks.ts';
import { refuseOtherEngine } from './copy-of-store.ts';
import type { BackupDeps } from './deps.ts';
import { setAside } from './set-aside.ts';

export type Repaired = {
  /** What was found; null where there was nothing to repair. */
  readonly fault: string | null;
  /** The backup that filled the gaps; null where none was needed or there is none. */
  readonly backup: string | null;
  readonly recovered: number;
  readonly restored: number;
  /** The folder beside the database that the damaged files are in. */
  readonly setAside: string | null;
};

/** Examines the database, also while it serves, and repairs it where it is damaged. Throws where nothing could be done; nothing is changed then. */
export async function repairDatabase(deps: BackupDeps): Promise<Repaired> {
  const { files, logger } = deps;
  const work = workFolder(files.data);
  try {
    const { fault } = await deps.runTask('examine', { database: files.database, folder: work });
    if (fault === null) return { fault, backup: null, recovered: 0, restored: 0, setAside: null };
    logger.error({ fault }, 'the database is damaged and is being repaired');
    const { target, backup } = await prepareTarget(deps, work);
    const { aside, ...salvaged } = await exchangeFor(deps, target);
    await deps.refile(salvaged.unfiled);
    const { recovered, restored, damagedTables } = salvaged;
    logger.info({ backup, recovered, restored, damagedTables, aside }, 'database repaired');
    return { fault, backup, recovered, restored, setAside: aside };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function exchangeFor(deps: BackupDeps, target: string) {
  const { files } = deps;
  let done: (Awaited<ReturnType<typeof salvageInto>> & { aside: string | null }) | null = null;
  await deps.exchange({
    whileQuiet: async () => undefined,
    async whileClosed() {
      const salvaged = await salvageInto(deps, target);
      const aside = setAside(files, deps.clock.now());
      rmSync(files.vectors, { recursive: true, force: true });
      for (const suffix of ['-wal', '-shm']) rmSync(`${files.database}${suffix}`, { force: true });
      renameSync(target, files.database);
      syncFolder(files.data);
      done = { ...salvaged, aside };
    },
    // what was there could not be opened or was damaged: the repaired one is at least as good
    undo: async () => undefined,
  });
  if (done === null) throw new Error('the exchange ended without its work');
  return done as Awaited<ReturnType<typeof salvageInto>> & { aside: string | null };
}

function salvageInto({ runTask, files }: BackupDeps, target: string) {
  return runTask('salvage', { damaged: files.database, target });
}

/** A whole database of today's schema to salvage into: the newest backup that can be unpacked, or an empty one. */
async function prepareTarget(deps: BackupDeps, work: string): Promise<{ target: string; backup: string | null }> {
  const target = join(work, 'repaired.db');
  const { backups } = await listFolder(deps.files.backups);
  for (const { name } of backups) {
    const unpacked = join(work, fileMember);
    try {
      const archive = fileOfBackup(deps.files.backups, name);
      refuseOtherEngine(deps, (await deps.runTask('unpack', { archive, folder: work })).manifest);
      copyFileSync(unpacked, target);
      await migrated(deps, target);
      return { target, backup: name };
    } catch (error) {
      deps.logger.warn({ err: error, name }, 'this backup does not help');
      rmSync(unpacked, { force: true });
      rmSync(target, { force: true });
    }
  }
  await migrated(deps, target);
  return { target, backup: null };
}

async function migrated({ clock }: BackupDeps, file: string): Promise<void> {
  await (await openDatabase({ file, clock })).close();
}
