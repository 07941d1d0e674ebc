// Erased is erased: no row, no index, no log, no stored answer and no byte on disk keeps what a caller asked to have gone.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  allTables,
  changeHome,
  checkKeywordIndex,
  filesHolding,
  queryHome,
  tablesHolding,
} from '../../support/open-store-file.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Saved = { id: number; outcome: string; obsolete_matches?: { id: number; title: string }[] };
const secretWord = 'zanzibarite';

const save = (store: TestStore, content: string, more: object = {}) =>
  store.call<Saved>('memory_save', { content, ...more });

/** No operation of this version links two memories, so the row is written as one would. */
function link(store: TestStore, a: number, b: number): void {
  const link = 'INSERT INTO memory_links(user_id, source_id, target_id, created_at) VALUES (1, ?, ?, 1)';
  changeHome(store.home, link, Math.min(a, b), Math.max(a, b));
}

/** Rows of the tables that hang on a memory which name it by id. */
function rowsNaming(home: string, id: number): Record<string, number> {
  const count = (table: string, where: string): number =>
    Number(queryHome<{ n: number }>(home, `SELECT count(*) AS n FROM ${table} WHERE ${where}`)[0]?.n);
  return {
    memories: count('memories', `id = ${id} OR superseded_by = ${id}`),
    memory_projects: count('memory_projects', `memory_id = ${id}`),
    memory_history: count('memory_history', `memory_id = ${id}`),
    memory_links: count('memory_links', `source_id = ${id} OR target_id = ${id}`),
    searchables: count('searchables', `thing_id = ${id} AND kind = 'memory'`),
    vectors: count('vectors', `thing_id = ${id} AND kind = 'memory'`),
    answers: count('idempotent_answers', `thing_id = ${id}`),
  };
}

const none = {
  memories: 0,
  memory_projects: 0,
  memory_history: 0,
  memory_links: 0,
  searchables: 0,
  vectors: 0,
  answers: 0,
};

