// From flags and environment to what every client function here takes. `--home` and `--socket` go into the environment too: a daemon
// that is started must live where its starter looks for it.
import { readFileSync } from 'node:fs';
import { invalidField } from '#shared/errors.ts';
import { type LociPaths, resolvePaths } from '#shared/paths.ts';
import { isLoopback } from '#shared/read-settings.ts';

export type DaemonFlags = {
  readonly home?: string | undefined;
  readonly socket?: string | undefined;
  readonly server?: string | undefined;
  readonly token?: string | undefined;
  /** Ignore LOCI_SERVER. */
  readonly local?: boolean | undefined;
};

export type LocalDaemon = { readonly paths: LociPaths; readonly env: NodeJS.ProcessEnv };

/** The daemon of this machine that these flags and this environment mean. */
export function localDaemon(env: NodeJS.ProcessEnv, { home, socket }: DaemonFlags = {}): LocalDaemon {
  return {
    paths: resolvePaths(env, { home, socket }),
    env: {
      ...env,
      ...(home === undefined ? {} : { LOCI_HOME: home }),
      ...(socket === undefined ? {} : { LOCI_SOCKET: socket }),
    },
  };
}

/** The daemon elsewhere that `--server` or LOCI_SERVER names, or null. A loopback address gets the token of this home unless one is given. */
export function remoteServer(
  { paths, env }: LocalDaemon,
  { server, token, local }: DaemonFlags = {},
): { url: string; token: string | null } | null {
  const url = server ?? (local === true ? undefined : env.LOCI_SERVER);
  if (url === undefined || url === '') return null;
  if (!URL.canParse(url) || !/^https?:\/\/[^/]/iu.test(url)) {
    throw invalidField('server', `The server must be an address that begins with http:// or https://, not ${url}.`);
  }
  const given = token ?? (env.LOCI_TOKEN || undefined);
  const ownToken = isLoopback(new URL(url).hostname.replace(/^\[|\]$/gu, '')) ? readOwnToken(paths) : null;
  return { url, token: given ?? ownToken };
}

/** The token that narrows calls to the daemon of this machine: `--token`, or LOCI_TOKEN where that is not the one for LOCI_SERVER. */
export function localToken(env: NodeJS.ProcessEnv, { token }: DaemonFlags = {}): string | null {
  return (token ?? (env.LOCI_SERVER ? undefined : env.LOCI_TOKEN)) || null;
}

function readOwnToken({ token }: LociPaths): string | null {
  try {
    return readFileSync(token, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
