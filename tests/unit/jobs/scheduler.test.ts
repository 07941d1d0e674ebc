import { describe, expect, it } from 'vitest';
import { parseCron } from '#daemon/jobs/cron.ts';
import { createScheduler, longestWaitMs } from '#daemon/jobs/scheduler.ts';
import { createFakeClock, dayMs } from '../../support/fake-clock.ts';
import { createFakeTimers } from '../../support/fake-timers.ts';
import { useTimeZone } from '../../support/time-zone.ts';

function plan(startAt: string, jobs: Record<string, string>, doneAt = startAt) {
  const clock = createFakeClock(Date.parse(startAt));
  const timers = createFakeTimers(clock);
  const fired: string[] = [];
  const waits: number[] = [];
  const scheduler = createScheduler({
    clock,
    timers: {
      set(callback, delayMs) {
        waits.push(delayMs);
        return timers.set(callback, delayMs);
      },
      clear: timers.clear,
    },
    fire: (name) => fired.push(`${name} ${new Date(clock.now()).toISOString().slice(0, 16)}`),
  });
  scheduler.start(
    Object.entries(jobs).map(([name, cron]) => ({ name, schedule: parseCron(cron), doneAtMs: Date.parse(doneAt) })),
  );
  return { clock, timers, scheduler, fired, waits };
}

describe('the scheduler', () => {
  it('B23 through the change of the clock fires the nightly job once a day, the minute job each minute, and idles between', async () => {
    useTimeZone('Europe/Madrid');
    const { timers, fired, waits, scheduler, clock } = plan('2026-03-28T12:00:30Z', {
      backup: '30 2 * * *',
      minute: '* * * * *',
    });
    await timers.advanceTo(Date.parse('2026-03-30T12:00:30Z'), () => {
      for (const name of ['backup', 'minute']) expect(scheduler.nextMs(name)).toBeGreaterThan(clock.now());
    });
    expect(fired.filter((entry) => entry.startsWith('backup'))).toEqual([
      'backup 2026-03-29T01:00',
      'backup 2026-03-30T00:30',
    ]);
    const minutes = fired.filter((entry) => entry.startsWith('minute')).map((entry) => entry.slice(7, 20));
    const perHour = new Map<string, number>();
    for (const hour of minutes) perHour.set(hour, (perHour.get(hour) ?? 0) + 1);
    expect([...perHour.values()].slice(1, -1).every((count) => count === 60)).toBe(true);
    expect(minutes).toHaveLength(48 * 60);
    expect(waits.length).toBeLessThan(48 * 60 + 10);
  });

  it('fires a daily job once on each of 400 days, whatever the zone does', async () => {
    useTimeZone('Europe/Madrid');
    const { timers, fired } = plan('2026-01-01T00:00:00Z', { clean: '30 2 * * *' });
    await timers.advanceTo(Date.UTC(2026, 0, 1) + 400 * dayMs);
    expect(fired).toHaveLength(400);
  });

  it('after sleep fires each overdue job once and goes on', async () => {
    useTimeZone('UTC');
    const { timers, fired } = plan('2026-01-05T09:00:00Z', { hourly: '0 * * * *', daily: '0 3 * * *' });
    await timers.advanceTo(Date.parse('2026-01-05T10:30:00Z'));
    await timers.sleepTo(Date.parse('2026-01-08T10:20:00Z'));
    await timers.advanceTo(Date.parse('2026-01-08T11:30:00Z'));
    expect(fired).toEqual([
      'hourly 2026-01-05T10:00',
      'hourly 2026-01-08T10:20',
      'daily 2026-01-08T10:20',
      'hourly 2026-01-08T11:00',
    ]);
  });

  it('after downtime fires an overdue job once, soon after the start', async () => {
    useTimeZone('UTC');
    const { timers, fired } = plan('2026-01-08T10:20:00Z', { daily: '0 3 * * *' }, '2026-01-05T03:00:01Z');
    await timers.advanceTo(Date.parse('2026-01-09T02:00:00Z'));
    expect(fired).toEqual(['daily 2026-01-08T10:20']);
  });

  it('never waits longer than a minute, nor less than a millisecond', async () => {
    useTimeZone('UTC');
    const { timers, waits } = plan('2026-01-05T09:00:00Z', { yearly: '0 0 1 1 *' });
    await timers.advanceTo(Date.parse('2026-01-05T12:00:00Z'));
    expect(Math.max(...waits)).toBe(longestWaitMs);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1);
    expect(waits.length).toBeLessThan(185);
  });

  it('plans anew when a clock that was years ahead is set back', async () => {
    useTimeZone('UTC');
    const { timers, fired } = plan('2031-01-05T09:00:00Z', { daily: '0 3 * * *' });
    await timers.advanceTo(Date.parse('2031-01-05T09:10:00Z'));
    timers.correctClock(Date.parse('2026-01-05T09:10:00Z'));
    await timers.advanceTo(Date.parse('2026-01-06T04:00:00Z'));
    expect(fired).toEqual(['daily 2026-01-06T03:00']);
  });

  it('repeats nothing when the clock is set back by an hour', async () => {
    useTimeZone('UTC');
    const { timers, fired } = plan('2026-01-05T02:30:00Z', { daily: '0 3 * * *' });
    await timers.advanceTo(Date.parse('2026-01-05T03:05:00Z'));
    timers.correctClock(Date.parse('2026-01-05T02:05:00Z'));
    await timers.advanceTo(Date.parse('2026-01-05T04:00:00Z'));
    expect(fired).toEqual(['daily 2026-01-05T03:00']);
  });

  it('fires nothing once it is stopped', async () => {
    useTimeZone('UTC');
    const { timers, fired, scheduler } = plan('2026-01-05T09:00:00Z', { minute: '* * * * *' });
    scheduler.stop();
    await timers.advanceTo(Date.parse('2026-01-05T10:00:00Z'));
    expect(fired).toEqual([]);
    expect(timers.pending()).toBe(0);
    expect(scheduler.nextMs('minute')).toBeNull();
  });
});