describe('purging a memory', () => {
  it('B18 leaves no row that names it, and its neighbours no longer link to it', async () => {
    const store = await openTestStore();
    const ids: number[] = [];
    for (const content of ['the first of three', 'the second of three, in the middle', 'number three, the last']) {
      const { id } = await save(store, content, { project: 'shop', on_duplicate: 'keep', idempotency_key: content });
      ids.push(id);
    }
    const [first, middle, last] = ids as [number, number, number];
    link(store, first, middle);
    link(store, middle, last);
    await store.call('memory_update', { id: middle, content: 'the second of three, reworded' });
    await save(store, 'what replaced nothing', { idempotency_key: 'x' });
    expect(await store.call('memory_get', { id: first })).toMatchObject({ links: [middle] });
    await store.call('memory_purge', { id: middle });

    expect(rowsNaming(store.home, middle)).toEqual(none);
    for (const id of [first, last]) expect(await store.call('memory_get', { id })).toMatchObject({ links: [] });
    const { related, results } = await store.call<{ related: { id: number }[]; results: { id: number }[] }>(
      'memory_search',
      { query: 'three', depth: 3, include_archived: true },
    );
    expect([...related, ...results].map(({ id }) => id)).not.toContain(middle);
    const stats = await store.call<{ vectors: { rows: number }; memories: { active: number } }>('memory_stats');
    expect(stats.vectors.rows).toBe(stats.memories.active);
    expect(await store.call('memory_sync')).toMatchObject({
      stats: { active: 3 },
      projects: [{ name: 'shop', memories: 2 }],
    });
    checkKeywordIndex(store.home);
  });

  it('B18 what it had replaced no longer points to it, and stays readable', async () => {
    const store = await openTestStore();
    const old = await save(store, 'Sessions live in Redis');
    const next = await save(store, 'Sessions live in Postgres', { supersedes: [old.id] });
    await store.call('memory_purge', { id: next.id });
    const record = await store.call('memory_get', { id: old.id });
    expect(record).toMatchObject({ status: 'obsolete', superseded_by: null });
    expect(rowsNaming(store.home, next.id)).toEqual(none);
  });

  it('B18 the id of an erased memory is never given again', async () => {
    const store = await openTestStore();
    const { id } = await save(store, 'Short-lived');
    await store.call('memory_purge', { id });
    expect((await save(store, 'Somebody else')).id).toBeGreaterThan(id);
  });

  it('no value of any table holds its text: row, history, change log, stored answers, words, merged texts', async () => {
    const store = await openTestStore();
    const text = `the ${secretWord} hoard lies under the old oak tree behind the house of the lighthouse keeper on the island`;
    const { id } = await save(store, text, { idempotency_key: 'save', title: `A ${secretWord}`, project: 'island' });
    await save(store, text.replace('old ', ''), {
      title: `A ${secretWord}`,
      project: 'island',
      idempotency_key: 'merge',
    });
    await store.call('memory_update', { id, context: `about ${secretWord}`, idempotency_key: 'update' });
    await store.call('memory_update', { id, content: `${secretWord} moved`, idempotency_key: 'again' });
    await store.call('memory_revert', { id, to: 1, idempotency_key: 'revert' });
    await store.call('memory_archive', { id, reason: `no more ${secretWord}`, idempotency_key: 'archive' });
    await store.call('memory_update', { id, status: 'active', idempotency_key: 'restore' });
    expect(tablesHolding(store.home, secretWord)).toContain('idempotent_answers');
    await store.call('memory_purge', { id, idempotency_key: 'purge' });
    expect(tablesHolding(store.home, secretWord)).toEqual([]);
    // the one stored answer is that of the purge
    expect(rowsNaming(store.home, id)).toEqual({ ...none, answers: 1 });
  });

  it('an answer that named it as said before no longer shows its title, one save or many', async () => {
    const store = await openTestStore();
    const text = `the ${secretWord} of the harbour is weighed by the master of the port on every second day of the month`;
    const old = await save(store, text, { title: `On ${secretWord}` });
    await store.call('memory_archive', { id: old.id });
    const again = { content: text, title: `On ${secretWord}` };
    const next = await store.call<Saved>('memory_save', { ...again, idempotency_key: 'one' });
    expect(next.obsolete_matches?.[0]).toMatchObject({ id: old.id });
    await store.call('memory_archive', { id: next.id });
    const many = { memories: [again, { content: 'something else' }], idempotency_key: 'many' };
    const batch = await store.call<{ results: Saved[] }>('memory_save_many', many);
    const kept = batch.results[0] as Saved;
    await store.call('memory_purge', { id: old.id });
    await store.call('memory_purge', { id: next.id });
    await store.call('memory_purge', { id: kept.id });
    expect(tablesHolding(store.home, secretWord)).toEqual([]);
    // what is left of the stored answer still keeps the batch from being stored twice
    const repeated = await store.call<{ results: Saved[] }>('memory_save_many', many);
    expect(repeated.results.map(({ id }) => id)).toEqual(batch.results.map(({ id }) => id));
  });

  it('no byte of the data folder holds its text, in SQLite, its log, or LanceDB', async () => {
    const store = await openTestStore({ env: { LOCI_VECTORS_EXACT_LIMIT: '0' } });
    const { id } = await save(store, `a memory of the ${secretWord}`, { tags: [`${secretWord}-tag`] });
    for (let other = 0; other < 20; other += 1)
      await save(store, `unrelated note number ${other}`, { on_duplicate: 'keep' });
    await store.call('memory_search', { query: 'note' });
    await store.call('run_job', { name: 'reconcile' });
    expect(filesHolding(join(store.home, 'data'), secretWord)).not.toEqual([]);
    await store.call('memory_purge', { id });
    expect(filesHolding(join(store.home, 'data'), secretWord)).toEqual([]);
    await store.close();
    expect(filesHolding(join(store.home, 'data'), secretWord)).toEqual([]);
  });

  it('erases what is being embedded: a vector that comes late is thrown away', async () => {
    const store = await openTestStore();
    const { id } = await save(store, `${'a long text of no interest '.repeat(120)} ${secretWord}`);
    await store.call('memory_purge', { id });
    await expect
      .poll(async () => (await store.call<{ vectors: { pending: number } }>('memory_stats')).vectors.pending)
      .toBe(0);
    expect(rowsNaming(store.home, id)).toEqual(none);
    expect(allTables(store.home).get('vectors')).toEqual([]);
  });
});

describe('forgetting a fact', () => {
  it('erases its row, history, words, vector and answers, and every byte of them', async () => {
    const store = await openTestStore();
    const fact = { action: 'save', category: 'technical', key: 'hoard' };
    await store.call('memory', { ...fact, value: `The ${secretWord} is here`, idempotency_key: 'a' });
    await store.call('memory', { ...fact, value: `The ${secretWord} is there`, source_context: secretWord });
    await store.call('memory', { action: 'forget', key: 'hoard' });
    expect(tablesHolding(store.home, secretWord)).toEqual([]);
    expect(filesHolding(join(store.home, 'data'), secretWord)).toEqual([]);
  });
});
