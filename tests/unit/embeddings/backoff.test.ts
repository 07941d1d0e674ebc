import { describe, expect, it } from 'vitest';
import { createBackoff } from '#daemon/embeddings/backoff.ts';

describe('back-off', () => {
  it('doubles from a second to a minute, and starts over after a success', () => {
    const backoff = createBackoff();
    expect(backoff.remainingMs(0)).toBe(0);
    const waits = Array.from({ length: 9 }, () => {
      backoff.failed(1_000);
      return backoff.remainingMs(1_000);
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(backoff.remainingMs(61_000)).toBe(0);
    backoff.succeeded();
    backoff.failed(100_000);
    expect(backoff.remainingMs(100_400)).toBe(600);
  });
});
