// B19: the model is switched, damaged or away between two starts. Nothing is mixed, nothing is lost, and somebody says so.
import { describe, expect, it } from 'vitest';
import { createFakeEmbedder, type FakeEmbedder } from '../../support/fake-embedder.ts';
import { queryHome } from '../../support/open-store-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Search = { results: { id: number }[]; degraded: string[] };
type Health = { status: string; embedder: { status: string; why?: string; model: string } };

const find = (store: TestStore, query: string, more: object = {}) =>
  store.call<Search>('memory_search', { query, depth: 1, limit: 50, ...more });
const ids = ({ results }: Search) => results.map(({ id }) => id);

/** A home with 50 memories embedded in 384 dimensions. */
async function earlierLife(exactLimit: string): Promise<string> {
  const home = tempFolder();
  const store = await openTestStore({ home, env: { LOCI_VECTORS_EXACT_LIMIT: exactLimit } });
  for (let at = 0; at < 50; at += 1)
    await store.call('memory_save', { content: `memory word${at} of the first life`, on_duplicate: 'keep' });
  await store.call('run_job', { name: 'reconcile' });
  expect(await store.call('memory_health')).toMatchObject({ status: 'ok', embedder: { status: 'ok' } });
  await store.close();
  return home;
}

/** An embedder that keeps background work waiting until it is released. */
function heldBack(inner: FakeEmbedder): FakeEmbedder & { release(): void } {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    ...inner,
    release,
    async embed(texts, options) {
      if (options.lane === 'bulk') await released;
      return inner.embed(texts, options);
    },
  };
}

describe.each([
  ['the exact search', '100000'],
  ['LanceDB', '0'],
])('B19 another model and length, the former one gone, with %s', (_name, exactLimit) => {
  it('keyword search works, the mismatch is told, no two lengths are mixed, and all 51 are found once they are embedded anew', async () => {
    const home = await earlierLife(exactLimit);
    const embedder = heldBack(createFakeEmbedder({ dimensions: 768 }));
    const store = await openTestStore({ home, embedder, env: { LOCI_VECTORS_EXACT_LIMIT: exactLimit } });
    const health = await store.call<Health>('memory_health');
    expect(health).toMatchObject({ status: 'degraded', embedder: { status: 'degraded', model: 'fake-768' } });
    expect(health.embedder.why).toMatch(/fake-384.*fake-768.*loci re-embed.*embedding\.model/);

    const saved = await store.call<{ id: number }>('memory_save', { content: 'memory word50 of the second life' });
    for (const at of [0, 17, 49]) {
      expect(ids(await find(store, `word${at}`, { mode: 'keyword' }))).toEqual([at + 1]);
      expect(ids(await find(store, `word${at}`))[0]).toBe(at + 1);
    }
    const found = await find(store, 'second life word50', { mode: 'vector' });
    expect(ids(found)).toEqual([saved.id]);
    expect(found.degraded).toEqual(['vector']);
    expect((await find(store, 'word3', { mode: 'keyword' })).degraded).toEqual([]);
    const rowsByModel = 'SELECT model_id, length(blob) / 4 AS n, count(*) AS rows FROM vectors GROUP BY 1, 2';
    expect(queryHome(home, rowsByModel)).toEqual([
      { model_id: 'fake-384', n: 384, rows: 50 },
      { model_id: 'fake-768', n: 768, rows: 1 },
    ]);

    embedder.release();
    const progress = () => store.call<{ state: string }>('get_re_embedding');
    await expect.poll(async () => (await progress()).state, { timeout: 20_000 }).toBe('done');
    expect(await progress()).toMatchObject({ model: 'fake-768', things: 51, done: 51 });
    expect(await store.call('memory_health')).toMatchObject({ status: 'ok' });
    await store.call('run_job', { name: 'reconcile' });
    await store.call('run_job', { name: 'optimise' });
    for (let at = 0; at <= 50; at += 1) {
      const text = `memory word${at} of the ${at === 50 ? 'second' : 'first'} life`;
      const { results, degraded } = await find(store, text, { mode: 'vector', limit: 1 });
      expect([results[0]?.id, degraded]).toEqual([at + 1, []]);
    }
    expect(queryHome(home, rowsByModel)).toContainEqual({ model_id: 'fake-768', n: 768, rows: 51 });
  });

  it('set back, everything is as it was: the vectors of the former model were kept', async () => {
    const home = await earlierLife(exactLimit);
    const second = heldBack(createFakeEmbedder({ dimensions: 768 }));
    const other = await openTestStore({ home, embedder: second });
    second.fail('it ends before it was embedded anew');
    second.release();
    await other.close();
    const embedder = createFakeEmbedder();
    const store = await openTestStore({ home, embedder, env: { LOCI_VECTORS_EXACT_LIMIT: exactLimit } });
    await expect.poll(() => store.call('memory_health')).toMatchObject({ status: 'ok' });
    expect(embedder.calls).toEqual([]);
    const { results, degraded } = await find(store, 'word7 first life', { mode: 'vector', limit: 1 });
    expect([results[0]?.id, degraded]).toEqual([8, []]);
  });
});

