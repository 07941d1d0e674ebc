// Any client may find no daemon and start one. Many do so at once (an editor opens ten agents), so one of them claims the start by
// an exclusive file and the others only go on trying the socket; the daemon's own lock decides should two get through.
// The environment is an allow-list: a daemon outlives its starter and serves every other client, so it must not inherit a
// NODE_OPTIONS, a proxy or a key of the one shell that happened to be first.
// Node built-ins only: the shim and the hooks bundle this file, and their whole start must cost about one `node -e 0`.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { objectStoreNames } from '#shared/object-store-env.ts';
import type { LociPaths } from '#shared/paths.ts';
import { readCard } from './daemon-card.ts';
import { startService } from './installed-service.ts';

export type SpawnDeps = {
  readonly paths: LociPaths;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute path of the daemon's script, `locid.js`. */
  readonly program: string;
};

/** `under_way`: another client starts it; `stopped`: the user ran `loci stop`; `disabled`: LOCI_NO_AUTOSTART; `failed`: the folders cannot be written. */
export type SpawnOutcome = 'started' | 'under_way' | 'stopped' | 'disabled' | 'failed';

/** A claim older than this is taken to be abandoned. */
const staleClaimMs = 10_000;
/** A claim whose daemon is dead is honoured this long all the same, so that one that cannot start is not started in a tight loop. */
const deadClaimMs = 1_000;

/** Starts the daemon unless it may not or another client is doing so. Never waits for it and never throws: keep trying the socket. */
export function spawnDaemon(deps: SpawnDeps): SpawnOutcome {
  if (isSet(deps.env.LOCI_NO_AUTOSTART)) return 'disabled';
  if (existsSync(deps.paths.stopMark)) return 'stopped';
  try {
    if (startService(deps.env)) return 'started';
    mkdirSync(deps.paths.run, { recursive: true, mode: 0o700 });
    const claim = join(deps.paths.run, 'starting');
    if (!claimStart(claim, deps.paths.card)) return 'under_way';
    const pid = spawnDetached(deps);
    writeFileSync(claim, String(pid ?? process.pid));
    return pid === undefined ? 'failed' : 'started';
  } catch {
    return 'failed';
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value);
}

/** True when this process now holds the claim. The file holds the pid that starts or is the daemon; its age is its mtime. */
function claimStart(file: string, card: string): boolean {
  for (const last of [false, true]) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (last || isUnderWay(file, card)) return false;
    unlinkSync(file);
  }
  return false;
}

function isUnderWay(file: string, card: string): boolean {
  const ageMs = Math.abs(Date.now() - statSync(file).mtimeMs);
  if (ageMs > staleClaimMs) return false;
  const pid = Number(readFileSync(file, 'utf8'));
  return isAlive(pid) || (ageMs < deadClaimMs && !hasServed(pid, card));
}

/** One that has answered and was killed can start: the next need not wait. */
function hasServed(pid: number, file: string): boolean {
  const card = readCard(file);
  return card?.pid === pid && typeof card.port === 'number';
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A killed daemon whose starter has ended stays so until init asks for it: seconds on some machines, for ever in many containers. */
function isZombie(pid: number): boolean {
  return process.platform === 'linux' && /^.*\) [ZX] /s.test(readOrEmpty(`/proc/${pid}/stat`));
}

function spawnDetached({ paths, env, program }: SpawnDeps): number | undefined {
  mkdirSync(dirname(paths.log), { recursive: true, mode: 0o700 });
  const log = openSync(paths.log, 'a', 0o600);
  try {
    const child = spawn(recordedNode(paths.card), [...daemonNodeFlags, program], {
      cwd: '/', // a daemon must not hold the folder, or the mount, of whoever was first
      env: daemonEnvironment(env, readOrEmpty(paths.settings)),
      detached: true,
      stdio: ['ignore', log, log],
    });
    child.on('error', () => undefined);
    child.unref();
    return child.pid;
  } finally {
    closeSync(log);
  }
}

/** The node that the last daemon ran with, so that native modules keep fitting; ours when there is none. */
function recordedNode(card: string): string {
  const node = readCard(card)?.node_path;
  return node !== undefined && existsSync(node) ? node : process.execPath;
}

/**
 * What keeps the daemon small; the allocator reads it before a program begins, so that the daemon cannot set it for itself. 64 KB is what Node
 * reads from a socket at once: pages of their own go back to the system, where a body of 28 MB left the heap 24 MB larger for good.
 */
export const allocatorEnvironment = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;

/** The same for V8: left alone, the nursery of each thread grows to 32 MB, full of garbage; so bounded, the daemon needs 45 MB less and no more time. */
export const daemonNodeFlags = ['--max-semi-space-size=2'] as const;

const allowedNames = /^(HOME|USER|LOGNAME|PATH|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|LOCI_\w+|CLAUDE_CONFIG_DIR)$/;
/** Preferences of one client, which would become everybody's defaults. */
const clientNames = new Set(['LOCI_TOOLS', 'LOCI_SERVER', 'LOCI_NO_AUTOSTART']);

/** What a daemon is given of `env`: the allow-list, what its settings name, and the allocator's thresholds. Paths become absolute. */
export function daemonEnvironment(env: NodeJS.ProcessEnv, settingsText: string): NodeJS.ProcessEnv {
  const named = namedVariables(`${settingsText}\n${env.LOCI_EMBEDDING_PROVIDER ?? ''}`);
  if (isSet(env.LOCI_LLM_API_KEY_ENV)) named.add(env.LOCI_LLM_API_KEY_ENV ?? '');
  if (isSet(env.LOCI_STORAGE_URL) || /postgres(ql)?:/.test(settingsText)) named.add('PGPASSWORD');
  if (isSet(env.LOCI_VECTORS_URL) || /s3:\/\//.test(settingsText)) for (const name of objectStoreNames) named.add(name);
  const given = Object.entries(env).filter(
    ([name]) => (allowedNames.test(name) && !clientNames.has(name)) || named.has(name),
  );
  const result: NodeJS.ProcessEnv = Object.fromEntries(given);
  for (const name of ['LOCI_HOME', 'LOCI_SOCKET']) {
    if (result[name]) result[name] = resolve(result[name]);
  }
  return { ...result, ...allocatorEnvironment };
}

/** The variables that settings name: by `…_env = "NAME"`, or by naming a provider whose key or address has a name of its own. */
function namedVariables(settingsText: string): Set<string> {
  const names = new Set(
    [...settingsText.matchAll(/_env\s*=\s*["']([A-Z_][A-Z0-9_]*)["']/g)].map((match) => match[1] ?? ''),
  );
  if (/openai|auto/.test(settingsText)) names.add('OPENAI_API_KEY');
  if (/ollama|auto/.test(settingsText)) names.add('OLLAMA_HOST');
  return names;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
