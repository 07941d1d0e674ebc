// Starts daemons as processes and sees to it that none outlives its test.

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { identify } from '#clients/connect/find-daemon.ts';
import { createWire } from '#clients/connect/wire.ts';
import { type LociPaths, resolvePaths } from '#shared/paths.ts';
import { sendSignal } from './send-signal.ts';

export type Home = { readonly folder: string; readonly env: NodeJS.ProcessEnv; readonly paths: LociPaths };

export type DaemonProcess = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stderr: () => string;
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | string | null>;
};

/** An environment of its own: nothing of the one that runs the tests but PATH. The daemon that lives in it at the end is ended. */
export function homeIn(folder: string, extra: NodeJS.ProcessEnv = {}): Home {
  const env = { PATH: process.env.PATH, HOME: folder, LOCI_HOME: folder, LOCI_PORT: '0', ...extra };
  const paths = resolvePaths(env);
  onTestFinished(async () => {
    const pid = await pidOf({ paths });
    if (pid !== null) await endProcess(pid);
    // a client may have started another just now, which does not answer yet
    for (const starting of daemonsOf(folder)) await endProcess(starting);
  });
  return { folder, env, paths };
}

/** Whatever runs with this home, as Linux tells it; nothing elsewhere. */
function daemonsOf(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => environmentOf(pid).includes(`LOCI_HOME=${folder}`));
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // it has ended, or is another user's
  }
}

/** The pid that answers on the home's socket, or null. */
export async function pidOf({ paths }: Pick<Home, 'paths'>): Promise<number | null> {
  const wire = createWire();
  const identity = await identify(wire, paths);
  wire.close();
  return identity?.pid ?? null;
}

export function startProcess(script: string, env: NodeJS.ProcessEnv, args: readonly string[] = []): DaemonProcess {
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.resume();
  const exited = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  });
  return { child, pid: child.pid ?? -1, stderr: () => stderr, exited };
}

/** Resolves with the pid once `home` answers; `notPid` waits for another daemon than that. */
export async function untilUp(
  home: Pick<Home, 'paths'>,
  notPid: number | null = null,
  withinMs = 10_000,
): Promise<number> {
  const deadlineMs = Date.now() + withinMs;
  while (Date.now() < deadlineMs) {
    const pid = await pidOf(home);
    if (pid !== null && pid !== notPid) return pid;
    await sleep(10);
  }
  throw new Error(`no daemon answered within ${withinMs} ms`);
}

export async function endProcess(pid: number | null | undefined): Promise<void> {
  const deadlineMs = Date.now() + 5_000;
  for (let signal: NodeJS.Signals | 0 = 'SIGKILL'; Date.now() < deadlineMs; signal = 0) {
    try {
      sendSignal(pid, signal);
    } catch {
      return;
    }
    await sleep(10);
  }
}
