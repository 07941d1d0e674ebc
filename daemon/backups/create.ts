// Making a backup: a snapshot that nobody waits for, checked, packed, checked again, and only then given its name. What is older than
// the settings keep goes last: a backup that failed costs none of those there are.
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { toUtc } from '#daemon/kernel/clock.ts';
import { LociError } from '#shared/errors.ts';
import { listFolder, newBackupName, publishArchive, readLedger, workFolder, writeLedger } from './backup-folder.ts';
import { archiveName } from './backup-tasks.ts';
import { copyBytes, makeArchive } from './copy-of-store.ts';
import type { BackupDeps } from './deps.ts';
import { diskProblem } from './in-thread.ts';
import { type Backup, type BackupReason, manifestToBackup } from './manifest.ts';
import { expiredBackups } from './retention.ts';

/** Throws `unavailable` where the disk refuses. Not to be called twice at once. */
export async function createBackup(deps: BackupDeps, reason: BackupReason, signal?: AbortSignal): Promise<Backup> {
  try {
    const backup = await make(deps, reason, signal);
    await prune(deps);
    return backup;
  } catch (error) {
    throw error instanceof LociError ? error : (diskProblem((error as NodeJS.ErrnoException).code) ?? error);
  }
}

/** A snapshot and its archive at once; vectors hardly shrink. */
const sizesNeeded = 2;
/** What saves may need meanwhile. */
const marginBytes = 64 * 2 ** 20;

/** A backup that filled the disk would cost the saves that it is meant to protect. */
async function refuseWithoutRoom(deps: BackupDeps): Promise<void> {
  const { files, freeBytes = freeBytesOf } = deps;
  const needed = sizesNeeded * (await copyBytes(deps)) + marginBytes;
  const free = freeBytes(files.backups);
  if (free >= needed) return;
  const mega = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
  throw new LociError(
    'unavailable',
    `A backup needs ${mega(needed)} MB beside the store and ${mega(free)} MB are free: free some space on the disk, or set backup.folder to another one.`,
    { needed_bytes: needed, free_bytes: free },
  );
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

async function make(deps: BackupDeps, reason: BackupReason, signal?: AbortSignal): Promise<Backup> {
  const { files, clock, logger } = deps;
  const work = workFolder(files.backups);
  try {
    await refuseWithoutRoom(deps);
    const { backups } = await listFolder(files.backups);
    const ledger = readLedger(files.backups);
    const sequence = Math.max(ledger.sequence, ...backups.map((backup) => backup.sequence)) + 1;
    const nowMs = clock.now();
    const { manifest, bytes } = await makeArchive(
      deps,
      { folder: work, sequence, createdAt: toUtc(nowMs), reason },
      signal,
    );
    const name = newBackupName(files.backups, nowMs);
    publishArchive(files.backups, join(work, archiveName), name);
    writeLedger(files.backups, { ...ledger, sequence });
    logger.info({ name, sequence, reason, bytes }, 'backup made');
    return manifestToBackup(manifest, name, bytes);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function prune({ files, retention, logger }: BackupDeps): Promise<void> {
  const { backups } = await listFolder(files.backups);
  for (const name of expiredBackups(backups, retention)) {
    rmSync(join(files.backups, name), { force: true });
    logger.info({ name }, 'backup dropped');
  }
}
