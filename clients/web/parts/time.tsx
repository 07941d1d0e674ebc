// Times in the reader's own zone and language: near ones by how long ago, and always the whole instant to hover over.
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
const wholeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const clockFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** An instant as "3 days ago". */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={wholeTime(at)}>
      {agoText(at, Date.now())}
    </time>
  );
}

export function agoText(at: string, nowMs: number): string {
  const seconds = (Date.parse(at) - nowMs) / 1000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return unit === 'second' ? 'just now' : relative.format(Math.trunc(seconds / size), unit);
}

export function wholeTime(at: string): string {
  return wholeFormat.format(new Date(at));
}

export function clockTime(at: string): string {
  return clockFormat.format(new Date(at));
}

/** "Monday, 30 November 2026", with today and yesterday by their names. */
export function dayName(at: string, nowMs: number): string {
  const day = new Date(at);
  for (const [name, ms] of [
    ['Today', 0],
    ['Yesterday', 86_400_000],
  ] as const) {
    if (new Date(nowMs - ms).toDateString() === day.toDateString()) return `${name}, ${dayFormat.format(day)}`;
  }
  return dayFormat.format(day);
}
