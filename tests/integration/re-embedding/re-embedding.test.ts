// Another model for everything that is stored: searches never stop, nothing is mixed, nothing is lost, and what fails changes nothing.
import { describe, expect, it } from 'vitest';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { LociError } from '#shared/errors.ts';
import { createFakeEmbedder, type FakeEmbedder } from '../../support/fake-embedder.ts';
import { allTables, changeHome, queryHome } from '../../support/open-store-file.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Search = { results: { id: number }[]; degraded: string[] };
type Status = {
  state: string;
  model: string;
  next_model: string | null;
  things: number;
  done: number;
  why: string | null;
};
type Plan = {
  plan: { passages: number; dimensions: number; seconds: number; bytes: number; free_bytes: number } | null;
};

/** A model of the test's own that can be held up, and lets the test act when it embeds for the nth time. */
type SlowModel = FakeEmbedder & {
  gate: Promise<void> | null;
  seen: number;
  onText: ((n: number) => Promise<void>) | null;
};

function slowModel(options: { dimensions?: number; modelId: string }): SlowModel {
  const inner = createFakeEmbedder(options);
  const model: SlowModel = {
    ...inner,
    gate: null,
    seen: 0,
    onText: null,
    async embed(texts, how) {
      for (const _ of texts) {
        model.seen += 1;
        await model.onText?.(model.seen);
      }
      await model.gate;
      how.signal?.throwIfAborted();
      return inner.embed(texts, how);
    },
  };
  return model;
}

const another = (dimensions: number) => slowModel({ dimensions, modelId: `another-${dimensions}` });
const byName =
  (...models: Embedder[]) =>
  ({ model }: { model: string | null }) =>
    models.find(({ modelId }) => modelId === model);
const save = async (store: TestStore, content: string) =>
  (await store.call<{ id: number }>('memory_save', { content, on_duplicate: 'keep' })).id;
const fill = (store: TestStore, count: number) =>
  store.call('memory_save_many', {
    memories: Array.from({ length: count }, (_, at) => ({
      content: `memory word${at} of the first life`,
      on_duplicate: 'keep',
    })),
  });
const find = async (store: TestStore, query: string) =>
  store.call<Search>('memory_search', { query, mode: 'vector', depth: 1, limit: 5 });
const status = (store: TestStore) => store.call<Status>('get_re_embedding');
const start = (store: TestStore, model: string, more: object = {}) =>
  store.call<Status & Plan>('re_embed', { provider: 'huggingface', model, ...more });
const until = (store: TestStore, state: string) =>
  expect.poll(async () => (await status(store)).state, { timeout: 80_000, interval: 10 }).toBe(state);
const vectorsOf = (store: TestStore) =>
  queryHome(
    store.home,
    'SELECT model_id, length(blob) / 4 AS n, count(*) AS rows FROM vectors GROUP BY 1, 2 ORDER BY 1',
  );

