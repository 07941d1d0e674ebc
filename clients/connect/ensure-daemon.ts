// From "nobody answers" to "somebody answers", or to a sentence that says why not. The start itself is single flight
// (spawn-daemon.ts) and the lock decides in the end, so this only tries, waits and listens.
import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LociError } from '#shared/errors.ts';
import type { LociPaths } from '#shared/paths.ts';
import { readCard } from './daemon-card.ts';
import { isAlive } from './find-daemon.ts';
import { hasService } from './installed-service.ts';
import { lastWords } from './last-words.ts';
import { type SpawnOutcome, spawnDaemon } from './spawn-daemon.ts';
import type { Wire } from './wire.ts';

export type EnsureDeps = {
  readonly wire: Wire;
  readonly paths: LociPaths;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute path of `locid.js`. */
  readonly program: string;
  readonly timeoutMs?: number;
};

/** How long a start may take before the caller is told. A migration does not count: a migrating daemon answers. */
const startTimeoutMs = 20_000;

/** When to try the start again: soon while another client is at it (it may have died), later when a daemon is on its way. */
const againAfterMs = { under_way: 250, started: 1_000 } as const;

/** Resolves when a daemon answers. Rejects with `unavailable`, `details.reachable` false, when none may be or can be started. */
export async function ensureDaemon(deps: EnsureDeps): Promise<void> {
  const { paths, env, program } = deps;
  const deadlineMs = Date.now() + (deps.timeoutMs ?? startTimeoutMs);
  const words = lastWords(paths.log);
  let spawnAtMs = 0;
  let pauseMs = 15;

  while (Date.now() < deadlineMs) {
    if (await isAlive(deps.wire, paths)) return;
    if (Date.now() >= spawnAtMs) {
      spawnAtMs = Date.now() + againAfterMs[mayStart(spawnDaemon({ paths, env, program }))];
    }
    const complaint = words();
    if (complaint !== null) throw unreachable(complaint);
    await sleep(pauseMs * (0.75 + Math.random() / 2)); // jitter: twenty that wait must not ask in step
    pauseMs = Math.min(150, pauseMs * 1.3);
  }
  throw unreachable(whyNot(paths, env));
}

/** `locid.js` of this installation: it lies beside the running script, which a link of npm's may stand for. */
export function ownProgram(script = process.argv[1] ?? ''): string {
  return join(dirname(realpathSync(script)), 'locid.js');
}

function mayStart(outcome: SpawnOutcome): 'started' | 'under_way' {
  if (outcome === 'stopped') throw unreachable('The daemon was stopped by `loci stop`; run `loci start`.');
  if (outcome === 'disabled') {
    throw unreachable('No daemon answers and LOCI_NO_AUTOSTART is set; run `loci start`.');
  }
  if (outcome === 'failed') {
    throw unreachable('The daemon cannot be started: check that the folders of Loci can be written, or set LOCI_HOME.');
  }
  return outcome;
}

function whyNot(paths: LociPaths, env: NodeJS.ProcessEnv): string {
  const card = readCard(paths.card);
  if (card?.host !== undefined && card.host !== hostname() && typeof card.pid === 'number') {
    return `The data folder is in use by a daemon on ${card.host}; stop it there or set LOCI_HOME.`;
  }
  if (hasService(env)) {
    return 'The service does not start the daemon; see `loci service status` and `loci logs`, then run `loci start`.';
  }
  return 'The daemon does not answer; see `loci logs`, then run `loci restart`.';
}

export function unreachable(message: string): LociError {
  return new LociError('unavailable', message, { reachable: false });
}
