// Where the user has installed Loci as a service, its manager starts and stops the daemon, never a spawn or a signal of ours: the manager
// would take a daemon that it did not start for none, and one that was stopped behind its back for a crash. A manager that cannot be
// reached (a container that shares the home, ssh without a session) manages nothing: there clients start the daemon as ever.
// Node built-ins only: the shim bundles this file.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { plistText, systemdText } from './unit-quoting.ts';

export type ServiceFiles =
  | { readonly manager: 'systemd'; readonly service: string; readonly socket: string }
  | { readonly manager: 'launchd'; readonly service: string };

type Service = {
  readonly start: readonly string[];
  readonly stop: readonly string[];
  /** Makes the manager forget that it has given the daemon up. */
  readonly forgive: readonly string[] | null;
};

export const launchdLabel = 'com.loci.locid';

/** A manager's own limit for an orderly stop is above the daemon's 10 s. */
const stopTimeoutMs = 15_000;

/** Asks the service manager to start the daemon; false where no service is installed for this home or no manager takes the order. */
export function startService(env: NodeJS.ProcessEnv): boolean {
  const service = installedService(env);
  return service !== null && run(service.start, env, 5_000);
}

/** Has the service manager stop the daemon and its sockets; false where there is none to do it. */
export function stopService(env: NodeJS.ProcessEnv): boolean {
  const service = installedService(env);
  return service !== null && run(service.stop, env, stopTimeoutMs);
}

/** Lets the next start be tried although the ones before failed: a person has asked for it. */
export function forgiveService(env: NodeJS.ProcessEnv): void {
  const forgive = installedService(env)?.forgive ?? null;
  if (forgive !== null) run(forgive, env, 5_000);
}

/** Whether a service is installed that serves this environment's home. */
export function hasService(env: NodeJS.ProcessEnv): boolean {
  return installedService(env) !== null;
}

/** Where the manager of this platform looks for the files of the service. */
export function serviceFiles(env: NodeJS.ProcessEnv): ServiceFiles {
  const home = env.HOME || homedir();
  if (process.platform === 'darwin') {
    return { manager: 'launchd', service: join(home, 'Library', 'LaunchAgents', `${launchdLabel}.plist`) };
  }
  const units = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user');
  return { manager: 'systemd', service: join(units, 'loci.service'), socket: join(units, 'loci.socket') };
}

function installedService(env: NodeJS.ProcessEnv): Service | null {
  const files = serviceFiles(env);
  if (!servesHome(files, env)) return null;
  if (files.manager === 'launchd') {
    const label = `gui/${userInfo().uid}/${launchdLabel}`;
    return {
      start: ['launchctl', 'kickstart', label],
      stop: ['launchctl', 'kill', 'SIGTERM', label],
      forgive: null,
    };
  }
  const sockets = existsSync(files.socket) ? ['loci.socket'] : []; // an open socket would start it again
  return {
    start: ['systemctl', '--user', '--no-block', 'start', 'loci.service'],
    stop: ['systemctl', '--user', 'stop', ...sockets, 'loci.service'],
    forgive: ['systemctl', '--user', 'reset-failed', ...sockets, 'loci.service'],
  };
}

/** The one service serves one home: the one that stands in its file, or the usual one. */
function servesHome({ manager, service }: ServiceFiles, env: NodeJS.ProcessEnv): boolean {
  let text: string;
  try {
    text = readFileSync(service, 'utf8');
  } catch {
    return false;
  }
  const home = env.LOCI_HOME ? resolve(env.LOCI_HOME) : null;
  if (home === null) return !text.includes('LOCI_HOME');
  return text.includes(
    manager === 'systemd'
      ? `"LOCI_HOME=${systemdText(home)}"`
      : `<key>LOCI_HOME</key>\n    <string>${plistText(home)}</string>`,
  );
}

function run([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv, timeoutMs: number): boolean {
  return spawnSync(program, args, { env, stdio: 'ignore', timeout: timeoutMs }).status === 0;
}
