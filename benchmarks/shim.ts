// What an agent pays for `loci mcp` at the start of every session: the time from spawn to the answer of `tools/list`, against the time
// that an empty `node` takes, and the memory of the process that stays, against an idle `node`. The daemon is up before.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { median } from './median.ts';

export type ShimFigures = {
  /** Milliseconds, medians: `node -e 0` to its end, and spawn of the shim to the answer of `tools/list`. */
  readonly emptyNodeMs: number;
  readonly toolsListMs: number;
  readonly timeRatio: number;
  /** Megabytes resident, medians. */
  readonly idleNodeMb: number;
  readonly shimMb: number;
  readonly memoryRatio: number;
};

/** The bars: the shim may take half as much again as an empty node, and a quarter more memory than an idle one. */
export const shimBars = { timeRatio: 1.5, memoryRatio: 1.25 } as const;

export type ShimRun = { readonly loci: string; readonly env: NodeJS.ProcessEnv; readonly runs: number };

/** Measures `runs` starts of each kind, alternating, so that a busy machine slows both alike. */
export async function measureShim({ loci, env, runs }: ShimRun): Promise<ShimFigures> {
  await shimOnce(loci, env); // starts the daemon and fills the file cache
  const empty: number[] = [];
  const idle: number[] = [];
  const shim: { listedMs: number; residentMb: number }[] = [];
  for (let run = 0; run < runs; run += 1) {
    empty.push(await emptyNodeOnce(env));
    idle.push(await idleNodeOnce(env));
    shim.push(await shimOnce(loci, env));
  }
  const emptyNodeMs = median(empty);
  const toolsListMs = median(shim.map(({ listedMs }) => listedMs));
  const idleNodeMb = median(idle);
  const shimMb = median(shim.map(({ residentMb }) => residentMb));
  return {
    emptyNodeMs,
    toolsListMs,
    timeRatio: toolsListMs / emptyNodeMs,
    idleNodeMb,
    shimMb,
    memoryRatio: shimMb / idleNodeMb,
  };
}

async function emptyNodeOnce(env: NodeJS.ProcessEnv): Promise<number> {
  const startMs = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { env, stdio: 'ignore' });
  await exitOf(child);
  return performance.now() - startMs;
}

async function idleNodeOnce(env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume();console.log(1)'], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await settle();
  const megabytes = residentMb(child);
  child.stdin.end();
  await exitOf(child);
  return megabytes;
}

async function shimOnce(loci: string, env: NodeJS.ProcessEnv): Promise<{ listedMs: number; residentMb: number }> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [loci, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = linesOf(child.stdout);
  const ask = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'benchmark', version: '1' };
  ask({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  await answers.next();
  ask({ method: 'notifications/initialized' });
  ask({ id: 2, method: 'tools/list' });
  await answers.next();
  const listedMs = performance.now() - startMs;
  await settle();
  const megabytes = residentMb(child);
  child.stdin.end();
  await exitOf(child);
  return { listedMs, residentMb: megabytes };
}

async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let partial = '';
  for await (const chunk of stream) {
    const parts = (partial + String(chunk)).split('\n');
    partial = parts.pop() ?? '';
    yield* parts;
  }
}

function residentMb({ pid }: ChildProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024;
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}
