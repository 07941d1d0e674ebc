// Ending a daemon. No pid from a file is ever signalled: pids are given out again, and the one in an old card may be a stranger's
// by now. A daemon is what answers on the socket and says who it is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DaemonIdentity } from '#shared/daemon-card.ts';
import { LociError } from '#shared/errors.ts';
import type { LociPaths } from '#shared/paths.ts';
import { readCard } from './daemon-card.ts';
import { findSocket, identify } from './find-daemon.ts';
import { stopService } from './installed-service.ts';
import { isCutOff, type Wire } from './wire.ts';

export type EndDeps = { readonly wire: Wire; readonly paths: LociPaths; readonly env: NodeJS.ProcessEnv };

/** A daemon finishes within 10 s, or ends itself. */
const endedWithinMs = 12_000;

/** Resolves true when the daemon that answered has ended, false when none answered. Rejects with `unavailable` when it goes on after 12 s. */
export async function endDaemon(deps: EndDeps): Promise<boolean> {
  const identity = await identify(deps.wire, deps.paths);
  const byService = stopService(deps.env);
  if (identity === null) return false;
  const stillThere = !byService || (await identify(deps.wire, deps.paths))?.pid === identity.pid;
  if (stillThere) await askToStop(deps, identity);

  const deadlineMs = Date.now() + endedWithinMs;
  while (Date.now() < deadlineMs) {
    if (!isProcess(identity.pid)) return true;
    // a daemon in a container may stay behind as a process that nobody collects; its card says that it is done
    if (readCard(deps.paths.card)?.pid !== identity.pid && (await identify(deps.wire, deps.paths)) === null) {
      await sleep(50);
      return true;
    }
    await sleep(50);
  }
  throw new LociError(
    'unavailable',
    `The daemon (process ${identity.pid}) has not ended within 12 s; see \`loci logs\`.`,
  );
}

/** By its own route; by a signal where an old daemon has none, and only to the pid that has just answered. */
async function askToStop(deps: EndDeps, identity: DaemonIdentity): Promise<void> {
  try {
    const target = { kind: 'socket', path: findSocket(deps.paths) } as const;
    const { status } = await deps.wire.send(target, { method: 'POST', path: '/daemon/stop', timeoutMs: 5_000 });
    if (status >= 400) process.kill(identity.pid, 'SIGTERM');
  } catch (error) {
    if (!isCutOff(error)) throw error; // it ended before its answer was read
  }
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
