// The daemon's side of the vector process: started by the first request, let go when it has been idle for a while, ended by force when a
// request takes too long. A request whose process died is asked once more of a new one: every request may be repeated.
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from '#daemon/kernel/logger.ts';
import { workerFile } from '#daemon/kernel/worker-file.ts';
import { LociError } from '#shared/errors.ts';
import type { FromLance, ToLance } from './lance-messages.ts';
import type { LanceQueries } from './lance-table.ts';

export type LanceClient = {
  /** Throws `unavailable` on a time-out, `LanceFailure` when LanceDB refused or its process died twice. */
  ask<Name extends keyof LanceQueries>(name: Name, argument: LanceQueries[Name][0]): Promise<LanceQueries[Name][1]>;
  /** Lets the process go; the next request starts another. */
  release(): Promise<void>;
  close(): Promise<void>;
};

export type LanceClientDeps = {
  /** LanceDB's folder, or the address of a bucket's folder. */
  readonly place: string;
  /** What the process is told beside the daemon's own environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly logger: Logger;
  /** How long an idle process is kept. */
  readonly idleMs: () => number;
  /** Limit of a request, but for `optimise`, which may build an index. */
  readonly timeoutMs: number;
  /** After how many changes a process is replaced: 500 where not given. */
  readonly changesOfProcess?: number | undefined;
  /** How the process is made; tests pass their own to get hold of it. */
  readonly startProcess?: StartProcess | undefined;
};

export type StartProcess = (program: string, argv: string[], options: ForkOptions) => ChildProcess;

/** LanceDB could not do what was asked: its folder is suspect. The message is for the log alone. */
export class LanceFailure extends Error {}

type Pending = {
  readonly request: ToLance;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
  attempts: number;
  /** The process that has it. */
  child: ChildProcess | null;
};

const optimiseTimeoutMs = 30 * 60_000;
/** LanceDB keeps something of each change, about .1 MB of a write: a process that has made so many is replaced. */
const usualChanges = 500;
/** What changes a table, by whatever name: one that is written anew, after a purge, leaves as much behind as writes do. */
const changes: ReadonlySet<keyof LanceQueries> = new Set(['create', 'append', 'write', 'optimise', 'keepOnly']);
const lastWordsChars = 2_000;
const leaveTimeoutMs = 2_000;

export function createLanceClient(deps: LanceClientDeps): LanceClient {
  const pending = new Map<number, Pending>();
  let child: ChildProcess | null = null;
  let idleTimer: NodeJS.Timeout | null = null;
  let lastId = 0;
  let changed = 0;
  const mostChanges = deps.changesOfProcess ?? usualChanges;
  let closed = false;

  function start(): ChildProcess {
    const started = (deps.startProcess ?? fork)(fileURLToPath(workerFile('lance-process')), [deps.place], {
      ...(deps.env === undefined ? {} : { env: { ...process.env, ...deps.env } }),
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let lastWords = '';
    started.stderr?.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-lastWordsChars);
    });
    started.on('message', receive);
    started.on('error', (error) => {
      deps.logger.error({ err: error }, 'the vector process could not start');
      if (child === started) child = null;
      askAgain(started);
    });
    started.on('exit', (code, signal) => {
      if (code !== 0) deps.logger.warn({ code, signal, lastWords }, 'the vector process ended');
      if (child === started) child = null;
      askAgain(started);
    });
    // a daemon that has nothing else to do may end: the process follows it
    started.unref();
    started.channel?.unref();
    return started;
  }

  function send(asked: Pending): void {
    if (idleTimer !== null) clearTimeout(idleTimer);
    idleTimer = null;
    child ??= start();
    asked.child = child;
    // a failed send is followed by `exit`, which asks again
    child.send(asked.request, () => undefined);
    if (changes.has(asked.request.name)) changed += 1;
  }

  function settle(id: number): Pending | undefined {
    const asked = pending.get(id);
    if (asked === undefined) return undefined;
    pending.delete(id);
    clearTimeout(asked.timer);
    if (pending.size === 0 && changed >= mostChanges) void release();
    else if (pending.size === 0 && !closed) {
      idleTimer = setTimeout(() => void release(), deps.idleMs());
      idleTimer.unref();
    }
    return asked;
  }

  function receive(message: FromLance): void {
    const asked = settle(message.id);
    if (asked === undefined) return;
    if ('answer' in message) asked.resolve(message.answer);
    else asked.reject(new LanceFailure(`${asked.request.name}: ${message.failure}`));
  }

  function askAgain(dead: ChildProcess): void {
    for (const [id, asked] of [...pending]) {
      if (asked.child !== dead) continue;
      asked.attempts += 1;
      if (asked.attempts <= 2 && !closed) send(asked);
      else settle(id)?.reject(closed ? stopping() : new LanceFailure(`${asked.request.name}: the vector process died`));
    }
  }

  /** The one way out of a native call that never returns. */
  function giveUp(id: number): void {
    const asked = settle(id);
    asked?.reject(
      new LociError('unavailable', 'The vector index did not answer in time.', { cause: 'vector_timeout' }),
    );
    asked?.child?.kill('SIGKILL');
  }

  async function release(): Promise<void> {
    const leaving = child;
    child = null;
    changed = 0;
    if (leaving === null || leaving.exitCode !== null || leaving.signalCode !== null) return;
    const gone = new Promise((resolve) => leaving.once('exit', resolve));
    leaving.ref();
    if (leaving.connected) leaving.disconnect();
    const timer = setTimeout(() => leaving.kill('SIGKILL'), leaveTimeoutMs);
    await gone;
    clearTimeout(timer);
  }

  return {
    ask(name, argument) {
      if (closed) return Promise.reject(stopping());
      return new Promise<unknown>((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        const timer = setTimeout(() => giveUp(id), name === 'optimise' ? optimiseTimeoutMs : deps.timeoutMs);
        const asked: Pending = { request: { id, name, argument }, resolve, reject, timer, attempts: 1, child: null };
        pending.set(id, asked);
        send(asked);
      }) as never;
    },
    release,
    async close() {
      closed = true;
      if (idleTimer !== null) clearTimeout(idleTimer);
      await release();
    },
  };
}

function stopping(): LociError {
  return new LociError('unavailable', 'The daemon is stopping: try again in a moment.');
}
