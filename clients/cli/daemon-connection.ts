import { type Connection, createConnection } from '#clients/connect/connection.ts';
import { ownProgram } from '#clients/connect/ensure-daemon.ts';
import { localDaemon, localToken, remoteServer } from '#clients/connect/local-daemon.ts';
import type { GlobalOptions } from './global-options.ts';

/** A connection to the daemon that flags and environment mean. `--home` and `--socket` mean one of this machine, whatever LOCI_SERVER says. */
export function connectDaemon(
  env: NodeJS.ProcessEnv,
  options: GlobalOptions,
  notice: (sentence: string) => void,
): Connection {
  const here = localDaemon(env, options);
  const isLocal = options.local === true || options.home !== undefined || options.socket !== undefined;
  const server = remoteServer(here, { ...options, local: isLocal });
  const folder = server === null ? workingFolder() : null;
  const token = localToken(env, options);
  return createConnection({ ...here, program: ownProgram(), server, token, folder, agent: 'loci-cli', notice });
}

/** The folder may have been removed under the shell. */
function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
