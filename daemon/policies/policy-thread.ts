// The daemon's hold on the thread of a policy. Whatever the module does (throws, hangs, ends its thread, allocates without end), a
// question is answered or given up within its time, and the next one gets a thread that works. The heap of the thread is bounded by
// V8; memory beside the heap (buffers) is not, so the size of the whole process is watched while somebody waits.
import { Worker } from 'node:worker_threads';
import type { Logger } from '#daemon/kernel/logger.ts';
import { workerFile } from '#daemon/kernel/worker-file.ts';
import type { Phase, PolicyQuestion, PolicyReply, PolicyThreadData } from './thread-messages.ts';

export type PolicyThread = {
  /** What the handler returned. Throws `PolicyFailure` with a reason for the log when there is no answer in time. */
  ask(phase: Phase, write: unknown): Promise<unknown>;
  close(): Promise<void>;
};

/** The policy gave no verdict; the message is for the daemon's own log. */
export class PolicyFailure extends Error {}

export type PolicyThreadOptions = { readonly file: string; readonly timeoutMs: number; readonly logger: Logger };

type Waiting = {
  readonly question: PolicyQuestion;
  readonly settle: (reply: PolicyReply) => void;
  /** Threads that ended under it: the thread's end may be another question's fault once, not twice. */
  ends: number;
};

const heapLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
/** How much the process may grow while a policy thinks, before the policy is taken to be the cause. */
const maxGrowthBytes = 512 * 2 ** 20;
const watchEveryMs = 20;

export function createPolicyThread({ file, timeoutMs, logger }: PolicyThreadOptions): PolicyThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let lastId = 0;
  let watch: NodeJS.Timeout | null = null;
  let isClosed = false;

  return {
    ask: (phase, write) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const question: PolicyQuestion = { id: lastId, phase, write };
        const timer = setTimeout(() => {
          settle(question.id, { id: question.id, failed: `no answer within ${timeoutMs} ms` });
          endThread('a question timed out');
        }, timeoutMs);
        const done = (reply: PolicyReply): void => {
          clearTimeout(timer);
          if ('failed' in reply) reject(new PolicyFailure(reply.failed));
          else resolve(reply.verdict);
        };
        waiting.set(question.id, { question, settle: done, ends: 0 });
        post(question);
      }),
    async close() {
      isClosed = true;
      for (const id of [...waiting.keys()]) settle(id, { id, failed: 'the daemon is stopping' });
      await worker?.terminate();
    },
  };

  function post(question: PolicyQuestion): void {
    try {
      if (isClosed) throw new PolicyFailure('the daemon is stopping');
      worker ??= start();
      worker.postMessage(question);
      watch ??= watchGrowth();
    } catch (error) {
      settle(question.id, { id: question.id, failed: String(error) });
    }
  }

  function start(): Worker {
    const data: PolicyThreadData = { file };
    const started = new Worker(workerFile('policy-worker'), {
      workerData: data,
      env: {},
      resourceLimits: heapLimits,
      stdout: true,
      stderr: true,
      execArgv: [],
    });
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (text: Buffer) => logger.info({ text: text.toString('utf8', 0, 2_000) }, 'a policy printed'));
    }
    started.on('message', (reply: PolicyReply) => settle(reply.id, reply));
    started.on('error', (error) => logger.warn({ err: error }, 'the thread of a policy failed'));
    started.on('exit', () => threadEnded(started));
    started.unref();
    return started;
  }

  function settle(id: number, reply: PolicyReply): void {
    const entry = waiting.get(id);
    if (entry === undefined) return;
    waiting.delete(id);
    if (waiting.size === 0 && watch !== null) {
      clearInterval(watch);
      watch = null;
    }
    entry.settle(reply);
  }

  /** Takes the present thread away; those who still wait are asked again in a new one. */
  function endThread(why: string): void {
    const ended = worker;
    if (ended === null) return;
    logger.warn({ why }, 'the thread of a policy is ended');
    void ended.terminate();
    threadEnded(ended);
  }

  function threadEnded(ended: Worker): void {
    if (worker !== ended) return;
    worker = null;
    for (const entry of [...waiting.values()]) {
      entry.ends += 1;
      if (entry.ends > 1) settle(entry.question.id, { id: entry.question.id, failed: 'its thread ended twice' });
      else post(entry.question);
    }
  }

  function watchGrowth(): NodeJS.Timeout {
    const before = process.memoryUsage.rss();
    const timer = setInterval(() => {
      if (process.memoryUsage.rss() - before < maxGrowthBytes) return;
      for (const id of [...waiting.keys()]) settle(id, { id, failed: 'the process grew too much meanwhile' });
      endThread('it took too much memory');
    }, watchEveryMs);
    return timer.unref();
  }
}
