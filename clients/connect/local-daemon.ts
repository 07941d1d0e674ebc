// From flags and environment to what every client function here takes. `--home` and `--socket` go into the environment too: a daemon
// that is started must live where its starter looks for it.
import { readFileSync } from 'node:fs';
import { type LociPaths, resolvePaths } from '#shared/paths.ts';
import { isLoopback } from '#shared/read-settings.ts';
import { normaliseServer, savedLogin } from './saved-logins.ts';

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

export type RemoteServer = {
  /** Normalised. */
  readonly url: string;
  readonly token: string | null;
  readonly from: 'flag' | 'environment' | 'login' | 'this home' | null;
};

/**
 * The daemon elsewhere that `--server` or LOCI_SERVER names, or null. Its token: `--token` before LOCI_TOKEN before the one that
 * `loci auth login` kept; a loopback address gets the token of this home where there is none of these.
 */
export function remoteServer(
  { paths, env }: LocalDaemon,
  { server, token, local }: DaemonFlags = {},
): RemoteServer | null {
  const given = server ?? (local === true ? undefined : env.LOCI_SERVER);
  if (given === undefined || given === '') return null;
  const url = normaliseServer(given);
  if (token) return { url, token, from: 'flag' };
  if (env.LOCI_TOKEN) return { url, token: env.LOCI_TOKEN, from: 'environment' };
  const login = savedLogin(paths, url);
  if (login !== null) return { url, token: login.token, from: 'login' };
  const own = isLoopback(new URL(url).hostname.replace(/^\[|\]$/gu, '')) ? readOwnToken(paths) : null;
  return { url, token: own, from: own === null ? null : 'this home' };
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
