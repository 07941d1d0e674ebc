// What consolidation united repeats its originals: an erasure reaches into every union, and leaves there what others said.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consolidate, fade, look, openFadingStore, save, withDatabase } from '../../support/fading-store.ts';
import { checkKeywordIndex, filesHolding, queryHome, tablesHolding } from '../../support/open-store-file.ts';
import type { TestStore } from '../../support/test-store.ts';

const base = 'the payments team deploys every service through the argo pipeline after review on tuesday mornings';
const erasedWord = 'zanzibarite';

type Purged = { purged: boolean; rewritten: number[]; purged_with: number[] };
const purge = (store: TestStore, id: number) => store.call<Purged>('memory_purge', { id });
/** What is said beside the base must not keep the fake model from seeing it. */
const open = (env: Record<string, string> = {}) =>
  openFadingStore({ env: { LOCI_CONSOLIDATE_THRESHOLD: '0.3', ...env } });
const onDisk = (store: TestStore) => filesHolding(join(store.home, 'data'), erasedWord);

/** Two originals, of which the second alone says the word, and the memory that unites them. */
async function unite(store: TestStore): Promise<{ kept: number; erased: number; union: number }> {
  const kept = await save(store, `${base}.`, { project: 'shop', tags: ['ci'], title: 'Deploys' });
  const erased = await save(store, `${base}. It needs the ${erasedWord} key.`, {
    project: 'shop',
    title: `Deploys by ${erasedWord}`,
    tags: ['ci', `${erasedWord}-tag`],
    context: `heard of ${erasedWord}`,
    metadata: { seen: erasedWord },
    files: [`src/${erasedWord}.ts`],
    author: erasedWord,
  });
  fade(store);
  const { created } = await consolidate(store);
  return { kept, erased, union: created[0]?.id as number };
}

