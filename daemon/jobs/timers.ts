/** Waiting as a dependency, so that tests pass years in seconds. `set` calls back once, after `delayMs`. */
export type Timers = {
  set(callback: () => void, delayMs: number): unknown;
  clear(handle: unknown): void;
};

/** Real timers that do not keep the process alive. */
export const systemTimers: Timers = {
  set: (callback, delayMs) => setTimeout(callback, delayMs).unref(),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};
