// The shim's connection to whichever daemon lives: finds it, starts it, greets it, and does so again for ever when it is gone.
import { createConnection, Socket } from 'node:net';
import { isForeignSocket } from '#clients/connect/socket-owner.ts';
import type { SpawnDeps, SpawnOutcome } from '#clients/connect/spawn-daemon.ts';
import { createLineCutter } from './lines.ts';
import { findMcpSocket } from './socket-path.ts';

export type Problem = { readonly code: string; readonly message: string };
/** The last words of a daemon that was started at a time and could not. */
export type Complaint = { readonly message: string; readonly startedMs: number };

export type LinkDeps = SpawnDeps & {
  /** The greeting line; `was` is the version of the daemon met before, undefined for the first one. */
  readonly hello: (was: string | undefined) => string;
  /** A daemon has answered the greeting. */
  readonly onGreeted: () => void;
  /** The daemon will not have this client, and asking again is of no use. */
  readonly onRefused: (problem: Problem) => void;
  readonly onLine: (line: Buffer) => void;
  /** There is no daemon; called again after every attempt. `outcome`: what became of starting one, `wasUp`: it has just gone, `why`: what one that could not start said. */
  readonly onDown: (outcome: SpawnOutcome, wasUp: boolean, why: Complaint | null) => void;
  /** The daemon takes no more (false) or takes more again (true). */
  readonly onFlow: (open: boolean) => void;
};

/** An accepted connect is no sign of life (socket activation accepts without a daemon): the answer is, within this time. */
const greetingTimeoutMs = 2_000;
/** Quickly while a daemon may be starting, then seldom: an agent may stay open for days after `loci stop`. */
const retry = { firstMs: 20, soonMs: 100, lateMs: 1_000, lateAfterMs: 10_000 };
/** One that cannot start is tried ever less often. */
const spawnGap = { firstMs: 250, growth: 1.5, lastMs: 10_000 };

export function createDaemonLink(deps: LinkDeps) {
  let socket = new Socket();
  let greeted = false;
  let refused = false;
  let was: string | undefined;
  let outcome: SpawnOutcome = 'under_way';
  let whyNot: () => Complaint | null = () => null;
  let retryMs = retry.firstMs;
  let spawnGapMs = spawnGap.firstMs;
  let nextSpawnMs = 0;
  let downSinceMs = Date.now();

  function connect(): void {
    greeted = false;
    const path = findMcpSocket(deps.paths);
    if (isForeignSocket(path)) {
      refuse({
        code: 'forbidden',
        message: "Loci's socket belongs to another user: set LOCI_HOME to a folder of your own.",
      });
      return;
    }
    socket = createConnection({ path });
    socket.setTimeout(greetingTimeoutMs, () => socket.destroy());
    socket.on('connect', () => {
      spawnGapMs = spawnGap.firstMs;
      socket.write(deps.hello(was));
    });
    socket.on('data', createLineCutter((line) => (greeted ? deps.onLine(line) : readAnswer(line))).push);
    socket.on('drain', () => deps.onFlow(true));
    socket.on('error', () => undefined);
    socket.on('close', () => void down(greeted));
  }

  function readAnswer(line: Buffer): void {
    const { version, error } = parseAnswer(line);
    socket.setTimeout(0);
    if (error !== undefined && error.code !== 'unavailable') {
      refuse(error);
    } else if (version === undefined) {
      socket.destroy();
    } else {
      greeted = true;
      was = version;
      retryMs = retry.firstMs;
      whyNot = () => null;
      deps.onGreeted();
    }
  }

  function refuse(problem: Problem): void {
    refused = true;
    deps.onRefused(problem);
  }

  async function down(wasUp: boolean): Promise<void> {
    if (refused) return;
    if (wasUp) downSinceMs = Date.now();
    deps.onFlow(true);
    if (!wasUp && Date.now() >= nextSpawnMs) {
      // seldom needed, and dear to load
      const { spawnDaemon } = await import('#clients/connect/spawn-daemon.ts');
      const { lastWords } = await import('#clients/connect/last-words.ts');
      const words = lastWords(deps.paths.log);
      outcome = spawnDaemon(deps);
      const startedMs = Date.now();
      if (outcome === 'started') whyNot = () => complaintOf(words(), startedMs);
      nextSpawnMs = Date.now() + spawnGapMs;
      if (outcome === 'started') spawnGapMs = Math.min(spawnGap.lastMs, spawnGapMs * spawnGap.growth);
    }
    deps.onDown(outcome, wasUp, whyNot());
    setTimeout(connect, retryMs + Math.random() * 10); // jitter: ten shims lose the same daemon at once
    retryMs = Math.min(Date.now() - downSinceMs < retry.lateAfterMs ? retry.soonMs : retry.lateMs, retryMs * 1.5);
  }

  connect();
  return {
    send(line: Buffer): void {
      if (!socket.write(line)) deps.onFlow(false);
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    /** Flushes what was sent, then calls back. */
    end: (then: () => void) => void socket.end(then),
  };
}

function complaintOf(message: string | null, startedMs: number): Complaint | null {
  return message === null ? null : { message, startedMs };
}

function parseAnswer(line: Buffer): { version?: string; error?: Problem } {
  try {
    const answer = JSON.parse(line.toString()) as { loci?: unknown; version?: string; error?: Problem };
    return answer.loci === undefined ? {} : answer;
  } catch {
    return {};
  }
}