describe('erasing an original of a union', () => {
  it('takes its sentences and labels out of the union, which says the rest, and no byte of it is left', async () => {
    const store = await open({ LOCI_VECTORS_EXACT_LIMIT: '0' });
    const { kept, erased, union } = await unite(store);
    expect((await look(store, union)).content).toContain(erasedWord);
    await store.call('run_job', { name: 'reconcile' });
    expect(await purge(store, erased)).toEqual({ id: erased, purged: true, rewritten: [union], purged_with: [] });
    expect(await look(store, union)).toMatchObject({
      status: 'active',
      content: `${base}.`,
      title: 'Deploys',
      context: null,
      tags: ['ci'],
      files: [],
      author: null,
      metadata: {},
      supersedes: [kept],
    });
    expect(tablesHolding(store.home, erasedWord)).toEqual([]);
    expect(onDisk(store)).toEqual([]);
    const found = await store.call<{ results: { id: number }[] }>('memory_search', {
      query: 'argo pipeline',
      depth: 1,
    });
    expect(found.results.map(({ id }) => id)).toEqual([union]);
    checkKeywordIndex(store.home);
    await store.close();
    expect(onDisk(store)).toEqual([]);
  });

  it('keeps what was written into the union since, and reaches its earlier versions and stored answers', async () => {
    const store = await open();
    const { erased, union } = await unite(store);
    const { content } = await look(store, union);
    await store.call('memory_update', {
      id: union,
      content: `${content} Ask the owner first.`,
      idempotency_key: 'one',
    });
    await store.call('memory_update', { id: union, tags: ['ci', `${erasedWord}-tag`, 'own'] });
    await purge(store, erased);
    const record = await look(store, union);
    expect(record.content).toBe(`${base}.\nAsk the owner first.`);
    expect(record.tags).toEqual(['ci', 'own']);
    expect(tablesHolding(store.home, erasedWord)).toEqual([]);
    expect(await store.call('memory_history', { id: union })).toMatchObject({
      versions: [{}, {}, { content: `${base}.` }],
    });
  });

  it('reaches a union of unions', async () => {
    const store = await open();
    const { erased, union } = await unite(store);
    const other = await save(store, `${base} as a rule.`, { project: 'shop' });
    fade(store);
    const second = (await consolidate(store)).created[0];
    expect(second?.from).toEqual([union, other]);
    const top = second?.id as number;
    expect((await look(store, top)).content).toContain(erasedWord);
    expect(await purge(store, erased)).toMatchObject({ rewritten: [union, top], purged_with: [] });
    expect((await look(store, top)).content).toBe(`${base}.\n${base} as a rule.`);
    expect(tablesHolding(store.home, erasedWord)).toEqual([]);
  });

  it('reaches a union that was taken apart again', async () => {
    const store = await open();
    const { erased, union } = await unite(store);
    await store.call('memory_undo_consolidation', { id: union });
    expect(await look(store, erased)).toMatchObject({ status: 'active', superseded_by: null });
    expect(await purge(store, erased)).toMatchObject({ rewritten: [union] });
    expect(tablesHolding(store.home, erasedWord)).toEqual([]);
  });

  it('erases the union with the last of its originals, and says so', async () => {
    const store = await open();
    const { kept, erased, union } = await unite(store);
    await purge(store, erased);
    expect(await purge(store, kept)).toMatchObject({ purged: true, rewritten: [], purged_with: [union] });
    expect(tablesHolding(store.home, 'argo pipeline')).toEqual([]);
    expect(queryHome(store.home, 'SELECT * FROM memories')).toEqual([]);
  });

  it('reaches a union of which the history alone knows, as after an import, also one that a model summarised', async () => {
    for (const summary of [null, `All deploys take the ${erasedWord} key on tuesday mornings.`]) {
      const store = await open();
      const { kept, erased, union } = await unite(store);
      withDatabase(store, (db) => {
        db.prepare('DELETE FROM united_memories').run();
        if (summary !== null) db.prepare('UPDATE memories SET content = ? WHERE id = ?').run(summary, union);
      });
      expect(await purge(store, erased)).toMatchObject({ rewritten: [union] });
      expect(await look(store, union)).toMatchObject({ content: `${base}.`, supersedes: [kept] });
      expect(tablesHolding(store.home, erasedWord)).toEqual([]);
    }
  });

  it('takes out of a memory what it took over by hand, and leaves what it said before', async () => {
    const store = await open();
    const kept = await save(store, `${base}. Ask the owner first.`, { title: 'Deploys', context: 'from the review' });
    const erased = await save(store, `Ask the owner first. It needs the ${erasedWord} key.`, {
      tags: [`${erasedWord}-tag`],
      context: `heard of ${erasedWord} at length, in a longer context`,
    });
    await store.call('memory_merge', { id: kept, from: erased });
    expect((await look(store, kept)).content).toContain(erasedWord);
    expect(await purge(store, erased)).toMatchObject({ rewritten: [kept] });
    expect(await look(store, kept)).toMatchObject({
      content: `${base}. Ask the owner first.`,
      title: 'Deploys',
      context: 'from the review',
      tags: [],
    });
    expect(tablesHolding(store.home, erasedWord)).toEqual([]);
  });

  it('leaves in the union what another original says as well', async () => {
    const store = await open();
    const first = await save(store, `${base}.`);
    await save(store, `${base}. Ask the owner first.`);
    fade(store);
    const union = (await consolidate(store)).created[0]?.id as number;
    await purge(store, first);
    expect((await look(store, union)).content).toBe(`${base}. Ask the owner first.`);
  });

  it('is one change with the erasure: an answer under an idempotency key is the same again', async () => {
    const store = await open();
    const { erased, union } = await unite(store);
    const input = { id: erased, idempotency_key: 'purge' };
    const first = await store.call('memory_purge', input);
    expect(first).toMatchObject({ rewritten: [union] });
    expect(await store.call('memory_purge', input)).toEqual(first);
  });
});
