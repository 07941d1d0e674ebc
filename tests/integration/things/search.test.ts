// Documents and code artifacts are found by their words and their meaning, passage by passage, and stay found whatever happens to them.
import { describe, expect, it } from 'vitest';
import { createFakeEmbedder, type FakeEmbedder } from '../../support/fake-embedder.ts';
import { queryHome } from '../../support/open-store-file.ts';
import { searchHome } from '../../support/search-home.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Made = { id: number };

const kinds = ['document', 'code_artifact'];
const manual = [
  'How the shop works.',
  '# Orders',
  'Each order is kept for ten years.',
  '```sh',
  '# not a heading',
  '```',
  '## Shipping ##',
  'A courier fetches the parcels at noon.',
  '# Events',
  '## Kafka',
  '### Retention',
  'The cluster forgets after seven days.',
].join('\n');

/** Waits until the background has embedded everything. */
const embedded = (store: TestStore) =>
  expect
    .poll(() => queryHome(store.home, 'SELECT id FROM searchables WHERE embedded = 0 AND passages > 0'), {
      timeout: 10_000,
    })
    .toEqual([]);

const places = (store: TestStore) =>
  queryHome<{ passage: number; start_at: number; end_at: number; headings: string }>(
    store.home,
    'SELECT passage, start_at, end_at, headings FROM document_passages ORDER BY document_id, passage',
  );

describe('a document', () => {
  it('is found by its words and by its meaning in the very next search, beside artifacts and notes', async () => {
    const store = await openTestStore({ embedder: createFakeEmbedder({ synonyms: [['courier', 'messenger']] }) });
    await store.call('create_document', { title: 'Manual', content: 'A courier fetches the parcels at noon' });
    await store.call('create_code_artifact', { title: 'Parcels', language: 'sql', code: 'select * from parcels' });
    await store.call('create_memory', { title: 'Parcels', content: 'parcels are weighed twice' });
    const { find } = await searchHome(store);
    const found = await find('parcels', {});
    expect(found.map(({ kind }) => kind).sort()).toEqual(['code_artifact', 'document', 'memory']);
    const [first] = await find('messenger', { kinds }, 'vector');
    expect(first).toMatchObject({ kind: 'document', id: 1 });
    expect(await find('courier', { kinds: ['code_artifact'] }, 'keyword')).toEqual([]);
  });

  it('knows the headings above each of its passages, and a comment in code is none', async () => {
    const store = await openTestStore();
    await store.call('create_document', { title: 'Shop', content: manual, tags: ['manual'] });
    await embedded(store);
    const kept = places(store);
    expect(kept.map(({ headings }) => JSON.parse(headings))).toEqual([
      [],
      ['Orders'],
      ['Orders', 'Shipping'],
      ['Events', 'Kafka', 'Retention'],
    ]);
    expect(kept.map(({ start_at, end_at }) => manual.slice(start_at, end_at).trim().split('\n')[0])).toEqual([
      'How the shop works.',
      'Each order is kept for ten years.',
      'A courier fetches the parcels at noon.',
      'The cluster forgets after seven days.',
    ]);
    const { nearest } = await searchHome(store);
    // neither word stands in the passage itself
    const [hit] = await nearest('kafka retention', { kinds });
    expect(hit).toMatchObject({ kind: 'document', id: 1, passage: 3 });
  });

  it('of a hundred passages is embedded in the background, and what a stop interrupted goes on where it was', async () => {
    const embedder = createFakeEmbedder();
    const content = Array.from({ length: 250 }, (_, at) => `# Part ${at}\nword${at} stands here`).join('\n');
    const store = await openTestStore({ embedder: failingAfter(embedder, 160) });
    await store.call('create_document', { title: 'Long', content });
    await expect.poll(() => embedder.state().status, { timeout: 10_000 }).toBe('down');
    await store.close();
    // the first with the save, then a whole hundred
    expect(vectorsOf(store)).toBe(100);
    embedder.fail(null);
    embedder.calls.length = 0;
    const again = await openTestStore({ home: store.home, clock: store.clock, embedder });
    await embedded(again);
    expect(vectorsOf(again)).toBe(251);
    expect(embedder.calls.length).toBe(251 - 99);
    const { nearest } = await searchHome(again);
    expect((await nearest('word249', { kinds }))[0]).toMatchObject({ passage: 250 });
  });

  it('that is saved while the model is away is found by keyword at once, and by meaning later', async () => {
    const embedder = createFakeEmbedder();
    embedder.fail('the model is away');
    const store = await openTestStore({ embedder });
    await store.call('create_document', { title: 'Shop', content: manual });
    const { find } = await searchHome(store);
    expect(await find('courier', { kinds }, 'keyword')).toMatchObject([{ id: 1 }]);
    embedder.fail(null);
    await store.close();
    const again = await openTestStore({ home: store.home, clock: store.clock, embedder });
    await embedded(again);
    expect(await (await searchHome(again)).find('courier parcels', { kinds }, 'vector')).toMatchObject([{ id: 1 }]);
  });

  it('is found by what it says now and no longer by what it said', async () => {
    const store = await openTestStore();
    await store.call('create_document', { title: 'Shop', content: manual });
    await embedded(store);
    const asked = store.embedder.calls.length;
    await store.call('update_document', { id: 1, source_repo: 'o/r', filename: null });
    expect(store.embedder.calls.length).toBe(asked);
    await store.call('update_document', { id: 1, content: 'Umbrellas are sold in autumn' });
    await embedded(store);
    const { find, nearest } = await searchHome(store);
    expect(await find('courier', { kinds }, 'keyword')).toEqual([]);
    expect(await find('umbrellas', { kinds })).toMatchObject([{ id: 1 }]);
    expect((await nearest('umbrellas', { kinds }))[0]).toMatchObject({ passage: 0 });
    expect(places(store)).toHaveLength(1);
    expect(vectorsOf(store)).toBe(1);
  });
});

