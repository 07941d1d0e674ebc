import { describe, expect, it } from 'vitest';
import { createAllowance } from '#daemon/llm/allowance.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { openTempDatabase } from '../../support/temp-database.ts';

const minuteMs = 60_000;

async function open() {
  const clock = createFakeClock();
  const { database } = await openTempDatabase(clock);
  return { clock, allowance: () => createAllowance({ database, clock }, { dailyTokens: 1_000 }) };
}

describe('what may be asked of the language model', () => {
  it('is so many tokens a day, over a restart too, and all of them again the next day', async () => {
    const { clock, allowance } = await open();
    await allowance().spent(800);
    expect([await allowance().allows(200), await allowance().allows(201)]).toEqual([true, false]);
    clock.advance(24 * 60 * minuteMs);
    expect(await allowance().allows(1_000)).toBe(true);
  });

  it('is nothing for a while after a refusal, twice as long each time in a row, a day at most', async () => {
    const { clock, allowance } = await open();
    for (const [how, pauseMs] of [
      ['short', minuteMs],
      ['short', 2 * minuteMs],
      ['long', 4 * 60 * minuteMs],
      ['long', 8 * 60 * minuteMs],
      ['long', 16 * 60 * minuteMs],
      ['long', 24 * 60 * minuteMs],
    ] as const) {
      await allowance().refused(how);
      clock.advance(pauseMs - 1);
      expect(await allowance().allows(1)).toBe(false);
      clock.advance(1);
      expect(await allowance().allows(1)).toBe(true);
    }
    await allowance().spent(1);
    await allowance().refused('short');
    clock.advance(minuteMs);
    expect(await allowance().allows(1)).toBe(true);
  });
});
