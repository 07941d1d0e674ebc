// Search through the whole store: real index, reader thread and vectors, with a deterministic embedder.
import { describe, expect, it } from 'vitest';
import { createFakeEmbedder } from '../../support/fake-embedder.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Result = { id: number; score: number; explain?: Record<string, unknown> };
type Search = { results: Result[]; degraded: string[] };

const save = async (store: TestStore, content: string, more: object = {}) =>
  (await store.call<{ id: number }>('memory_save', { content, on_duplicate: 'keep', ...more })).id;
const search = (store: TestStore, query: string, more: object = {}) =>
  store.call<Search>('memory_search', { query, depth: 1, limit: 50, ...more });
const first = async (store: TestStore, query: string, more: object = {}) =>
  (await search(store, query, more)).results[0]?.id;

describe('query text is text', () => {
  it('B01 finds `what\'s "foo AND (bar` among others, by keyword and in hybrid', async () => {
    const store = await openTestStore();
    for (let index = 0; index < 20; index += 1) await save(store, `note ${index} about foo and the bar it stands in`);
    const wanted = await save(store, 'what\'s "foo AND (bar');
    expect(await first(store, 'what\'s "foo AND (bar', { mode: 'keyword' })).toBe(wanted);
    expect(await first(store, 'what\'s "foo AND (bar')).toBe(wanted);
  });

  it('B02 finds names with punctuation, each its own, by keyword and in hybrid', async () => {
    const store = await openTestStore();
    const names = ['2024-11-05', 'std::vector', 'multi-step', 'src/a.b.ts', 'C++', '#42', 'dev@host.test'];
    const ids = new Map<string, number>();
    for (const name of names) ids.set(name, await save(store, `we wrote ${name} down`));
    for (const name of names) {
      expect(await first(store, name, { mode: 'keyword' }), name).toBe(ids.get(name));
      expect(await first(store, name), name).toBe(ids.get(name));
    }
  });

  it('B03 finds nothing, in every mode, for a query without a letter or digit', async () => {
    const store = await openTestStore();
    await save(store, 'something');
    for (const query of ['"', '***', '()', '-', '🚀'])
      for (const mode of ['keyword', 'vector', 'hybrid'])
        expect(await search(store, query, { mode })).toMatchObject({ results: [], degraded: [] });
  });

  it('B06 finds short words of Chinese, Japanese and Korean without a model, and says that it had none', async () => {
    const store = await openTestStore();
    const texts: Record<string, string> = {
      再起動: '今日はビルド機を再起動した',
      并行: '部署脚本改用并行模式',
      배포: '오늘 배포를 되돌렸다',
      gen7: '再gen7後',
    };
    const ids = new Map<string, number>();
    for (const [word, text] of Object.entries(texts)) ids.set(word, await save(store, text));
    store.embedder.fail('no model here');
    for (const word of Object.keys(texts)) {
      expect(await first(store, word, { mode: 'keyword' }), word).toBe(ids.get(word));
      const { results, degraded } = await search(store, word);
      expect(results[0]?.id, word).toBe(ids.get(word));
      expect(degraded).toEqual(['vector']);
    }
  });
});

describe('both kinds of evidence', () => {
  it('finds by meaning what shares no word with the query, and by keyword what means something else', async () => {
    const embedder = createFakeEmbedder({ synonyms: [['car', 'automobile']] });
    const store = await openTestStore({ embedder });
    const meant = await save(store, 'automobile');
    const other = await save(store, 'an umbrella');
    expect(await first(store, 'car', { mode: 'vector' })).toBe(meant);
    expect((await search(store, 'car', { mode: 'keyword' })).results).toEqual([]);
    expect(await first(store, 'umbrella', { mode: 'keyword' })).toBe(other);
  });

  it('finds names and dates that are not in the text', async () => {
    const store = await openTestStore();
    await save(store, 'we agreed on it', { author: 'Grace', occurred_at: '2026-01-03T12:00:00' });
    const wanted = await save(store, 'we agreed on it too', { author: 'Ada', occurred_at: '2025-11-30T12:00:00' });
    for (const query of ['Ada', '30 November 2025', '2025-11-30', 'November'])
      expect(await first(store, query, { mode: 'keyword' }), query).toBe(wanted);
  });

  it('finds a memory by the title that it was given', async () => {
    const store = await openTestStore();
    const plain = await save(store, 'kettle. And a long story about many other things that happened that day.');
    const titled = await save(store, 'A long story about many other things.', { title: 'kettle' });
    expect((await search(store, 'kettle', { mode: 'keyword' })).results.map(({ id }) => id).sort()).toEqual([
      plain,
      titled,
    ]);
  });

  it('gives the same answer again, and says what each part of a score was', async () => {
    const store = await openTestStore();
    for (let index = 0; index < 60; index += 1) await save(store, `release ${index % 7} of the kettle ${index % 5}`);
    const once = await search(store, 'which kettle release', { explain: true });
    const again = await search(store, 'which kettle release', { explain: true });
    expect(again.results).toEqual(once.results);
    expect(once.results[0]?.explain).toMatchObject({ method: 'fitted', words: ['kettle', 'release'] });
    for (const { score, explain } of once.results) {
      expect(score).toBeGreaterThan(0);
      expect(Number.isFinite(explain?.relevance)).toBe(true);
    }
  });

  it('finds the answer to a question by the turn that asked it', async () => {
    const store = await openTestStore();
    const talk = (sequence: number, author: string, content: string) =>
      save(store, content, { session: 'talk', sequence, author, project: 'talks' });
    for (let turn = 0; turn < 60; turn += 1) await talk(turn, turn % 2 === 0 ? 'Ada' : 'Grace', `chatter ${turn}`);
    await talk(60, 'Grace', 'Which instrument did you buy in Lisbon?');
    const answer = await talk(61, 'Ada', 'A violin!');
    const { results } = await search(store, 'Which instrument did Ada buy in Lisbon', { project: 'talks', limit: 3 });
    expect(results.map(({ id }) => id)).toContain(answer);
  });
});
