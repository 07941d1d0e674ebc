import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCron } from '#daemon/jobs/cron.ts';
import { useTimeZone } from '../../support/time-zone.ts';

/** Due times of a line in a stretch, as UTC without milliseconds. */
function dueTimes(cron: string, from: string, to: string): string[] {
  const schedule = parseCron(cron);
  const times: string[] = [];
  let at = schedule.next(Date.parse(from));
  while (at !== null && at <= Date.parse(to)) {
    times.push(new Date(at).toISOString().slice(0, 19));
    at = schedule.next(at);
  }
  return times;
}

describe('the next due time of a cron line', () => {
  it('is in local time, after the given instant and never at it', () => {
    useTimeZone('Europe/Madrid');
    expect(dueTimes('30 2 * * *', '2026-01-10T00:00:00Z', '2026-01-12T01:30:00Z')).toEqual([
      '2026-01-10T01:30:00',
      '2026-01-11T01:30:00',
      '2026-01-12T01:30:00',
    ]);
    const at = Date.parse('2026-01-10T01:30:00Z');
    expect(parseCron('30 2 * * *').next(at)).toBe(at + 24 * 3_600_000);
    expect(parseCron('30 2 * * *').next(at - 1)).toBe(at);
  });

  it('B23 at a time that the clock skips is the first minute after the gap, once', () => {
    useTimeZone('Europe/Madrid');
    expect(dueTimes('30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z')).toEqual([
      '2026-03-29T01:00:00',
      '2026-03-30T00:30:00',
    ]);
    expect(dueTimes('*/10 2 * * *', '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z')).toEqual(['2026-03-29T01:00:00']);
    expect(dueTimes('30 2,3 * * *', '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z')).toEqual([
      '2026-03-29T01:00:00',
      '2026-03-29T01:30:00',
    ]);
  });

  it('B23 at a time that comes twice is the first of the two, once', () => {
    useTimeZone('Europe/Madrid');
    expect(dueTimes('30 2 * * *', '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toEqual([
      '2026-10-25T00:30:00',
      '2026-10-26T01:30:00',
    ]);
    expect(dueTimes('0 */2 * * *', '2026-10-24T23:30:00Z', '2026-10-25T03:30:00Z')).toEqual([
      '2026-10-25T00:00:00',
      '2026-10-25T03:00:00',
    ]);
  });

  it('B23 of a line for every minute comes 60 times an hour through both changes', () => {
    useTimeZone('Europe/Madrid');
    expect(dueTimes('* * * * *', '2026-03-28T23:59:30Z', '2026-03-29T03:59:30Z')).toHaveLength(240);
    expect(dueTimes('* * * * *', '2026-10-24T22:59:30Z', '2026-10-25T03:59:30Z')).toHaveLength(300);
    expect(dueTimes('15 * * * *', '2026-10-24T23:30:00Z', '2026-10-25T02:30:00Z')).toEqual([
      '2026-10-25T00:15:00',
      '2026-10-25T01:15:00',
      '2026-10-25T02:15:00',
    ]);
  });

  it('holds where the change is half an hour, at midnight, or a whole day', () => {
    useTimeZone('Australia/Lord_Howe');
    expect(dueTimes('15 2 * * *', '2026-10-03T00:00:00Z', '2026-10-04T12:00:00Z')).toEqual(['2026-10-03T15:30:00']);
    useTimeZone('Africa/Cairo');
    expect(dueTimes('30 0 * * *', '2026-04-23T12:00:00Z', '2026-04-25T00:00:00Z')).toEqual([
      '2026-04-23T22:00:00',
      '2026-04-24T21:30:00',
    ]);
    useTimeZone('Pacific/Apia');
    expect(dueTimes('0 12 * * *', '2011-12-29T12:00:00Z', '2011-12-31T23:00:00Z')).toEqual([
      '2011-12-29T22:00:00',
      '2011-12-30T10:00:00',
      '2011-12-30T22:00:00',
      '2011-12-31T22:00:00',
    ]);
  });

  it('knows weekdays, months, last days and nth weekdays', () => {
    useTimeZone('UTC');
    expect(dueTimes('0 9 * * 7', '2026-01-01T00:00:00Z', '2026-01-12T00:00:00Z')).toEqual([
      '2026-01-04T09:00:00',
      '2026-01-11T09:00:00',
    ]);
    expect(dueTimes('0 0 L * *', '2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z')).toEqual([
      '2026-01-31T00:00:00',
      '2026-02-28T00:00:00',
    ]);
    expect(dueTimes('0 0 * feb mon#2', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual([
      '2026-02-09T00:00:00',
    ]);
    expect(dueTimes('*/20 0 0 1 1 *', '2026-01-01T00:00:00Z', '2026-12-01T00:00:00Z')).toEqual([
      '2026-01-01T00:00:20',
      '2026-01-01T00:00:40',
    ]);
    expect(dueTimes('@weekly', '2026-01-01T00:00:00Z', '2026-01-05T00:00:00Z')).toEqual(['2026-01-04T00:00:00']);
  });

  it('of 29 February on a Monday is years away and found', () => {
    useTimeZone('UTC');
    expect(dueTimes('0 0 29 2 1', '2026-01-01T00:00:00Z', '2045-01-01T00:00:00Z')).toEqual(['2044-02-29T00:00:00']);
  });

  it('is in the future for any line and any instant, and no due time is left out between', () => {
    useTimeZone('Europe/Madrid');
    const lines = ['30 2 * * *', '*/7 * * * *', '0 */6 * * *', '15,45 1-3 * * *', '5 4 * * sun', '* 2 * * *'];
    const start = Date.UTC(2026, 0, 1);
    const instants = fc.integer({ min: 0, max: 400 * 24 * 3600 }).map((seconds) => start + seconds * 1000);
    fc.assert(
      fc.property(fc.constantFrom(...lines), instants, (line, afterMs) => {
        const schedule = parseCron(line);
        const next = schedule.next(afterMs) ?? 0;
        expect(next).toBeGreaterThan(afterMs);
        expect(schedule.next(next - 1)).toBe(next);
        expect(schedule.next(afterMs + Math.floor((next - 1 - afterMs) / 2))).toBe(next);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['', 'hourly', '61 * * * *', '* * * *', '0 0 31 2 *', '0 24 * * *', '@reboot'])('%j is refused', (line) => {
    expect(() => parseCron(line, 'jobs.clean.cron')).toThrow(
      expect.objectContaining({ code: 'invalid_input', details: { 'jobs.clean.cron': expect.any(String) } }),
    );
  });
});
