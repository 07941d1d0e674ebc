const steps = [
  ['y', 365 * 86_400],
  ['mo', 30 * 86_400],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** How long ago an ISO instant was: `now`, `5m`, `3h`, `12d`, `4mo`, `2y`. A time in the future counts as now. */
export function ageOf(instant: string, nowMs: number): string {
  const seconds = Math.floor((nowMs - Date.parse(instant)) / 1_000);
  const step = steps.find(([, size]) => seconds >= size);
  return step === undefined ? 'now' : `${Math.floor(seconds / step[1])}${step[0]}`;
}

/** `850 ms`, `12.3 s`, `4 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

/** `512 B`, `1.5 MB`: powers of 1,024. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1_024 && unit < units.length - 1) {
    size /= 1_024;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}
