import { describe, expect, it } from 'vitest';
import { dayMs } from '../../support/fake-clock.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Found = { results: { id: number; content?: string; title: string }[] };

const at = (store: TestStore, daysAgo: number) => new Date(store.clock.now() - daysAgo * dayMs).toISOString();
const save = async (store: TestStore, content: string, more: object = {}) =>
  (await store.call<{ id: number }>('memory_save', { content, ...more })).id;
const texts = async (store: TestStore, query: string, more: object) =>
  (await store.call<Found>('memory_search', { query, ...more })).results.map((result) => result.content);

describe('a search of the past', () => {
  it('answers with what a memory said then, though nothing of those words is left now', async () => {
    const store = await openTestStore();
    const id = await save(store, 'Deploys go through Jenkins');
    store.clock.advance(10 * dayMs);
    await store.call('memory_update', { id, content: 'Releases are made by Argo' });
    expect(await texts(store, 'jenkins deploys', { as_of: at(store, 5) })).toEqual(['Deploys go through Jenkins']);
    expect(await texts(store, 'argo releases', { as_of: at(store, 5) })).not.toContain('Releases are made by Argo');
    expect(await texts(store, 'jenkins deploys', { as_of: at(store, 0), mode: 'keyword' })).toEqual([]);
  });

  it('knows nothing that was learned later, and what was archived or superseded since', async () => {
    const store = await openTestStore();
    const old = await save(store, 'Sessions live in Redis');
    store.clock.advance(10 * dayMs);
    await save(store, 'Sessions live in Postgres now', { supersedes: [old] });
    const tabs = await save(store, 'Sessions of pair work use tabs');
    store.clock.advance(10 * dayMs);
    await store.call('memory_archive', { id: tabs });
    expect(await texts(store, 'sessions', { as_of: at(store, 15) })).toEqual(['Sessions live in Redis']);
    expect((await texts(store, 'sessions', { as_of: at(store, 5) })).sort()).toEqual([
      'Sessions live in Postgres now',
      'Sessions of pair work use tabs',
    ]);
    expect(await texts(store, 'sessions', {})).toEqual(['Sessions live in Postgres now']);
  });

  it('respects when a statement is true: valid_from, valid_to and expiry', async () => {
    const store = await openTestStore();
    await save(store, 'The freeze holds', { valid_from: at(store, -10), valid_to: at(store, -20) });
    await save(store, 'The freeze notice', { expires_days: 15 });
    store.clock.advance(30 * dayMs);
    expect(await texts(store, 'freeze', { as_of: at(store, 25) })).toEqual(['The freeze notice']);
    expect((await texts(store, 'freeze', { as_of: at(store, 18) })).sort()).toEqual([
      'The freeze holds',
      'The freeze notice',
    ]);
    expect(await texts(store, 'freeze', { as_of: at(store, 5) })).toEqual([]);
  });

  it('reads a day without an offset in the zone of the daemon, and refuses what is no instant', async () => {
    const store = await openTestStore();
    await save(store, 'A thing');
    expect(await texts(store, 'thing', { as_of: '2020-01-01' })).toEqual([]);
    await expect(store.call('memory_search', { query: 'thing', as_of: 'yesterday' })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { as_of: expect.any(String) },
    });
  });

  it('does not count as an access', async () => {
    const store = await openTestStore();
    const id = await save(store, 'Look at me');
    await texts(store, 'look', { as_of: at(store, 0) });
    await store.call('run_job', { name: 'flush_accesses' });
    expect(await store.call('memory_get', { id })).toMatchObject({ access_count: 0 });
  });
});
