// A machine whose clock was set back: by a battery, by a virtual machine that was resumed, by hand. What was stored is then of the future.
// Nothing may fail over it, nothing fades or is erased, and what is written now is the newest all the same.
import { describe, expect, it } from 'vitest';
import { contracts } from '#shared/contract/index.ts';
import { LociError } from '#shared/errors.ts';
import { dayMs } from '../../support/fake-clock.ts';
import { callerOn, everyRow, inputsWith, lostRows, plantEverything } from '../../support/isolation.ts';
import { openTestStore } from '../../support/test-store.ts';

const words = { query: 'caches are warm, we deploy on Tuesdays', text: 'said by okapi', project: 'shop' };
/** Works on files of this machine, or ends the store. */
const leftOut = /^(?:restore_backup|repair_database)$/;

describe('a clock that was set back by years', () => {
  it('makes no operation fail: what cannot be done is refused in words', { timeout: 120_000 }, async () => {
    const store = await openTestStore();
    const call = callerOn(store, 1, ['*']);
    const mine = await plantEverything(call, 'okapi');
    store.clock.advance(-800 * dayMs);
    const order = [...contracts].sort((a, b) => Number(b.hints.readOnly) - Number(a.hints.readOnly));
    const failures: string[] = [];
    for (const contract of order.filter(({ name }) => !leftOut.test(name))) {
      for (const input of inputsWith(contract, mine, mine, words)) {
        await call(contract.name, input).catch((error: unknown) => {
          const isRefusal = error instanceof LociError && error.code !== 'internal';
          if (!isRefusal) failures.push(`${contract.name} ${JSON.stringify(input)}: ${String(error).slice(0, 300)}`);
        });
      }
    }
    expect(failures).toEqual([]);
  });

  it('nothing of the future fades, is archived or erased by any job', { timeout: 120_000 }, async () => {
    const store = await openTestStore();
    const call = callerOn(store, 1, ['*']);
    await plantEverything(call, 'okapi');
    await call('run_job', { name: 'flush_accesses' });
    const kept = await call('memory_stats', {});
    const before = everyRow(store.home);
    store.clock.advance(-800 * dayMs);
    const { jobs } = (await call('list_jobs', {})) as { jobs: { name: string }[] };
    for (const { name } of jobs) await call('run_job', { name });
    await expect
      .poll(async () =>
        ((await call('list_jobs', {})) as { jobs: { running: boolean }[] }).jobs.some((job) => job.running),
      )
      .toBe(false);
    const after = (await call('memory_stats', {})) as { memories: unknown };
    expect(after.memories).toEqual((kept as { memories: unknown }).memories);
    expect(lostRows(before, store.home)).toEqual([]);
  });

  it('a memory that is read meanwhile is no older when the clock is right again', async () => {
    const store = await openTestStore();
    const { id } = await store.call<{ id: number }>('memory_save', { content: 'We deploy the gateway on Tuesdays' });
    const decayOf = async () => (await store.call<{ decay: number }>('memory_get', { id })).decay;
    store.clock.advance(-800 * dayMs);
    expect(await decayOf()).toBe(1);
    await store.call('run_job', { name: 'flush_accesses' });
    store.clock.advance(801 * dayMs);
    expect(await decayOf()).toBeGreaterThan(0.9);
    await store.call('memory_clean');
    expect(await store.call('memory_get', { id })).toMatchObject({ status: 'active' });
  });

  it('what is saved, changed and backed up now is the newest', async () => {
    const store = await openTestStore();
    const old = await store.call<{ id: number }>('memory_save', { content: 'The gateway listens on port 8080' });
    const first = await store.call<{ name: string }>('create_backup');
    store.clock.advance(-800 * dayMs);
    await store.call('memory_update', { id: old.id, content: 'The gateway listens on port 9090 today' });
    const saved = await store.call<{ id: number }>('memory_save', { content: 'The ledger closes on Fridays' });
    const second = await store.call<{ name: string }>('create_backup');
    expect(await store.call('memory_get', { id: old.id })).toMatchObject({ content: expect.stringContaining('9090') });
    const { results } = await store.call<{ results: { id: number }[] }>('memory_search', { query: 'ledger Fridays' });
    expect(results[0]?.id).toBe(saved.id);
    const { backups } = await store.call<{ backups: { name: string }[] }>('list_backups');
    expect(backups.map(({ name }) => name)).toEqual([second.name, first.name]);
    await store.call('memory_update', { id: old.id, content: 'The gateway listens on port 7070 now' });
    await store.call('restore_backup', { name: 'latest' });
    expect(await store.call('memory_get', { id: old.id })).toMatchObject({ content: expect.stringContaining('9090') });
  });
});
