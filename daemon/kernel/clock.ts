/** Time as a dependency: milliseconds since the epoch. Tests inject a clock that they move by hand. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

/** UTC ISO 8601 with milliseconds, the one spelling of an instant on every wire. */
export function toUtc(ms: number): string;
export function toUtc(ms: number | null): string | null;
export function toUtc(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
