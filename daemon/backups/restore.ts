// Bringing a backup back under the running daemon. All that takes long (unpacking, checking, migrating) happens beside the store, which
// serves meanwhile. Then changes are refused while the present state is saved, the store is closed for the moment of one rename, and
// opened again. Killed at any point, the next start finds the old database or the new one, whole: the rename is the only switch, and
// a write-ahead log is never left for a database that it is not of.
import { linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { forgetVectorTable, lookInto } from '#daemon/storage/snapshot.ts';
import { openDatabase } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import { fileOfBackup, syncFolder, workFolder } from './backup-folder.ts';
import { fileMember } from './backup-tasks.ts';
import { refuseOtherEngine } from './copy-of-store.ts';
import { createBackup } from './create.ts';
import type { BackupDeps } from './deps.ts';
import { type Backup, manifestToBackup } from './manifest.ts';
import { setAside } from './set-aside.ts';

export type Restored = { readonly restored: Backup; readonly saved: Backup | null };

/** Throws `not_found`, `conflict` for a damaged backup or one of a newer version; the store is as it was then. */
export async function restoreBackup(deps: BackupDeps, name: string): Promise<Restored> {
  const archive = fileOfBackup(deps.files.backups, name);
  const work = workFolder(deps.files.data);
  try {
    const { manifest } = await deps.runTask('unpack', { archive, folder: work });
    refuseOtherEngine(deps, manifest);
    const staged = join(work, fileMember);
    // opened as the daemon will open it: an older one is migrated here, and not under the eyes of waiting callers
    await (await openDatabase({ file: staged, clock: deps.clock })).close();
    forgetVectorTable(staged);
    const saved = await swapIn(deps, staged, join(work, 'replaced'));
    deps.logger.info({ name, saved: saved?.name }, 'backup restored');
    return { restored: manifestToBackup(manifest, name, statSync(archive).size), saved };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Puts a checked database file in the place of the store's. Answers the backup of what was there; null where that could not be read. */
export async function swapIn(deps: BackupDeps, staged: string, replaced: string): Promise<Backup | null> {
  const { database, data, vectors } = deps.files;
  let saved: Backup | null = null;
  let isLinked = false;
  await deps.exchange({
    async whileQuiet() {
      saved = await saveState(deps);
    },
    async whileClosed() {
      if (saved === null) setAside(deps.files, deps.clock.now());
      else refuseLeftLog(database);
      rmSync(vectors, { recursive: true, force: true });
      for (const suffix of ['-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true });
      isLinked = link(database, replaced);
      renameSync(staged, database);
      syncFolder(data);
    },
    async undo() {
      for (const suffix of ['-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true });
      if (isLinked) renameSync(replaced, database);
    },
  });
  return saved;
}

/** Null where there is nothing to save, or it is too damaged for a backup: then its files are set aside as they are. */
async function saveState(deps: BackupDeps): Promise<Backup | null> {
  if (lookInto(deps.files.database) === null) return null;
  try {
    return await createBackup(deps, 'before_restore');
  } catch (error) {
    const isDamage = error instanceof LociError && (error.code === 'conflict' || isCorrupt(error));
    if (!isDamage) throw error;
    deps.logger.warn({ err: error }, 'the present database is damaged; its files are kept as they are');
    return null;
  }
}

function isCorrupt({ details }: LociError): boolean {
  return details.cause === 'sqlite_corrupt' || details.cause === 'sqlite_notadb';
}

/** A log that closing could not fold into the database holds acknowledged changes: the backup just made has them, but nobody looked why. */
function refuseLeftLog(database: string): void {
  const log = statSync(`${database}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) return;
  throw new LociError('unavailable', 'The database could not be closed whole: nothing was restored. Try again.');
}

/** Keeps the old file until the new one has been opened; false where there is none, or this file system has no links. */
function link(database: string, replaced: string): boolean {
  try {
    linkSync(database, replaced);
    return true;
  } catch {
    return false;
  }
}
