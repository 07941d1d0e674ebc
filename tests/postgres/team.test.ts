// Several daemons on one database: what one writes the others find and hear, what one forgets no other shows, the upkeep is done by one.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ChangeEvent } from '#daemon/kernel/events.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createFakeTimers, type FakeTimers } from '../support/fake-timers.ts';
import { runSql } from '../support/postgres/cluster.ts';
import { databaseOf, storageSettings, urlOf } from '../support/storage-under-test.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestStore, type TestStore, type TestStoreOptions } from '../support/test-store.ts';

type Hits = { results: { id: number; title: string }[] };

/** Daemons with data folders of their own on one database; its address. */
async function openTeam(
  size: number,
  options: (index: number) => TestStoreOptions = () => ({}),
): Promise<{ stores: TestStore[]; url: string }> {
  const shared = tempFolder();
  const env = await storageSettings(shared);
  const stores: TestStore[] = [];
  for (let index = 0; index < size; index += 1) {
    stores.push(await openTestStore({ home: tempFolder(), ...options(index), env: { ...options(index).env, ...env } }));
  }
  return { stores, url: urlOf(databaseOf(shared)) };
}

async function search(store: TestStore, query: string, mode = 'hybrid'): Promise<number[]> {
  const { results } = await store.call<Hits>('memory_search', { query, mode });
  return results.map(({ id }) => id);
}