describe.each([
  ['another length, exact search', 768, '100000'],
  ['the same length, exact search', 384, '100000'],
  ['another length, LanceDB', 768, '0'],
  ['the same length, LanceDB', 384, '0'],
])('another model of %s', (_name, dimensions, exactLimit) => {
  it('takes over when every thing has its vector, what was saved, changed and erased meanwhile included', async () => {
    const next = another(dimensions);
    const store = await openTestStore({ models: byName(next), env: { LOCI_VECTORS_EXACT_LIMIT: exactLimit } });
    await fill(store, 60);
    const texts = queryHome(store.home, 'SELECT id, content, updated_at FROM memories');
    let saved = 0;
    next.onText = async (n) => {
      if (n !== 30) return;
      next.onText = null;
      // in the middle of it: the old vectors serve, and everything goes on
      expect(await status(store)).toMatchObject({
        state: 'running',
        model: 'fake-384',
        next_model: `another-${dimensions}`,
      });
      expect((await find(store, 'memory word7 of the first life')).results[0]?.id).toBe(8);
      expect((await find(store, 'memory word7 of the first life')).degraded).toEqual([]);
      saved = await save(store, 'saved meanwhile word900');
      await store.call('memory_update', { id: 2, content: 'reworded meanwhile word901' });
      await store.call('memory_archive', { id: 3 });
      await store.call('memory_purge', { id: 4 });
      expect((await find(store, 'saved meanwhile word900')).results[0]?.id).toBe(saved);
    };
    await start(store, `another-${dimensions}`);
    await until(store, 'done');
    expect(await status(store)).toMatchObject({
      model: `another-${dimensions}`,
      next_model: null,
      things: 60,
      done: 60,
    });
    expect((await find(store, 'saved meanwhile word900')).results[0]?.id).toBe(saved);
    expect((await find(store, 'reworded meanwhile word901')).results[0]?.id).toBe(2);
    for (const at of [10, 33, 59])
      expect((await find(store, `memory word${at} of the first life`)).results[0]?.id).toBe(at + 1);
    expect((await find(store, 'memory word3 of the first life')).results.map(({ id }) => id)).not.toContain(4);
    expect(await store.call('memory_health')).toMatchObject({
      status: 'ok',
      embedder: { model: `another-${dimensions}` },
    });
    expect(await store.call('memory_stats')).toMatchObject({
      vectors: { rows: 60, pending: 0, model: `another-${dimensions}` },
    });
    // the old set stays until the next run; nothing else of the store has changed
    expect(vectorsOf(store)).toEqual([
      { model_id: `another-${dimensions}`, n: dimensions, rows: 60 },
      { model_id: 'fake-384', n: 384, rows: 60 },
    ]);
    const after = queryHome(store.home, 'SELECT id, content, updated_at FROM memories');
    for (const row of texts.filter(({ id }) => ![2, 3, 4].includes(Number(id)))) expect(after).toContainEqual(row);
    await store.call('run_job', { name: 'reconcile' });
    await store.call('run_job', { name: 'optimise' });
    expect((await find(store, 'memory word20 of the first life')).results[0]?.id).toBe(21);
  });
});

describe('a model chosen by hand', () => {
  it('is used by the next start, until the settings say something else; what a change of settings chose too', async () => {
    const next = another(768);
    const models = byName(next);
    const store = await openTestStore({ models });
    await fill(store, 5);
    await start(store, 'another-768');
    await until(store, 'done');
    await store.close();
    const again = await openTestStore({ home: store.home, models });
    expect(await status(again)).toMatchObject({ state: 'done', model: 'another-768' });
    expect((await find(again, 'memory word2 of the first life')).results[0]?.id).toBe(3);
    await again.close();

    const third = createFakeEmbedder({ modelId: 'third' });
    const env = { LOCI_EMBEDDING_PROVIDER: 'ollama' };
    const settings = await openTestStore({ home: store.home, models, embedder: third, env });
    await until(settings, 'done');
    expect(await status(settings)).toMatchObject({ model: 'third', things: 5 });
    expect((await find(settings, 'memory word2 of the first life')).results[0]?.id).toBe(3);
    // the third set replaced the second, and the first is gone
    expect(vectorsOf(settings).map(({ model_id }) => model_id)).toEqual(['another-768', 'third']);
  });

  it('that was used before costs nothing: the vectors that are still right are taken as they are', async () => {
    const next = another(768);
    const first = createFakeEmbedder();
    const store = await openTestStore({ models: (choice) => byName(next)(choice) ?? undefined, embedder: first });
    await fill(store, 10);
    await start(store, 'another-768');
    await until(store, 'done');
    await store.call('memory_update', { id: 3, content: 'reworded since' });
    first.calls.length = 0;
    await store.call('re_embed', { provider: 'bundled' });
    await until(store, 'done');
    expect(await status(store)).toMatchObject({ model: 'fake-384' });
    const stored = first.calls.filter(({ lane, text }) => lane === 'bulk' && text.includes('reworded'));
    expect(stored.length).toBeGreaterThan(0);
    // the check samples some; nobody embedded all ten
    expect(new Set(first.calls.filter(({ text }) => text.includes('reworded')).map(({ text }) => text)).size).toBe(1);
    expect((await find(store, 'reworded since')).results[0]?.id).toBe(3);
  });

  it('is refused where it cannot be used, and nothing is begun', async () => {
    const next = another(768);
    next.warm = async () => {
      throw new LociError('unavailable', 'the server does not answer');
    };
    const store = await openTestStore({ models: byName(next) });
    await fill(store, 3);
    await expect(start(store, 'another-768')).rejects.toMatchObject({
      code: 'conflict',
      message: /does not answer/,
    });
    const planned = store.call('re_embed', { provider: 'huggingface', model: 'another-768', dry_run: true });
    await expect(planned).rejects.toMatchObject({ code: 'conflict', message: /does not answer/ });
    expect(await status(store)).toMatchObject({ state: 'done', model: 'fake-384', next_model: null });
    await expect(store.call('re_embed', { provider: 'huggingface' })).rejects.toMatchObject({ code: 'invalid_input' });
    for (const model of ['a b', '../x', 'one/two/three', 'ü\u{261CB}', '-x', 'https://evil.example/m']) {
      const named = store.call('re_embed', { provider: 'huggingface', model, dry_run: true });
      await expect(named, model).rejects.toMatchObject({
        code: 'invalid_input',
        details: { model: expect.any(String) },
      });
    }
  });
});

