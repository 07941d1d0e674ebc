// A daemon as its clients see it: started as they start it, asked over its socket by the code that they use.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { daemonNodeFlags } from '#clients/connect/spawn-daemon.ts';
import { createWire, type WireAnswer } from '#clients/connect/wire.ts';
import { resolvePaths } from '#shared/paths.ts';
import { environmentOfDaemon, program } from './program.ts';

export type RunningDaemon = {
  readonly pid: number;
  /** Milliseconds from its spawn to its first answer on the socket. */
  readonly firstAnswerMs: number;
  /** The time of its spawn on the clock of `performance.now()`. */
  readonly spawnedAtMs: number;
  /** Calls an operation and gives its output; throws what the daemon says when it refuses. */
  call<Output = Record<string, unknown>>(operation: string, input?: object): Promise<Output>;
  /** The same, and how many milliseconds it took. */
  time(operation: string, input?: object): Promise<number>;
  get(path: string): Promise<string>;
  stop(): Promise<void>;
  kill(): Promise<void>;
};

const startTimeoutMs = 60_000;
const callTimeoutMs = 600_000;
/** Between two questions whether it answers: short beside what is measured. */
const askAgainMs = 2;

/** Starts `dist/locid.js` on a home and resolves when it answers. */
export async function startDaemon(home: string, extra: NodeJS.ProcessEnv = {}): Promise<RunningDaemon> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const env = environmentOfDaemon(home, extra);
  const target = { kind: 'socket', path: resolvePaths(env).httpSocket } as const;
  const wire = createWire();
  const spawnedAtMs = performance.now();
  const child = spawn(process.execPath, [...daemonNodeFlags, program('locid')], {
    env,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await untilAnswer();
  const firstAnswerMs = performance.now() - spawnedAtMs;

  async function untilAnswer(): Promise<void> {
    while (performance.now() - spawnedAtMs < startTimeoutMs) {
      const answer = await wire.send(target, { method: 'GET', path: '/health', timeoutMs: 2_000 }).catch(() => null);
      if (answer !== null) return;
      if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}`);
      await sleep(askAgainMs);
    }
    throw new Error('the daemon did not answer');
  }

  async function post(operation: string, input: object): Promise<WireAnswer> {
    const body = JSON.stringify(input);
    const path = `/operations/${operation}`;
    const answer = await wire.send(target, { method: 'POST', path, body, timeoutMs: callTimeoutMs });
    if (answer.status >= 400) throw new Error(`${operation}: ${answer.body}`);
    return answer;
  }

  return {
    pid: child.pid as number, // it has answered
    firstAnswerMs,
    spawnedAtMs,
    call: async (operation, input = {}) => JSON.parse((await post(operation, input)).body),
    async time(operation, input = {}) {
      const startedMs = performance.now();
      await post(operation, input);
      return performance.now() - startedMs;
    },
    get: async (path) => (await wire.send(target, { method: 'GET', path, timeoutMs: callTimeoutMs })).body,
    stop: () => end(child, exited, 'SIGTERM').finally(() => wire.close()),
    kill: () => end(child, exited, 'SIGKILL').finally(() => wire.close()),
  };
}

async function end(child: ChildProcess, exited: Promise<void>, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  await exited;
}
