import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchExpiry } from '#daemon/users/watch-expiry.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const dayMs = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(expiresInMs: number) {
  const clock = createFakeClock();
  const end = vi.fn();
  const stop = watchExpiry(clock, clock.now() + expiresInMs, end);
  /** Both move: the machine is awake. */
  const pass = (ms: number): void => {
    for (let leftMs = ms; leftMs > 0; leftMs -= 10_000) {
      clock.advance(Math.min(leftMs, 10_000));
      vi.advanceTimersByTime(Math.min(leftMs, 10_000));
    }
  };
  return { clock, end, stop, pass };
}

it('ends at its moment, once', () => {
  const { end, pass } = watched(60_000);
  pass(50_000);
  expect(end).not.toHaveBeenCalled();
  pass(10_000);
  expect(end).toHaveBeenCalledTimes(1);
  pass(600_000);
  expect(end).toHaveBeenCalledTimes(1);
});

it('that came while the process was stopped for days is seen half a minute after it goes on', () => {
  const { clock, end } = watched(3 * dayMs);
  clock.advance(4 * dayMs); // SIGSTOP: the clock goes on, timers do not
  vi.advanceTimersByTime(30_000);
  expect(end).toHaveBeenCalledTimes(1);
});

it('further away than a timer can wait is waited for', () => {
  const { clock, end } = watched(90 * dayMs);
  vi.advanceTimersByTime(dayMs);
  expect(end).not.toHaveBeenCalled();
  clock.advance(90 * dayMs);
  vi.advanceTimersByTime(30_000);
  expect(end).toHaveBeenCalledTimes(1);
});

it('does not come while the clock has been set back', () => {
  const { clock, end, pass } = watched(60_000);
  clock.advance(-dayMs);
  vi.advanceTimersByTime(600_000);
  expect(end).not.toHaveBeenCalled();
  pass(dayMs + 60_000);
  expect(end).toHaveBeenCalledTimes(1);
});

it('is forgotten when nobody waits for it any more', () => {
  const { clock, end, stop } = watched(60_000);
  stop();
  clock.advance(dayMs);
  vi.advanceTimersByTime(600_000);
  expect(end).not.toHaveBeenCalled();
});