describe('a write through one daemon', () => {
  it('is found by keyword and by meaning through another within a second', async () => {
    const { stores } = await openTeam(2);
    const [one, other] = stores as [TestStore, TestStore];
    await search(other, 'anything'); // its vectors are held from here on
    const { id } = await one.call<{ id: number }>('memory_save', { content: 'The harbour crane is serviced in May.' });
    const startedMs = performance.now();
    expect(await search(other, 'harbour crane', 'keyword')).toEqual([id]);
    await expect.poll(() => search(other, 'harbour crane is serviced', 'vector'), { timeout: 1_000 }).toContain(id);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });

  it('is changed and erased for the other as well: nothing forgotten is found again', async () => {
    const { stores } = await openTeam(2);
    const [one, other] = stores as [TestStore, TestStore];
    const { id } = await one.call<{ id: number }>('memory_save', { content: 'The vault code word is persimmon.' });
    expect(await search(other, 'persimmon')).toEqual([id]);
    await one.call('memory_update', { id, content: 'The vault code word is quince.' });
    expect(await search(other, 'persimmon', 'keyword')).toEqual([]);
    expect(await search(other, 'quince', 'keyword')).toEqual([id]);
    await one.call('memory_purge', { id });
    expect(await search(other, 'quince', 'keyword')).toEqual([]);
    await expect.poll(() => search(other, 'The vault code word is quince.', 'vector'), { timeout: 1_000 }).toEqual([]);
  });

  it('is announced on the other, in order and once', async () => {
    const { stores } = await openTeam(2);
    const [one, other] = stores as [TestStore, TestStore];
    const heard: ChangeEvent[] = [];
    other.events.subscribe((event) => void heard.push(event));
    for (const part of ['first', 'second', 'third'])
      await one.call('memory_save', { content: `The ${part} of three notes.` });
    await expect.poll(() => heard.filter(({ kind }) => kind === 'memory').length, { timeout: 1_000 }).toBe(3);
    await sleep(100);
    const sequence = heard.map(({ seq }) => seq);
    expect(sequence).toEqual([...new Set(sequence)].sort((a, b) => a - b));
  });

  it('under one idempotency key happens once, whichever daemon the repeated request reaches', async () => {
    const { stores } = await openTeam(2);
    const content = 'The archive moves to the second floor.';
    const context = { idempotencyKey: 'the-same-request' };
    const answers = await Promise.all(
      stores.map((store) => store.call<{ id: number }>('memory_save', { content, on_duplicate: 'keep' }, context)),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    await expect(
      (stores[1] as TestStore).call('memory_save', { content: 'Something else.' }, context),
    ).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('many writers through many daemons', () => {
  it('lose nothing and double nothing', { timeout: 120_000 }, async () => {
    const { stores, url } = await openTeam(4);
    const [first] = stores as [TestStore];
    const writers = stores.flatMap((store, daemon) =>
      Array.from({ length: 8 }, (_, writer) => ({ store, daemon, writer })),
    );
    await Promise.all(
      writers.map(async ({ store, daemon, writer }) => {
        for (let turn = 0; turn < 4; turn += 1) {
          const content = `Note ${turn} of writer ${writer} at daemon ${daemon} about topic ${daemon * 100 + writer * 10 + turn}.`;
          await store.call('memory_save', { content, on_duplicate: 'keep' });
        }
      }),
    );
    const counted = await runSql<{ rows: string; contents: string }>(
      url,
      'SELECT count(*) AS rows, count(DISTINCT content) AS contents FROM loci.memories',
    );
    expect(counted).toEqual([{ rows: '128', contents: '128' }]);
    const sync = await first.call<{ stats: { active: number } }>('memory_sync');
    expect(sync.stats.active).toBe(128);
  });

  it('do not share a task: of many claims through four daemons one is granted', async () => {
    const { stores, url } = await openTeam(4);
    const [first] = stores as [TestStore];
    await first.call('memory_save', { content: 'The yard has two gates.', project: 'yard' });
    await first.call('create_plan', { title: 'Paint the gates', project_id: 1, status: 'active' });
    await first.call('create_task', { title: 'the north gate', plan_id: 1 });
    const claims = await Promise.allSettled(
      Array.from({ length: 16 }, (_, agent) =>
        (stores[agent % 4] as TestStore).call('claim_task', { task_id: 1, agent_id: `agent-${agent}`, version: 1 }),
      ),
    );
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await runSql(url, 'SELECT state, version FROM loci.tasks')).toEqual([{ state: 'doing', version: '2' }]);
  });
});

describe('upkeep', () => {
  it('by hand is done by one daemon at a time: the second caller is told, and may when the first has ended', async () => {
    const { stores } = await openTeam(2);
    const [one, other] = stores as [TestStore, TestStore];
    for (let at = 0; at < 30; at += 1) await one.call('memory_save', { content: `Gate ${at} of yard ${at * 3}.` });
    const runs = await Promise.allSettled([
      one.call('run_job', { name: 'backup' }),
      other.call('run_job', { name: 'backup' }),
    ]);
    expect(runs.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = runs.find((run): run is PromiseRejectedResult => run.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/Another daemon.*"backup"/),
    });
    for (const store of stores) {
      expect(await store.call('run_job', { name: 'backup' })).toMatchObject({ outcome: 'ok' });
    }
  });

  it('is done by one daemon of four, and by another as soon as that one has gone', async () => {
    const clock = createFakeClock();
    const timers = Array.from({ length: 4 }, () => createFakeTimers(clock));
    const env = { LOCI_JOBS_PRUNE_CRON: '*/10 * * * *' };
    const { stores, url } = await openTeam(4, (index) => ({ clock, env, timers: timers[index] as FakeTimers }));
    const runs = async (): Promise<number> => {
      const rows = await runSql<{ n: string }>(
        url,
        "SELECT count(*) AS n FROM loci.job_runs WHERE job = 'prune' AND outcome = 'ok'",
      );
      return Number(rows[0]?.n);
    };
    const pass = async (minutes: number): Promise<void> => {
      const untilMs = clock.now() + minutes * 60_000;
      for (const each of timers) await each.advanceTo(untilMs, () => sleep(30));
      clock.set(untilMs);
    };
    await pass(11);
    await expect.poll(runs).toBe(1);
    await (stores[0] as TestStore).close();
    await sleep(2_500); // the other looks every two seconds
    await pass(11);
    await expect.poll(runs).toBe(2);
  });
});
