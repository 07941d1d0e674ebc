// The entry of the thread that works on backups: one task, one answer, then it ends and its memory with it.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { errorToProblem, LociError, type Problem } from '#shared/errors.ts';
import { backupTasks } from './backup-tasks.ts';
import type { BackupReason } from './manifest.ts';

export type FromBackupThread =
  | { readonly answer: unknown }
  | { readonly problem: Problem }
  | { readonly failure: string; readonly code: string | null };

const { name, request } = workerData as { name: keyof typeof backupTasks; request: never };

async function answer(): Promise<FromBackupThread> {
  try {
    return { answer: await backupTasks[name](request) };
  } catch (error) {
    if (error instanceof LociError) return { problem: errorToProblem(error) };
    const { code = null, stack = null } = error as { code?: string; stack?: string };
    return { failure: stack ?? String(error), code };
  }
}

/**
 * A backup that nobody waits for yields to whoever does; one before a restore does not. Linux gives each thread a priority of its own;
 * elsewhere this would be the whole daemon's.
 */
function stepBack(): void {
  const reason = name === 'make' || name === 'pack' ? (request as { reason: BackupReason }).reason : null;
  if (process.platform !== 'linux' || (reason !== 'nightly' && reason !== 'manual')) return;
  try {
    setPriority(10);
  } catch {
    // then it works at the priority of all
  }
}

stepBack();
parentPort?.postMessage(await answer());
