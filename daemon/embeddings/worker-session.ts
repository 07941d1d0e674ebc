// One life of the model's thread: from its start to its end, whatever ends it.
// The thread is asked to end and never terminated: `worker.terminate()` during a run of the model aborts the whole process
// (a C++ exception that nothing catches). It ends between two runs, so after 200 ms at most.
import { Worker } from 'node:worker_threads';
import { closeGate, createRunGate, type RunGate } from './run-gate.ts';
import type { ModelProblem, WorkerConfig, WorkerReply, WorkerRequest, WorkerStart } from './worker-messages.ts';

export type Ask =
  | { readonly kind: 'embed'; readonly text: string; readonly purpose: 'query' | 'passage' }
  | { readonly kind: 'split' | 'first'; readonly text: string }
  | { readonly kind: 'rank'; readonly query: string; readonly text: string };

export type Answer = Extract<WorkerReply, { kind: 'vector' | 'first' | 'passages' | 'score' | 'failed' }>;

export type SessionOptions = {
  /** The built entry of the thread. */
  readonly workerFile: string;
  readonly config: WorkerConfig;
  readonly loadTimeoutMs: number;
  /** A run that takes longer is given up, and the thread with it. */
  readonly runTimeoutMs: number;
};

/** Why a thread ended that was not asked to. */
export type Ending =
  | { readonly why: 'crashed' | 'timed out' | 'closed' }
  | { readonly why: 'unusable'; readonly problem: ModelProblem };

export type Session = {
  /** Resolves when the model can embed; rejects with the `Ending` when it never will. */
  readonly ready: Promise<void>;
  /** Rejects with the `Ending` when the thread ends first. */
  ask(request: Ask): Promise<Answer>;
  /** Refuses whatever waits and resolves when the thread has ended, or after a few seconds when it does not. */
  end(): Promise<void>;
};

type Waiting<T> = { resolve(value: T): void; reject(ending: Ending): void; readonly timer: NodeJS.Timeout };

/** Starts a thread and loads the model in it. */
export function startSession(options: SessionOptions): Session {
  const gate = createRunGate();
  const worker = startThread(options, gate);
  const onProcessExit = (): void => closeGate(gate, patienceMs);
  process.once('exit', onProcessExit);
  const waiting = new Map<number, Waiting<Answer>>();
  let ended: Ending | null = null;
  let lastId = 0;
  let loading: Waiting<void> | null = null;
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => end({ why: 'timed out' }), options.loadTimeoutMs);
    loading = { resolve, reject, timer };
  });
  ready.catch(() => undefined); // whoever asks learns it; nobody needs to be asking

  worker.on('message', (reply: WorkerReply) => {
    if (reply.kind === 'ready') return loadingIsOver()?.resolve();
    if (reply.kind === 'unusable') return void end({ why: 'unusable', problem: reply.problem });
    const request = waiting.get(reply.id);
    waiting.delete(reply.id);
    clearTimeout(request?.timer);
    if (waiting.size === 0) worker.unref();
    request?.resolve(reply);
  });
  worker.on('error', () => void end({ why: 'crashed' }));
  const gone = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      process.off('exit', onProcessExit);
      void end({ why: 'crashed' });
      resolve();
    });
  });

  return {
    ready,
    ask(request) {
      if (ended !== null) return Promise.reject(ended);
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => end({ why: 'timed out' }), options.runTimeoutMs);
        waiting.set(id, { resolve, reject, timer });
        worker.ref(); // an idle thread keeps no process alive, a working one does
        worker.postMessage({ ...request, id });
      });
    },
    end: () => end({ why: 'closed' }),
  };

  function loadingIsOver(): Waiting<void> | null {
    const waiter = loading;
    loading = null;
    clearTimeout(waiter?.timer);
    if (waiting.size === 0) worker.unref();
    return waiter;
  }

  /** Tells everybody who waits, once, and asks the thread to end. */
  async function end(ending: Ending): Promise<void> {
    if (ended === null) {
      ended = ending;
      loadingIsOver()?.reject(ending);
      for (const request of waiting.values()) {
        clearTimeout(request.timer);
        request.reject(ending);
      }
      waiting.clear();
      worker.postMessage({ kind: 'end' } satisfies WorkerRequest);
      worker.unref(); // a thread that hangs must not keep the process
    }
    await withPatience(gone);
  }
}

/** How long the end of a run, and of the thread after it, is waited for. */
const patienceMs = 3_000;

async function withPatience(gone: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([gone, over]);
  clearTimeout(timer);
}

function startThread({ workerFile, config }: SessionOptions, gate: RunGate): Worker {
  const worker = new Worker(workerFile, {
    workerData: { config, gate } satisfies WorkerStart,
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    // a small nursery is collected early; the bound lets a runaway end the thread instead of the daemon
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 512 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}
