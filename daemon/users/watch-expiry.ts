// When a right to call ends, what is open under it has to end too. A timer alone would not do: it stands still while the machine sleeps or the
// process is stopped, knows nothing of a clock that was set, and waits for 25 days at most. So the clock is looked at every half minute.
import type { Clock } from '#daemon/kernel/clock.ts';

const lookEveryMs = 30_000;

/** Calls `end` once the clock has reached `expiresAtMs`, at the moment or within half a minute of waking. Answers how to stop watching. */
export function watchExpiry(clock: Clock, expiresAtMs: number, end: () => void): () => void {
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const leftMs = expiresAtMs - clock.now();
    if (leftMs <= 0) end();
    else wait(leftMs);
  };
  const wait = (leftMs: number): void => {
    timer = setTimeout(look, Math.min(Math.max(0, leftMs), lookEveryMs));
    timer.unref();
  };
  wait(expiresAtMs - clock.now());
  return () => clearTimeout(timer);
}
