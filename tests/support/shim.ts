// The built shim beside a test daemon, as `dist/` holds them beside the real one.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { atEnd } from './at-end.ts';
import { sendSignal } from './send-signal.ts';

import { tempFolder } from './temp-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds `loci.cjs` and a test `locid.js` into a folder below `dist`, and answers the path of `loci.cjs`. */
export async function buildShim(name: string): Promise<string> {
  const folder = join(root, 'dist', 'tests', name);
  mkdirSync(folder, { recursive: true });
  const common = { absWorkingDir: root, bundle: true, platform: 'node', outdir: folder } as const;
  await build({
    ...common,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.dirname': '__dirname' },
    entryPoints: { loci: 'clients/main.ts' },
  });
  await build({
    ...common,
    format: 'esm',
    external: ['better-sqlite3'],
    banner: { js: "import{createRequire as c}from'node:module';const require=c(import.meta.url);" },
    entryPoints: { locid: 'tests/support/mcp-daemon.ts' },
  });
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  return join(folder, 'loci.cjs');
}

export type RunningShim = {
  readonly child: ChildProcessWithoutNullStreams;
  /** Every line of stdout so far. */
  readonly lines: string[];
  readonly stderr: () => string;
  send(message: object | string): void;
  /** The answer to the request `id`. */
  answer(id: string | number | null, timeoutMs?: number): Promise<Record<string, unknown>>;
  exited: Promise<number | null>;
};

export type ShimOptions = {
  readonly home: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
};

/** Runs `loci mcp`; the end of the test kills it and the daemon it started. */
export function runShim(loci: string, options: ShimOptions): RunningShim {
  const child = spawn(process.execPath, [loci, 'mcp', ...(options.args ?? [])], {
    env: { PATH: process.env.PATH, HOME: options.home, LOCI_HOME: options.home, ...options.env },
    cwd: options.cwd ?? options.home,
  });
  const lines: string[] = [];
  let partial = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (partial + chunk).split('\n');
    partial = parts.pop() ?? '';
    lines.push(...parts);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on('error', () => undefined);
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  atEnd(() => {
    child.kill('SIGKILL');
  });
  return {
    child,
    lines,
    stderr: () => stderr,
    send: (message) => void child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    answer: (id, timeoutMs = 10_000) => waitForAnswer(lines, id, timeoutMs),
    exited,
  };
}

async function waitForAnswer(
  lines: readonly string[],
  id: string | number | null,
  timeoutMs: number,
): Promise<Record<string, unknown>> {
  const endMs = Date.now() + timeoutMs;
  while (Date.now() < endMs) {
    for (const line of lines) {
      const message = JSON.parse(line) as Record<string, unknown>;
      if (message.id === id && message.method === undefined) return message;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`no answer to ${String(id)} within ${timeoutMs} ms; lines: ${lines.join('\n').slice(0, 500)}`);
}

/** A new home whose daemon, if one was started, is killed at the end of the test. */
export function tempHome(): string {
  const home = tempFolder();
  atEnd(() => killDaemon(home));
  return home;
}

/** Pid of the daemon of a home as its card says; null when none has run. */
export function daemonPid(home: string): number | null {
  try {
    return (JSON.parse(readFileSync(join(home, 'data', 'locid.json'), 'utf8')) as { pid: number }).pid;
  } catch {
    return null;
  }
}

export function killDaemon(home: string, signal: NodeJS.Signals = 'SIGKILL'): void {
  const pid = daemonPid(home);
  if (pid === null) return;
  try {
    sendSignal(pid, signal);
  } catch {
    // it has ended by itself
  }
}

/** Leaves the mark of `loci stop`. */
export function markStopped(home: string): void {
  mkdirSync(join(home, 'state'), { recursive: true });
  writeFileSync(join(home, 'state', 'stopped'), '');
}

export const initialize = (id: string | number, protocolVersion = '2025-11-25') => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test-agent', version: '1.0.0' } },
});

export const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

export const callTool = (id: string | number, name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
