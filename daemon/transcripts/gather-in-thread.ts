// Starts the thread that reads a transcript, bounds its memory and its time, and ends it.
import { Worker } from 'node:worker_threads';
import { workerFile } from '#daemon/kernel/worker-file.ts';
import { LociError, problemToError } from '#shared/errors.ts';
import type { Gathered, GatherRequest } from './gather.ts';
import type { FromGatherer } from './gather.worker.ts';

/** Megabytes of a reading's heap: a line of 16 MB and what it parses to fit, a whole transcript does not. */
const maxHeapMb = 128;
const timeoutMs = 10 * 60_000;

/** Rejects with `not_found`, `invalid_input`, or `unavailable` when the reading had to be given up. */
export function gatherInThread(request: GatherRequest, signal: AbortSignal): Promise<Gathered> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile('transcript-worker'), {
      name: 'loci-transcript',
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    const giveUp = (): void => end(new LociError('unavailable', 'The transcript could not be read to its end.'));
    const timer = setTimeout(giveUp, timeoutMs);
    timer.unref();
    signal.addEventListener('abort', giveUp, { once: true });
    let settled = false;

    function end(outcome: Gathered | Error): void {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      void worker.terminate();
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    }

    worker.on('message', (message: FromGatherer) => {
      if ('gathered' in message) end(message.gathered);
      else end('problem' in message ? problemToError(message.problem) : new Error(message.failure));
    });
    worker.on('error', (error) => end(error));
    worker.on('exit', giveUp);
    if (signal.aborted) giveUp();
  });
}
