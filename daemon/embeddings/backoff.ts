/** When something that failed may be tried again: 1 s after the first failure, doubled by each further one, at most a minute. */
export type Backoff = {
  failed(nowMs: number): void;
  succeeded(): void;
  /** Milliseconds until the next try is due; 0 when it is. */
  remainingMs(nowMs: number): number;
};

export function createBackoff(firstMs = 1_000, longestMs = 60_000): Backoff {
  let failures = 0;
  let dueMs = 0;
  return {
    failed(nowMs) {
      dueMs = nowMs + Math.min(longestMs, firstMs * 2 ** failures);
      failures += 1;
    },
    succeeded() {
      failures = 0;
      dueMs = 0;
    },
    remainingMs: (nowMs) => Math.max(0, dueMs - nowMs),
  };
}
