// The daemon's side of the thread that reads an upload and stores it: one question at a time, a bounded heap, and an end whenever it is asked for.
import { Worker } from 'node:worker_threads';
import { workerFile } from '#daemon/kernel/worker-file.ts';
import type { ImportReport } from '#shared/contract/transfer.ts';
import { LociError, problemToError } from '#shared/errors.ts';
import type { ApplyRequest, Slice, SliceRequest } from './apply/applier.ts';
import type { StageRequest, StageResult } from './stage-upload.ts';
import type { FromStager, ToStager } from './worker-messages.ts';

/** Megabytes of the thread's heap: the longest line and what is made of it fit, a whole file does not. */
const maxHeapMb = 224;

export type StagingThread = {
  stage(request: StageRequest, progress: (bytes: number) => void): Promise<StageResult>;
  /** Goes on to store what is staged: `prepare` and `store` in turn until nothing is left. */
  open(staging: string, request: ApplyRequest): Promise<void>;
  /** False where nothing is left. */
  prepare(): Promise<boolean>;
  /** One transaction; only while this thread's right to write is lent. */
  store(request: SliceRequest): Promise<Slice>;
  report(): Promise<ImportReport>;
  end(): Promise<void>;
};

export function startStagingThread(): StagingThread {
  const worker = new Worker(workerFile('transfer-worker'), {
    name: 'loci-import',
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  let settle: { resolve(message: FromStager): void; reject(error: unknown): void } | null = null;
  let onProgress: (bytes: number) => void = () => undefined;

  worker.on('message', (message: FromStager) => {
    if (message.kind === 'progress') return onProgress(message.bytes);
    const waiting = settle;
    settle = null;
    if (message.kind === 'problem') waiting?.reject(problemToError(message.problem));
    else if (message.kind === 'failure') waiting?.reject(new Error(`the import thread failed: ${message.failure}`));
    else waiting?.resolve(message);
  });
  const gone = (error: unknown): void => {
    settle?.reject(error);
    settle = null;
  };
  worker.on('error', (error: NodeJS.ErrnoException) =>
    gone(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new LociError('payload_too_large', 'A record of the file is too large to be read.')
        : error,
    ),
  );
  const interrupted = (): LociError => new LociError('unavailable', 'The import was interrupted: run it again.');
  let hasEnded = false;
  worker.on('exit', () => {
    hasEnded = true;
    gone(interrupted());
  });

  function ask<Kind extends FromStager['kind']>(
    message: ToStager,
    kind: Kind,
  ): Promise<Extract<FromStager, { kind: Kind }>> {
    return new Promise((resolve, reject) => {
      // a thread that has ended answers nobody
      if (hasEnded) return reject(interrupted());
      settle = {
        resolve: (answer) =>
          answer.kind === kind
            ? resolve(answer as Extract<FromStager, { kind: Kind }>)
            : reject(new Error(`asked for ${kind}`)),
        reject,
      };
      worker.postMessage(message);
    });
  }

  return {
    async stage(request, progress) {
      onProgress = progress;
      return (await ask({ kind: 'stage', request }, 'staged')).result;
    },
    async open(staging, request) {
      await ask({ kind: 'open', staging, request }, 'opened');
    },
    prepare: async () => (await ask({ kind: 'prepare' }, 'prepared')).more,
    store: async (request) => (await ask({ kind: 'store', request }, 'stored')).slice,
    report: async () => (await ask({ kind: 'report' }, 'report')).report,
    async end() {
      await worker.terminate();
    },
  };
}