describe('a dry run', () => {
  it('says how long it takes and how much disk, and leaves not a byte behind', async () => {
    const next = another(768);
    const store = await openTestStore({ models: byName(next) });
    await fill(store, 20);
    await store.call('run_job', { name: 'reconcile' });
    const before = allTables(store.home);
    const answer = await start(store, 'another-768', { dry_run: true });
    expect(answer).toMatchObject({
      state: 'done',
      model: 'fake-384',
      next_model: 'another-768',
      things: 20,
      plan: { passages: 20, dimensions: 768, seconds: expect.any(Number), bytes: expect.any(Number) },
    });
    expect(answer.plan?.bytes).toBeGreaterThan(20 * 768 * 4);
    expect(answer.plan?.free_bytes).toBeGreaterThan(0);
    expect(allTables(store.home)).toEqual(before);
  });

  it('of an empty store takes nothing, and embedding an empty store is done at once', async () => {
    const store = await openTestStore({ models: byName(another(768)) });
    expect((await start(store, 'another-768', { dry_run: true })).plan).toMatchObject({
      passages: 0,
      seconds: 0,
      bytes: 0,
    });
    await start(store, 'another-768');
    await until(store, 'done');
    expect(await status(store)).toMatchObject({ model: 'another-768', things: 0 });
    const id = await save(store, 'the first memory word1');
    expect((await find(store, 'the first memory word1')).results[0]?.id).toBe(id);
  });
});

describe('interrupted', () => {
  it('goes on where it was at the next start, and embeds nothing twice', async () => {
    const first = another(768);
    const store = await openTestStore({ models: byName(first) });
    await fill(store, 50);
    const reached = new Promise<void>((resolve) => {
      first.onText = async (n) => {
        if (n === 25) {
          first.gate = new Promise(() => undefined);
          resolve();
        }
      };
    });
    await start(store, 'another-768', { batch_size: 5 });
    await reached;
    // killed: no orderly end gives it time to store what is under way
    const done = Number(queryHome(store.home, 'SELECT count(*) AS n FROM reembedded')[0]?.n);
    expect(done).toBeGreaterThanOrEqual(20);
    first.gate = null;
    const closing = store.close();
    first.fail('gone');
    await closing;

    const second = another(768);
    const again = await openTestStore({ home: store.home, models: byName(second) });
    await until(again, 'done');
    expect(await status(again)).toMatchObject({ model: 'another-768', done: 50 });
    // what was left, and the few that the check embeds once more
    expect(second.seen).toBeLessThanOrEqual(50 - done + 10);
    expect((await find(again, 'memory word5 of the first life')).results[0]?.id).toBe(6);
  });

  it('waits for a model that is away, says so, and goes on when it is back', async () => {
    const next = another(768);
    const store = await openTestStore({ models: byName(next), env: {} });
    await fill(store, 30);
    next.onText = async (n) => {
      if (n === 22) next.fail('the server has gone away');
    };
    await start(store, 'another-768', { batch_size: 4 });
    await until(store, 'waiting');
    expect(await status(store)).toMatchObject({ model: 'fake-384', why: 'the server has gone away' });
    expect(await store.call('memory_health')).toMatchObject({
      embedder: { status: 'ok', why: /another-768.*gone away/ },
    });
    expect((await find(store, 'memory word5 of the first life')).results[0]?.id).toBe(6);
    next.fail(null);
    next.onText = null;
    // asked for again it does not wait for its turn
    await start(store, 'another-768');
    await until(store, 'done');
    expect(await status(store)).toMatchObject({ model: 'another-768', done: 30 });
  });
});

