// The entry of the thread that works on backups: one task, one answer, then it ends and its memory with it.
import { parentPort, workerData } from 'node:worker_threads';
import { errorToProblem, LociError, type Problem } from '#shared/errors.ts';
import { backupTasks } from './backup-tasks.ts';

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

parentPort?.postMessage(await answer());