describe('B19 another model, the former one at hand', () => {
  it('after a change of the settings: searches by meaning go on with the old vectors until the new ones are complete', async () => {
    const home = await earlierLife('100000');
    const former = createFakeEmbedder();
    const embedder = heldBack(createFakeEmbedder({ dimensions: 768 }));
    const store = await openTestStore({
      home,
      embedder,
      env: { LOCI_EMBEDDING_PROVIDER: 'ollama' },
      models: ({ provider }) => (provider === 'bundled' ? former : undefined),
    });
    const saved = await store.call<{ id: number }>('memory_save', { content: 'memory word50 of the second life' });
    for (const [text, id] of [
      ['memory word7 of the first life', 8],
      ['memory word50 of the second life', saved.id],
    ] as const) {
      const { results, degraded } = await find(store, text, { mode: 'vector', limit: 1 });
      expect([results[0]?.id, degraded]).toEqual([id, []]);
    }
    expect(await store.call('memory_health')).toMatchObject({
      status: 'ok',
      embedder: { status: 'ok', model: 'fake-384', why: expect.stringMatching(/fake-768.*loci re-embed/) },
    });
    embedder.release();
    await expect
      .poll(async () => (await store.call<{ model: string }>('get_re_embedding')).model, { timeout: 20_000 })
      .toBe('fake-768');
    const { results } = await find(store, 'memory word50 of the second life', { mode: 'vector', limit: 1 });
    expect(results[0]?.id).toBe(saved.id);
  });
});

describe('B19 the same length, another model', () => {
  it('is a mismatch all the same: vectors of the two are never compared', async () => {
    const home = await earlierLife('100000');
    const embedder = heldBack(createFakeEmbedder({ modelId: 'another-384' }));
    const store = await openTestStore({ home, embedder });
    expect(await store.call('memory_health')).toMatchObject({ embedder: { status: 'degraded' } });
    expect(ids(await find(store, 'memory word3 first life', { mode: 'vector' }))).toEqual([]);
    expect(ids(await find(store, 'word3'))).toEqual([4]);
    embedder.release();
    await expect.poll(async () => ids(await find(store, 'memory word3 first life', { mode: 'vector' }))[0]).toBe(4);
  });
});

describe('B19 a model that is away', () => {
  it('saves by keyword and says degraded; once back, all are found by meaning, without a restart of theirs', async () => {
    const home = await earlierLife('100000');
    const embedder = createFakeEmbedder();
    embedder.fail('the model file is missing: run npm run build');
    const store = await openTestStore({ home, embedder });
    expect(await store.call('memory_health')).toMatchObject({ status: 'degraded', embedder: { status: 'down' } });
    const saved = await store.call<{ id: number; warnings: string[] }>('memory_save', {
      content: 'saved meanwhile word50',
    });
    expect(saved.warnings).toEqual(['embedding_pending']);
    const found = await find(store, 'word50');
    expect([ids(found), found.degraded]).toEqual([[saved.id], ['vector']]);
    expect(await store.call('memory_stats')).toMatchObject({ vectors: { rows: 50, pending: 1 } });
    await store.close();

    const again = await openTestStore({ home });
    await expect
      .poll(async () => (await again.call<{ vectors: { pending: number } }>('memory_stats')).vectors.pending)
      .toBe(0);
    expect(ids(await find(again, 'saved meanwhile', { mode: 'vector', limit: 1 }))).toEqual([saved.id]);
    expect(await again.call('memory_health')).toMatchObject({ status: 'ok' });
  });
});

describe('B16 a text for which the model gives zeros', () => {
  it('is marked for another embedding, and gets its vector when a later start gives one', async () => {
    const home = tempFolder();
    const zero = 'strange but valid';
    const embedder = createFakeEmbedder({ zeros: [zero] });
    const store = await openTestStore({ home, embedder });
    const { id } = await store.call<{ id: number }>('memory_save', { content: zero });
    for (let at = 0; at < 5; at += 1)
      await store.call('memory_save', { content: `other note ${at}`, on_duplicate: 'keep' });
    expect(await store.call('memory_stats')).toMatchObject({ vectors: { rows: 5, pending: 1 } });
    // nothing waits for it: it is not embedded again and again
    expect(embedder.calls.filter(({ text }) => text === zero)).toHaveLength(1);
    await store.close();

    const again = await openTestStore({ home });
    await expect
      .poll(async () => (await again.call<{ vectors: { pending: number } }>('memory_stats')).vectors.pending)
      .toBe(0);
    expect(ids(await find(again, zero, { mode: 'vector', limit: 1 }))).toEqual([id]);
  });
});
