// Stands in for systemd where none runs: reads a unit as systemd does and starts its command with exactly the environment, descriptors
// and notify socket that systemd would give. Perl receives the datagrams, which Node cannot.
import { type ChildProcess, spawn } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { PlannedFile } from '#clients/service/install-service.ts';
import { endProcess } from './daemon-process.ts';

export type UnitRun = {
  readonly child: ChildProcess;
  readonly exited: Promise<number | string | null>;
  /** What the manager was told so far. */
  readonly told: () => string;
  readonly stderr: () => string;
};

export type Specifiers = { readonly h: string; readonly t: string };

/** The values of a key, in order, specifiers expanded, quotes read. */
export function unitValues(text: string, key: string, specifiers: Specifiers): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1))
    .map((value) => value.replace(/^"(.*)"$/s, (_, inner: string) => inner.replace(/\\(.)/g, '$1')))
    .map((value) => expand(value, specifiers));
}

export function unitCommand(text: string, specifiers: Specifiers): string[] {
  const line = /^ExecStart=(.*)$/m.exec(text)?.[1] ?? '';
  return (line.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g) ?? []).map((word) =>
    expand(word.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/g, '$1'), specifiers).replaceAll('$$', '$'),
  );
}

function expand(text: string, { h, t }: Specifiers): string {
  return text.replace(/%([%ht])/g, (_, name: string) => ({ '%': '%', h, t })[name] ?? '');
}

/** Starts the service of these units; `limit` is a shell's `ulimit` line to run before it. */
export async function runUnit(
  files: readonly PlannedFile[],
  specifiers: Specifiers,
  options: { readonly limit?: string } = {},
): Promise<UnitRun> {
  const [service = '', socket = ''] = files.map(({ content }) => content);
  const environment = Object.fromEntries(
    unitValues(service, 'Environment', specifiers).map((assignment) => assignment.split(/=(.*)/s).slice(0, 2)),
  ) as Record<string, string>;
  const paths = unitValues(socket, 'ListenStream', specifiers);
  const descriptors = await Promise.all(paths.map(openSocket));
  const notify = await receiveDatagrams(join(specifiers.t, 'notify'));
  const script = `${options.limit ?? ':'}; LISTEN_PID=$$ exec "$@"`;
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...unitCommand(service, specifiers)], {
    cwd: '/',
    env: {
      ...environment,
      NOTIFY_SOCKET: notify.path,
      LISTEN_FDS: String(descriptors.length),
      LISTEN_FDNAMES: descriptors.map(() => 'loci.socket').join(':'),
    },
    stdio: ['ignore', 'ignore', 'pipe', ...descriptors.map(({ fd }) => fd)],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  onTestFinished(() => endProcess(child.pid));
  await Promise.all(descriptors.map(({ letGo }) => letGo()));
  return { child, exited, told: notify.told, stderr: () => stderr };
}

/** Restarts that the unit would bring after this exit code. */
export function wouldRestart(service: string, code: number | string | null): boolean {
  if (code === 0) return false;
  const prevented = /^RestartPreventExitStatus=(.*)$/m.exec(service)?.[1]?.split(' ') ?? [];
  return !prevented.includes(String(code));
}

async function openSocket(path: string): Promise<{ readonly fd: number; readonly letGo: () => Promise<void> }> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const server = createServer().listen(path);
  await new Promise((resolve) => server.once('listening', resolve));
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  return {
    fd,
    async letGo() {
      linkSync(path, `${path}.kept`); // closing it here removes the name, not the child's socket
      await new Promise((resolve) => server.close(resolve));
      renameSync(`${path}.kept`, path);
    },
  };
}

async function receiveDatagrams(path: string): Promise<{ readonly path: string; readonly told: () => string }> {
  const program =
    'socket(S, PF_UNIX, SOCK_DGRAM, 0) && bind(S, sockaddr_un($ARGV[0])) or die $!; $| = 1; print "bound\\n"; while (defined recv(S, $b, 4096, 0)) { print "$b\\n" }';
  const receiver = spawn('perl', ['-MSocket', '-e', program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void receiver.kill('SIGKILL'));
  let told = '';
  receiver.stdout.on('data', (chunk) => {
    told += chunk;
  });
  while (!told.includes('bound')) await sleep(10);
  return { path, told: () => told };
}

/** A folder for PATH with a `systemctl` in it that writes down what it is asked and, told to start the service, runs `daemon`. */
export function fakeSystemctl(folder: string, daemon: string, options: { readonly code?: number } = {}) {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh
echo "$@" >> '${folder}/asked'
case "$*" in
  *'--no-block start loci.service'*) '${process.execPath}' '${daemon}' > '${folder}/out' 2>&1 & ;;
  *ActiveState*) echo ActiveState=active; echo UnitFileState=enabled ;;
esac
exit ${options.code ?? 0}
`;
  writeFileSync(join(bin, 'systemctl'), script, { mode: 0o755 });
  return {
    path: `${bin}:${process.env.PATH}`,
    asked: () => readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n'),
  };
}
