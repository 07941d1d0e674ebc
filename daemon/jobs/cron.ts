// When a cron line is due next, in local time. node-cron parses the line and knows its days (`L`, `15W`, `5#2`), but its own
// clock is `new Date()` and at a change of the clock it skips or spins, so the walk over the hours is ours (docs/adr/0007-jobs.md):
//   a local time that a change of the clock skips is due at the first minute after the gap;
//   a local time that happens twice is due the first time;
//   a line that names every hour means an interval, so it goes on in real minutes through both changes.
import { createTask, type ParsedFields, validateDetailed } from 'node-cron';
import { LociError } from '#shared/errors.ts';

export type Schedule = {
  readonly cron: string;
  /** The first time after `afterMs` (exclusive) at which the line is due; null if none in the next forty years. */
  next(afterMs: number): number | null;
};

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** 29 February falls on a given weekday once in 28 years, 40 around a century. */
const maxDays = 41 * 366;

type LocalDay = { readonly year: number; readonly month: number; readonly day: number };

/** Reads a cron line. Throws `invalid_input` under `field` for a line that no calendar fulfils. */
export function parseCron(cron: string, field = 'cron'): Schedule {
  const { fields, errors } = validateDetailed(cron);
  if (fields === undefined) {
    const wrong = errors[0]?.field ?? 'line';
    throw new LociError('invalid_input', `\`${field}\`: "${cron}" is no cron line: its ${wrong} is out of range.`, {
      [field]: 'must be a cron line of five fields, such as "30 3 * * *"',
    });
  }
  const isDue = dayMatcher(fields);
  const times = ascending(fields);
  const first = times.hours.length === 24 ? firstRealTime : firstLocalTime;

  return {
    cron,
    next(afterMs) {
      const after = new Date(afterMs);
      let noon = Date.UTC(after.getFullYear(), after.getMonth(), after.getDate(), 12);
      for (let days = 0; days < maxDays; days += 1, noon += dayMs) {
        if (!isDue(new Date(noon))) continue;
        const found = first(times, localDay(noon), afterMs);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

/** node-cron's own matcher, asked about noon UTC of a calendar day, where no change of the clock can mislead it. */
function dayMatcher(fields: ParsedFields): (noon: Date) => boolean {
  const line = `0 0 12 ${fields.dayOfMonth.join(',')} ${fields.month.join(',')} ${fields.dayOfWeek.join(',')}`;
  const months = new Set(fields.month);
  const task = createTask(line, () => undefined, { timezone: 'Etc/UTC' });
  return (noon) => months.has(noon.getUTCMonth() + 1) && task.match(noon);
}

type Times = { readonly hours: number[]; readonly minutes: number[]; readonly seconds: number[] };

function ascending({ hour, minute, second }: ParsedFields): Times {
  const sorted = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
  return { hours: sorted(hour), minutes: sorted(minute), seconds: sorted(second) };
}

/** For named hours: the first wall-clock time of the day whose instant is after `afterMs`. */
function firstLocalTime({ hours, minutes, seconds }: Times, day: LocalDay, afterMs: number): number | null {
  for (const hour of hours) {
    if (instantOf(day, hour, 59, 59) <= afterMs) continue;
    for (const minute of minutes) {
      for (const second of seconds) {
        const at = instantOf(day, hour, minute, second);
        if (at > afterMs) return at;
      }
    }
  }
  return null;
}

/** For every hour: the first real minute of the day, 23 to 25 hours of it, whose minute hand fits. */
function firstRealTime({ minutes, seconds }: Times, day: LocalDay, afterMs: number): number | null {
  const endMs = instantOf({ ...day, day: day.day + 1 }, 0, 0, 0);
  const startMs = instantOf(day, 0, 0, 0);
  for (let at = Math.max(startMs, afterMs - (afterMs % minuteMs)); at < endMs; at += minuteMs) {
    if (!minutes.includes(new Date(at).getMinutes())) continue;
    for (const second of seconds) {
      if (at + second * 1000 > afterMs) return at + second * 1000;
    }
  }
  return null;
}

/** The instant of a wall-clock time: the first of two, the end of the gap for none. */
function instantOf({ year, month, day }: LocalDay, hour: number, minute: number, second: number): number {
  const at = new Date(year, month, day, hour, minute, second);
  const isThere = at.getHours() === hour % 24 && at.getMinutes() === minute;
  const isThatDay = at.getDate() === new Date(Date.UTC(year, month, day)).getUTCDate();
  return isThere && isThatDay ? at.getTime() : endOfGap(at.getTime());
}

/** JavaScript moves a time that does not exist forward by the length of the gap: the gap ended at most a day before. */
function endOfGap(movedMs: number): number {
  const offset = (ms: number) => new Date(ms).getTimezoneOffset();
  let [before, after] = [movedMs - 25 * 60 * minuteMs, movedMs];
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000;
    if (offset(middle) === offset(movedMs)) after = middle;
    else before = middle;
  }
  return after;
}

function localDay(noonMs: number): LocalDay {
  const noon = new Date(noonMs);
  return { year: noon.getUTCFullYear(), month: noon.getUTCMonth(), day: noon.getUTCDate() };
}
