import { describe, expect, it } from 'vitest';
import { closeGate, createRunGate, passGate } from '#daemon/embeddings/run-gate.ts';

describe('the gate of the runs', () => {
  it('lets work through while it is open, also after work that failed', async () => {
    const gate = createRunGate();
    await expect(passGate(gate, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await passGate(gate, async () => 1)).toBe(1);
  });

  it('lets nothing begin once it is closed', async () => {
    const gate = createRunGate();
    closeGate(gate, 100);
    let hasBegun = false;
    void passGate(gate, async () => {
      hasBegun = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(hasBegun).toBe(false);
  });

  it('waits for work under way, and not for ever', () => {
    const gate = createRunGate();
    void passGate(gate, () => new Promise(() => undefined));
    const before = performance.now();
    closeGate(gate, 80);
    const waitedMs = performance.now() - before;
    expect(waitedMs).toBeGreaterThanOrEqual(75);
    expect(waitedMs).toBeLessThan(2_000);
  });
});
