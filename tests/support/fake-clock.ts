import type { Clock } from '#daemon/kernel/clock.ts';

/** A clock that moves only when told to. Starts at 2026-01-05T09:00:00Z, a Monday. */
export type FakeClock = Clock & { set(ms: number): void; advance(ms: number): void };

export const dayMs = 24 * 60 * 60 * 1000;

export function createFakeClock(startMs = Date.UTC(2026, 0, 5, 9)): FakeClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    set(ms) {
      nowMs = ms;
    },
    advance(ms) {
      nowMs += ms;
    },
  };
}
