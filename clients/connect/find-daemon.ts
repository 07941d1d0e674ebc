// Where to look for a daemon, and whether one lives there. Life is an answer: a socket under systemd accepts connections while no
// daemon exists, and a daemon that hangs accepts them too.
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { DaemonIdentity } from '#shared/daemon-card.ts';
import { LociError } from '#shared/errors.ts';
import type { LociPaths } from '#shared/paths.ts';
import { readCard } from './daemon-card.ts';
import { isForeignSocket } from './socket-owner.ts';
import type { Wire } from './wire.ts';

/** How long a living daemon may take to say that it lives. */
export const lifeSignMs = 2_000;

/** The HTTP socket: our own, or, where that is missing, the one that this data folder's daemon wrote into its card. Throws `unavailable` for another user's. */
export function findSocket(paths: LociPaths): string {
  const card = existsSync(paths.httpSocket) ? null : readCard(paths.card);
  const recorded = card?.host === hostname() ? card.http_socket : undefined;
  const path = recorded !== undefined && existsSync(recorded) ? recorded : paths.httpSocket;
  if (isForeignSocket(path)) {
    throw new LociError('unavailable', `The socket ${path} belongs to another user; remove it or set LOCI_HOME.`, {
      reachable: false,
    });
  }
  return path;
}

/** Whether a daemon answers, be it only that it is starting. */
export async function isAlive(wire: Wire, paths: LociPaths): Promise<boolean> {
  try {
    const target = { kind: 'socket', path: findSocket(paths) } as const;
    const { version } = await wire.send(target, { method: 'GET', path: '/health', timeoutMs: lifeSignMs });
    return version !== null;
  } catch (error) {
    if (error instanceof LociError) throw error;
    return false;
  }
}

/** Who answers on the socket; null when nobody does within two seconds. */
export async function identify(wire: Wire, paths: LociPaths): Promise<DaemonIdentity | null> {
  try {
    const target = { kind: 'socket', path: findSocket(paths) } as const;
    const { status, body } = await wire.send(target, { method: 'GET', path: '/daemon', timeoutMs: lifeSignMs });
    const identity: unknown = status === 200 ? JSON.parse(body) : null;
    return isIdentity(identity) ? identity : null;
  } catch (error) {
    if (error instanceof LociError) throw error;
    return null;
  }
}

function isIdentity(value: unknown): value is DaemonIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, version, started_at } = value as Record<string, unknown>;
  // a signal to -1 or 0 would go to everybody
  return (
    Number.isSafeInteger(pid) && (pid as number) > 0 && typeof version === 'string' && typeof started_at === 'string'
  );
}
