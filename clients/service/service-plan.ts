// What a service is to run, settled once for both managers: absolute paths only and every variable spelt out, because a service manager
// knows neither the shell's PATH nor its variables.
import { resolve } from 'node:path';
import { allocatorEnvironment, daemonNodeFlags } from '#clients/connect/spawn-daemon.ts';
import { LociError } from '#shared/errors.ts';
import { type LociPaths, resolvePaths } from '#shared/paths.ts';

export type ServicePlan = {
  /** Absolute path of node, its flags, and the absolute path of `locid.js`. */
  readonly command: readonly [node: string, ...rest: string[]];
  readonly environment: Readonly<Record<string, string>>;
  /** Null where the usual run folder holds the sockets; then the manager names it. */
  readonly socketFolder: string | null;
  readonly log: string;
};

/** Variables that say where things are; what else a shell has is no business of a service. */
const kept = ['LOCI_HOME', 'LOCI_SOCKET', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'CLAUDE_CONFIG_DIR'];

/** The service for this environment's home. Throws `invalid_input` for a path that no unit can hold. */
export function createServicePlan(env: NodeJS.ProcessEnv, program: string, node = process.execPath): ServicePlan {
  const paths = resolvePaths(env);
  const environment: Record<string, string> = {};
  for (const name of kept) {
    const value = env[name];
    if (value !== undefined && value !== '') environment[name] = name.startsWith('LOCI_') ? resolve(value) : value;
  }
  const plan: ServicePlan = {
    command: [node, ...daemonNodeFlags, program],
    environment: { ...environment, ...allocatorEnvironment },
    socketFolder: socketFolderOf(env, paths),
    log: paths.log,
  };
  refuseUnspeakable([...plan.command, ...Object.values(plan.environment), plan.socketFolder ?? '', plan.log]);
  return plan;
}

/** systemd knows the run folder of the session as `%t`, also where the installing shell does not. */
function socketFolderOf(env: NodeJS.ProcessEnv, paths: LociPaths): string | null {
  const isUsual = !env.LOCI_HOME && !env.LOCI_SOCKET;
  return isUsual ? null : resolve(paths.httpSocket, '..');
}

function refuseUnspeakable(texts: readonly string[]): void {
  const bad = texts.find((text) => /[\u0000-\u001f\u007f]/.test(text));
  if (bad === undefined) return;
  throw new LociError(
    'invalid_input',
    `A path holds a control character, which no unit can name: ${JSON.stringify(bad)}.`,
  );
}
