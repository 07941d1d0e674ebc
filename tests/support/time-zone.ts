import { atEnd } from './at-end.ts';

/** Puts the process into a time zone until the end of the test. */
export function useTimeZone(zone: string): void {
  const before = process.env.TZ;
  process.env.TZ = zone;
  atEnd(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
}
