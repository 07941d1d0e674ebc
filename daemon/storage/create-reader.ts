// Questions to the reader thread, which is started by the first one. If it dies, it is started again and asked what it had not answered:
// its questions change nothing, and the new one reads the vectors from SQLite, where every published change was committed before.
// A question that was under way in two deaths is refused, so that one bad question cannot go round for ever.
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { Logger } from '#daemon/kernel/logger.ts';
import { workerFile } from '#daemon/kernel/worker-file.ts';
import { LociError, problemToError } from '#shared/errors.ts';
import type { Questions, Reader } from './reader.ts';
import type { FromReader, ReaderSource, ReaderWorkerData, ToReader } from './reader-messages.ts';
import type { VectorChange } from './search-types.ts';

export type ReaderDeps = {
  readonly source: ReaderSource;
  readonly logger: Logger;
  /** How a thread is made; tests pass their own to get hold of it. */
  readonly startWorker?: (program: URL, options: WorkerOptions) => Worker;
};

type Pending = {
  readonly question: Extract<ToReader, { kind: 'question' }>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  attempts: number;
};

const maxAttempts = 2;
const closeTimeoutMs = 2_000;

/** The reader over a database, which must exist and be migrated. */
export function createReader<More extends Questions = Record<never, never>>({
  source,
  logger,
  startWorker = newWorker,
}: ReaderDeps): Reader<More> {
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let lastId = 0;
  let closed = false;
  let unsent: VectorChange[] = [];

  function start(): Worker {
    const started = startWorker(workerFile('reader-worker'), {
      name: 'loci-reader',
      workerData: { source } satisfies ReaderWorkerData,
    });
    started.on('message', receive);
    started.on('error', (error) => logger.error({ err: error }, 'the reader thread failed'));
    started.on('exit', () => {
      if (worker === started) worker = null;
      if (!closed) askAgain();
    });
    return started;
  }

  function send(message: ToReader): void {
    sendPublished();
    worker ??= start();
    worker.postMessage(message);
  }

  function sendPublished(): void {
    // without a thread there is nothing to tell: a new one reads what was committed
    if (worker !== null && !closed && unsent.length > 0)
      worker.postMessage({ kind: 'publish', changes: unsent } satisfies ToReader);
    unsent = [];
  }

  function receive(message: FromReader): void {
    const asked = pending.get(message.id);
    if (asked === undefined) return;
    pending.delete(message.id);
    if ('answer' in message) asked.resolve(message.answer);
    else if ('problem' in message) asked.reject(problemToError(message.problem));
    else asked.reject(new Error(`the reader failed at ${asked.question.name}: ${message.failure}`));
  }

  function askAgain(): void {
    for (const [id, asked] of pending) {
      asked.attempts += 1;
      if (asked.attempts <= maxAttempts) send(asked.question);
      else {
        pending.delete(id);
        asked.reject(new LociError('unavailable', 'The search thread stopped twice at this request: try another one.'));
      }
    }
  }

  return {
    ask(name: string, argument: unknown) {
      if (closed) return Promise.reject(new LociError('unavailable', 'The daemon is stopping: try again in a moment.'));
      return new Promise<unknown>((resolve, reject) => {
        lastId += 1;
        const question = { kind: 'question', id: lastId, name, argument } as const;
        send(question);
        pending.set(lastId, { question, resolve, reject, attempts: 1 });
      }) as never;
    },
    publish(changes) {
      // waking a thread takes a third of a millisecond: the answer to who saved goes first, and every question after it still comes later
      if (unsent.length === 0) setImmediate(sendPublished);
      unsent.push(...changes);
    },
    reread(keys) {
      if (worker !== null && !closed) send({ kind: 'reread', keys });
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const { reject } of pending.values()) {
        reject(new LociError('unavailable', 'The daemon is stopping: try again in a moment.'));
      }
      pending.clear();
      await stop(worker);
    },
  };
}

function newWorker(program: URL, options: WorkerOptions): Worker {
  return new Worker(program, options);
}

/** Lets the thread close its connection; ends it when that takes too long. */
async function stop(worker: Worker | null): Promise<void> {
  if (worker === null) return;
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage({ kind: 'close' } satisfies ToReader);
  const timer = setTimeout(() => void worker.terminate(), closeTimeoutMs);
  await exited;
  clearTimeout(timer);
}
