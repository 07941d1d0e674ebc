import { describe, expect, it } from 'vitest';
import { createEvents } from '#daemon/kernel/events.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { consolidateAfterSaves } from '#daemon/memories/upkeep/consolidate-after-saves.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createFakeTimers } from '../../support/fake-timers.ts';

function watched() {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const events = createEvents(silentLogger);
  const runs: number[] = [];
  const startMs = clock.now();
  const stop = consolidateAfterSaves({ events, clock, timers, run: () => runs.push(clock.now() - startMs) });
  const announce = (action: string, count: number, kind = 'memory') => {
    for (let index = 0; index < count; index += 1) {
      events.announce({ seq: 1, userId: 1, kind, thingId: 1, action, name: `${kind}.${action}` });
    }
  };
  const pass = (ms: number) => timers.advanceTo(clock.now() + ms);
  return { announce, pass, runs, stop };
}

describe('after every ten saves', () => {
  it('consolidation runs once, a moment later', async () => {
    const { announce, pass, runs } = watched();
    announce('created', 9);
    await pass(5_000);
    expect(runs).toEqual([]);
    announce('merged', 1);
    expect(runs).toEqual([]);
    await pass(5_000);
    expect(runs).toEqual([6_000]);
  });

  it('counts neither other things nor other changes, such as its own', async () => {
    const { announce, pass, runs } = watched();
    announce('created', 20, 'project');
    announce('updated', 20);
    announce('archived', 20);
    announce('consolidated', 20);
    await pass(5_000);
    expect(runs).toEqual([]);
  });

  it('runs not more than once a minute in a flood of saves, and once more after it', async () => {
    const { announce, pass, runs } = watched();
    for (let second = 0; second < 90; second += 1) {
      announce('created', 50);
      await pass(1_000);
    }
    await pass(120_000);
    expect(runs).toEqual([1_000, 61_000, 121_000]);
  });

  it('runs no more once it is stopped', async () => {
    const { announce, pass, runs, stop } = watched();
    announce('created', 10);
    stop();
    announce('created', 30);
    await pass(100_000);
    expect(runs).toEqual([]);
  });
});
