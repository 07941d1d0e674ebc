import type { Timers } from '#daemon/jobs/index.ts';
import type { FakeClock } from './fake-clock.ts';

/** Timers that fire when a fake clock is moved by `advanceTo`, each at its own time and in order. */
export type FakeTimers = Timers & {
  /** Moves the clock to `ms`; after each timer that fired, `between` may let its work end. */
  advanceTo(ms: number, between?: () => unknown): Promise<void>;
  /** The clock jumps without any timer firing on the way, as when a machine sleeps; then the overdue ones fire. */
  sleepTo(ms: number, between?: () => unknown): Promise<void>;
  /** Sets the wall clock to `ms`; what is still to be waited for stays as it was. */
  correctClock(ms: number): void;
  pending(): number;
};

export function createFakeTimers(clock: FakeClock): FakeTimers {
  const waiting = new Map<number, { atMs: number; callback: () => void }>();
  let last = 0;

  function earliest(untilMs: number) {
    let found: { handle: number; atMs: number; callback: () => void } | null = null;
    for (const [handle, { atMs, callback }] of waiting) {
      if (atMs <= untilMs && (found === null || atMs < found.atMs)) found = { handle, atMs, callback };
    }
    return found;
  }

  async function advanceTo(ms: number, between?: () => unknown): Promise<void> {
    for (let next = earliest(ms); next !== null; next = earliest(ms)) {
      waiting.delete(next.handle);
      clock.set(Math.max(clock.now(), next.atMs));
      next.callback();
      await between?.();
    }
    clock.set(Math.max(clock.now(), ms));
  }

  return {
    set(callback, delayMs) {
      last += 1;
      waiting.set(last, { atMs: clock.now() + delayMs, callback });
      return last;
    },
    clear: (handle) => void waiting.delete(handle as number),
    pending: () => waiting.size,
    correctClock(ms) {
      const step = ms - clock.now();
      for (const timer of waiting.values()) timer.atMs += step;
      clock.set(ms);
    },
    advanceTo,
    async sleepTo(ms, between) {
      clock.set(ms);
      await advanceTo(ms, between);
    },
  };
}
