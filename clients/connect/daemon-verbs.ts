// `loci start`, `stop`, `restart` and `status`. What they say is what was asked of the socket, never what a file remembers.
import { existsSync } from 'node:fs';
import { readCard } from './daemon-card.ts';
import { endDaemon } from './end-daemon.ts';
import { type EnsureDeps, ensureDaemon } from './ensure-daemon.ts';
import { findSocket, identify } from './find-daemon.ts';
import { forgiveService } from './installed-service.ts';
import { clearStopMark, setStopMark } from './stop-mark.ts';

export type VerbDeps = EnsureDeps;

export type DaemonStatus =
  | {
      readonly running: true;
      readonly pid: number;
      readonly version: string;
      readonly started_at: string;
      readonly health: string;
      readonly socket: string;
      readonly port: number | null;
      /** The newest backup and the last trial that restored one; null where the store does not tell. */
      readonly backups: { readonly last_at: string | null; readonly rehearsed_at: string | null } | null;
    }
  | {
      readonly running: false;
      /** `loci stop` was the last word: nothing starts it but `loci start`. */
      readonly stopped: boolean;
    };

/** What is true now, by asking; never starts one. */
export async function daemonStatus(deps: VerbDeps): Promise<DaemonStatus> {
  const identity = await identify(deps.wire, deps.paths);
  if (identity === null) return { running: false, stopped: existsSync(deps.paths.stopMark) };
  const card = readCard(deps.paths.card);
  return {
    running: true,
    pid: identity.pid,
    version: identity.version,
    started_at: identity.started_at,
    health: await healthWord(deps),
    socket: findSocket(deps.paths),
    port: card?.pid === identity.pid ? (card.port ?? null) : null,
    backups: await backupTimes(deps),
  };
}

/** Takes the stop mark away and resolves when a daemon answers, with `wasRunning` when one did before. LOCI_NO_AUTOSTART does not bind it. */
export async function startDaemon(deps: VerbDeps): Promise<{ wasRunning: boolean; status: DaemonStatus }> {
  clearStopMark(deps.paths);
  const wasRunning = (await identify(deps.wire, deps.paths)) !== null;
  const { LOCI_NO_AUTOSTART: _, ...env } = deps.env;
  if (!wasRunning) forgiveService(deps.env); // a manager that has given it up would refuse
  if (!wasRunning) await ensureDaemon({ ...deps, env });
  return { wasRunning, status: await daemonStatus(deps) };
}

/** Stops the daemon and leaves the mark that keeps it stopped. Resolves when its process no longer answers. */
export async function stopDaemon(deps: VerbDeps): Promise<{ wasRunning: boolean }> {
  setStopMark(deps.paths);
  return { wasRunning: await endDaemon(deps) };
}

/** Stops what runs, if anything does, and starts again; no mark is left. */
export async function restartDaemon(deps: VerbDeps): Promise<{ wasRunning: boolean; status: DaemonStatus }> {
  const wasRunning = await endDaemon(deps);
  const { status } = await startDaemon(deps);
  return { wasRunning, status };
}

/** Asked of the operation that knows; a daemon that still opens its store, or is older, says nothing. */
async function backupTimes(deps: VerbDeps): Promise<Extract<DaemonStatus, { running: true }>['backups']> {
  try {
    const target = { kind: 'socket', path: findSocket(deps.paths) } as const;
    const request = { method: 'POST', path: '/operations/memory_health', body: '{}', timeoutMs: 2_000 } as const;
    const { body } = await deps.wire.send(target, request);
    const { backups } = JSON.parse(body) as { backups?: Record<'last_at' | 'rehearsed_at', string | null> };
    return backups ?? null;
  } catch {
    return null;
  }
}

async function healthWord(deps: VerbDeps): Promise<string> {
  try {
    const target = { kind: 'socket', path: findSocket(deps.paths) } as const;
    const { body } = await deps.wire.send(target, { method: 'GET', path: '/health', timeoutMs: 2_000 });
    const { status } = JSON.parse(body) as { status?: unknown };
    return typeof status === 'string' ? status : 'unknown';
  } catch {
    return 'unknown';
  }
}
