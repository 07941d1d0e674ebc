import { Worker } from 'node:worker_threads';
import { workerFile } from '#daemon/kernel/worker-file.ts';
import { LociError, problemToError } from '#shared/errors.ts';
import type { FromBackupThread } from './backup.worker.ts';
import type { BackupTasks } from './backup-tasks.ts';

export type RunTask = <Name extends keyof BackupTasks>(
  name: Name,
  request: BackupTasks[Name][0],
  signal?: AbortSignal,
) => Promise<BackupTasks[Name][1]>;

/** Runs a task in a thread of its own. Rejects with `unavailable` where the disk refuses, `conflict` where what it read is damaged. */
export const runInThread: RunTask = (name, request, signal) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(workerFile('backup-worker'), { name: 'loci-backup', workerData: { name, request } });
    let settled = false;

    function end(outcome: { readonly answer: unknown } | Error): void {
      if (settled) return;
      settled = true;
      signal?.removeEventListener('abort', giveUp);
      void worker.terminate();
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome.answer as never);
    }

    function giveUp(): void {
      end(new LociError('unavailable', 'The work on the backup was given up: try again.'));
    }

    worker.on('message', (message: FromBackupThread) => {
      if ('answer' in message) end(message);
      else if ('problem' in message) end(problemToError(message.problem));
      else end(diskProblem(message.code) ?? new Error(message.failure));
    });
    worker.on('error', end);
    worker.on('exit', giveUp);
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted === true) giveUp();
  });

const diskWords: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a file may not grow so large',
  EROFS: 'the file system is read-only',
  EACCES: 'permission was denied',
  EPERM: 'permission was denied',
  EIO: 'the disk failed',
};

/** What the system refused, as a sentence; null for anything else. */
export function diskProblem(code: string | null | undefined): LociError | null {
  const words = diskWords[code ?? ''];
  if (words === undefined) return null;
  return new LociError('unavailable', `The folder of the backups cannot be used: ${words}. Nothing was changed.`, {
    cause: code,
  });
}