describe('the project of a thing', () => {
  it('filters before anything else, and follows when it is changed, merged or deleted', async () => {
    const store = await openTestStore();
    for (const name of ['Shop', 'Bank']) await store.call('create_project', { name });
    await store.call<Made>('create_document', { title: 'Manual', content: 'parcels at noon', project_id: 1 });
    await store.call<Made>('create_code_artifact', { title: 'P', language: 'sql', code: 'parcels', project_id: 1 });
    const ids = async (projectIds: number[]) =>
      (await (await searchHome(store)).find('parcels', { kinds, projectIds })).map(({ kind }) => kind).sort();
    expect(await ids([1])).toEqual(['code_artifact', 'document']);
    expect(await ids([2])).toEqual([]);
    await store.call('update_document', { id: 1, project_id: 2 });
    expect(await ids([2])).toEqual(['document']);
    await store.call('merge_projects', { from: 'Shop', into: 'Bank' });
    expect(await ids([2])).toEqual(['code_artifact', 'document']);
    expect(await store.call('get_code_artifact', { id: 1 })).toMatchObject({ project_id: 2 });
    await store.call('delete_project', { id: 2 });
    expect(await ids([2])).toEqual([]);
    expect(await ids([])).toEqual(['code_artifact', 'document']);
    expect(await store.call('get_document', { id: 1 })).toMatchObject({ project_id: null });
  });
});

/** The model goes away after so many texts. */
function failingAfter(embedder: FakeEmbedder, texts: number): FakeEmbedder {
  return {
    ...embedder,
    async embed(given, options) {
      if (embedder.calls.length >= texts) embedder.fail('the model is away');
      return embedder.embed(given, options);
    },
  };
}

function vectorsOf(store: TestStore): number {
  return queryHome(store.home, "SELECT passage FROM vectors WHERE kind = 'document'").length;
}
