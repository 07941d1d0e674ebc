import type { SpawnOutcome } from '#clients/connect/spawn-daemon.ts';
import type { Problem } from './daemon-link.ts';

/** How long a request waits for a daemon, by what became of starting it, before it is answered with an error. */
export const patienceMs: Record<SpawnOutcome, number> = {
  stopped: 2_000,
  disabled: 10_000,
  failed: 10_000,
  started: 25_000,
  under_way: 25_000,
};

/** What a request is answered with when patience has ended; the shim itself goes on waiting. */
export function whyDown(outcome: SpawnOutcome): Problem {
  return { code: 'unavailable', message: messages[outcome] ?? 'The Loci daemon does not answer: see `loci logs`.' };
}

const messages: Partial<Record<SpawnOutcome, string>> = {
  stopped: 'Loci is stopped: run `loci start` to use its memory again.',
  disabled: 'The Loci daemon does not run and LOCI_NO_AUTOSTART forbids to start it: run `loci start`.',
};