describe('a set of vectors that is not good', () => {
  it('K199 is not used: a model that gives another vector for the same text is found out, and the old one serves on', async () => {
    const next = another(768);
    const other = createFakeEmbedder({ dimensions: 768, modelId: 'x' });
    const honest = next.embed.bind(next);
    let embedded = 0;
    next.embed = async (texts, how) => {
      embedded += texts.length;
      if (embedded <= 21) return honest(texts, how);
      // after the trial and the stored texts come those of the check: now it answers for other texts
      return other.embed(
        texts.map((text) => `${text} and something else entirely`),
        how,
      );
    };
    const store = await openTestStore({ models: byName(next) });
    await fill(store, 20);
    await start(store, 'another-768');
    await until(store, 'failed');
    expect(await status(store)).toMatchObject({ model: 'fake-384', next_model: 'another-768', why: /another vector/ });
    expect(await store.call('memory_health')).toMatchObject({ status: 'degraded', embedder: { why: /loci re-embed/ } });
    expect((await find(store, 'memory word5 of the first life')).results[0]?.id).toBe(6);
    expect(vectorsOf(store)).toEqual([{ model_id: 'fake-384', n: 384, rows: 20 }]);
    // and once it is honest again, it is done from the start
    next.embed = honest;
    await start(store, 'another-768');
    await until(store, 'done');
    expect(await status(store)).toMatchObject({ model: 'another-768' });
  });
});

describe('the present model', () => {
  it('B16 asked for again embeds what has no vector: zeros are tried, lost vectors and damaged ones made anew', async () => {
    const zero = 'strange but valid';
    const zeros = [zero];
    const embedder = createFakeEmbedder({ zeros });
    const store = await openTestStore({ embedder });
    await fill(store, 5);
    const id = await save(store, zero);
    expect(await store.call('memory_stats')).toMatchObject({ vectors: { rows: 5, pending: 1 } });
    zeros.length = 0;
    changeHome(store.home, 'DELETE FROM vectors WHERE thing_id = 2');
    changeHome(store.home, 'UPDATE vectors SET blob = ? WHERE thing_id = 3', Buffer.alloc(12));
    await store.call('re_embed', {});
    await until(store, 'done');
    expect(vectorsOf(store)).toEqual([{ model_id: 'fake-384', n: 384, rows: 6 }]);
    expect((await find(store, zero)).results[0]?.id).toBe(id);
    expect(await status(store)).toMatchObject({ state: 'done', things: 6, done: 6 });
  });
});

it('K199 a backup made before holds the old model, and brought back it is searched with that', async () => {
  const next = another(768);
  const first = createFakeEmbedder();
  const models = ({ provider, model }: { provider: string; model: string | null }) =>
    provider === 'bundled' ? first : byName(next)({ model });
  const store = await openTestStore({ models, embedder: first });
  await fill(store, 8);
  const { name } = await store.call<{ name: string }>('create_backup');
  await start(store, 'another-768');
  await until(store, 'done');
  await store.call('restore_backup', { name });
  expect(await status(store)).toMatchObject({ state: 'done', model: 'fake-384' });
  expect((await find(store, 'memory word5 of the first life')).results[0]?.id).toBe(6);
});

it('documents, skills and entities move along with the memories, passage by passage', async () => {
  const next = another(768);
  const store = await openTestStore({ models: byName(next) });
  const content = Array.from(
    { length: 40 },
    (_, at) => `# Part ${at}\n\n${`sentence${at} of the handbook `.repeat(60)}`,
  ).join('\n\n');
  await store.call('create_document', { title: 'Handbook', description: 'how we work', content });
  await store.call('create_entity', { name: 'Storefront', entity_type: 'Team', notes: 'sells things' });
  await fill(store, 3);
  await expect.poll(async () => (await status(store)).state, { timeout: 20_000 }).toBe('done');
  const search = () =>
    store.call<{ results: { kind: string; id: number; passage?: unknown }[] }>('search_everything', {
      query: 'sentence23 handbook',
    });
  const before = await search();
  await start(store, 'another-768', { batch_size: 7 });
  await until(store, 'done');
  expect(await status(store)).toMatchObject({ model: 'another-768', things: 5, done: 5 });
  const [old, fresh] = ['fake-384', 'another-768'].map((model) =>
    queryHome(
      store.home,
      'SELECT kind, thing_id, passage, rev FROM vectors WHERE model_id = ? ORDER BY 1, 2, 3',
      model,
    ),
  );
  expect(fresh).toEqual(old);
  expect((await search()).results[0]).toMatchObject({ kind: before.results[0]?.kind, id: before.results[0]?.id });
});
