// Where the user has installed Loci as a service, its manager starts and stops the daemon, never a spawn or a signal of ours: the manager
// would take a daemon that it did not start for none, and one that was stopped behind its back for a crash.
// Node built-ins only: the shim bundles this file.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

type Service = { readonly start: readonly string[]; readonly stop: readonly string[] };

/** A manager's own limit for an orderly stop is above the daemon's 10 s. */
const stopTimeoutMs = 15_000;

/** Asks the service manager to start the daemon; false where no service is installed or its manager is missing altogether. */
export function startService(env: NodeJS.ProcessEnv): boolean {
  const service = installedService(env);
  return service !== null && run(service.start, env, 5_000);
}

/** Has the service manager stop the daemon and its sockets; false where there is none to do it. */
export function stopService(env: NodeJS.ProcessEnv): boolean {
  const service = installedService(env);
  return service !== null && run(service.stop, env, stopTimeoutMs);
}

function installedService(env: NodeJS.ProcessEnv): Service | null {
  if (env.LOCI_HOME !== undefined && env.LOCI_HOME !== '') return null; // the service serves the default home
  const home = env.HOME || homedir();
  if (process.platform === 'darwin') {
    const label = `gui/${userInfo().uid}/com.loci.locid`;
    const installed = existsSync(join(home, 'Library', 'LaunchAgents', 'com.loci.locid.plist'));
    if (!installed) return null;
    return { start: ['launchctl', 'kickstart', label], stop: ['launchctl', 'kill', 'SIGTERM', label] };
  }
  const units = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user');
  if (!existsSync(join(units, 'loci.service'))) return null;
  const sockets = existsSync(join(units, 'loci.socket')) ? ['loci.socket'] : []; // an open socket would start it again
  return {
    start: ['systemctl', '--user', '--no-block', 'start', 'loci.service'],
    stop: ['systemctl', '--user', 'stop', ...sockets, 'loci.service'],
  };
}

function run([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv, timeoutMs: number): boolean {
  return spawnSync(program, args, { env, stdio: 'ignore', timeout: timeoutMs }).error === undefined;
}
