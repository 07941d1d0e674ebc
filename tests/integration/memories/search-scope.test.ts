// What a search is asked for bounds what it gives: names are names and not patterns, filters come before the top-k, limits hold.
import { describe, expect, it } from 'vitest';
import { createFakeEmbedder } from '../../support/fake-embedder.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Search = {
  results: { id: number; project: string | null; cross_project?: boolean; score: number }[];
  degraded: string[];
};
type Projects = { projects: { name: string; memory_count: number }[]; total: number };

const save = (store: TestStore, content: string, more: object = {}) =>
  store.call<{ id: number; outcome: string }>('memory_save', { content, on_duplicate: 'keep', ...more });
const search = (store: TestStore, query: string, more: object = {}) =>
  store.call<Search>('memory_search', { query, depth: 1, limit: 50, ...more });
const ids = ({ results }: Search) => results.map(({ id }) => id);

describe('B07 the filter comes before the top-k', () => {
  it.each([
    ['the exact search', '100000'],
    ['LanceDB', '0'],
  ])(
    '2,000 memories near to the query in one project, 5 far from it in another: the 5, by %s',
    async (_name, limit) => {
      const store = await openTestStore({ env: { LOCI_VECTORS_EXACT_LIMIT: limit } });
      const near = Array.from({ length: 2_000 }, (_, at) => ({
        content: `deploy pipeline release ${at}`,
        project: 'crowded',
        on_duplicate: 'keep',
      }));
      for (let first = 0; first < near.length; first += 1_000)
        await store.call('memory_save_many', { memories: near.slice(first, first + 1_000), atomic: true });
      const far: number[] = [];
      for (let at = 0; at < 5; at += 1) far.push((await save(store, `umbrella stand ${at}`, { project: 'quiet' })).id);
      await store.call('run_job', { name: 'reconcile' });
      for (const mode of ['vector', 'hybrid'])
        expect(
          ids(await search(store, 'deploy pipeline release', { mode, project: 'quiet', limit: 5 })).sort(),
          mode,
        ).toEqual(far);
      expect(ids(await search(store, 'umbrella', { mode: 'keyword', project: 'quiet', limit: 5 })).sort()).toEqual(far);
      // the same holds for the other filters
      const rare = await save(store, 'a ladder', { type: 'decision', project: 'crowded' });
      expect(ids(await search(store, 'deploy pipeline release', { mode: 'vector', type: 'decision' }))).toEqual([
        rare.id,
      ]);
      await store.call('memory', { action: 'save', category: 'other', key: 'ladder', value: 'It is red' });
      const { facts } = await store.call<{ facts: { key: string }[] }>('memory', {
        action: 'search',
        query: 'deploy pipeline',
      });
      expect(facts.map(({ key }) => key)).toEqual(['ladder']);
    },
    120_000,
  );
});

describe('B04 limits', () => {
  it('300 memories: never more than was asked for, never more than 50, 15 for facts', async () => {
    const store = await openTestStore();
    const memories = Array.from({ length: 300 }, (_, at) => ({ content: `common note ${at}`, on_duplicate: 'keep' }));
    await store.call('memory_save_many', { memories, atomic: true });
    for (let at = 0; at < 20; at += 1)
      await store.call('memory', { action: 'save', category: 'other', key: `k${at}`, value: `common fact ${at}` });
    for (const mode of ['keyword', 'vector', 'hybrid'])
      for (const limit of [1, 7, 50])
        expect((await search(store, 'common', { mode, limit })).results).toHaveLength(limit);
    for (const limit of [-1, 0, 2.5, 'abc', 51, 1_000_000_000, '', '5.0001', true, {}])
      await expect(search(store, 'common', { limit }), String(limit)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { limit: expect.any(String) },
      });
    expect((await store.call<Search>('memory_search', { query: 'common' })).results).toHaveLength(5);
    expect((await store.call<{ facts: [] }>('memory', { action: 'search', query: 'common' })).facts).toHaveLength(15);
    for (const input of [{ limit: -1 }, { limit: 101 }, { offset: -1 }, { limit: 0 }])
      await expect(store.call('list_projects', input)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

const names = [
  'a_b',
  'axb',
  '100%',
  '1000',
  "it's",
  "x' OR 'q'='q",
  'a"b',
  'a\\b',
  '%',
  '_',
  'q%',
  '; DROP TABLE memories',
  'Straße',
];

describe('B05 and B68 names of projects', () => {
  it('stand for themselves alone: in searches, lists, counts and merges', async () => {
    const store = await openTestStore();
    const idOf = new Map<string, number>();
    for (const name of names) idOf.set(name, (await save(store, `a note of its own`, { project: name })).id);
    for (const name of names) {
      for (const mode of ['keyword', 'vector', 'hybrid'])
        expect(ids(await search(store, 'note', { project: name, mode })), `${mode} ${name}`).toEqual([idOf.get(name)]);
      expect(await store.call('memory_stats', { project: name }), name).toMatchObject({
        memories: { active: 1 },
        by_project: [{ name, memories: 1 }],
      });
      expect(await store.call('memory_sync', { project: name }), name).toMatchObject({
        projects: [{ name, memories: 1 }],
      });
    }
    const listed = async (name: string) =>
      (await store.call<Projects>('list_projects', { name })).projects.map((project) => project.name).sort();
    expect(await listed('a_b')).toEqual(['a_b']);
    expect(await listed('100%')).toEqual(['100%']);
    expect(await listed('_')).toEqual(['_', 'a_b']);
    expect(await listed('%')).toEqual(['%', '100%', 'q%']);
    expect(await listed('a\\b')).toEqual(['a\\b']);
    expect(await listed("'q'='q")).toEqual(["x' OR 'q'='q"]);
    expect((await store.call<Projects>('list_projects', {})).total).toBe(names.length);

    expect(await store.call('merge_projects', { from: 'a_b', into: "it's" })).toMatchObject({ moved: 1 });
    expect(ids(await search(store, 'note', { project: "it's" })).sort()).toEqual([idOf.get('a_b'), idOf.get("it's")]);
    expect(ids(await search(store, 'note', { project: 'axb' }))).toEqual([idOf.get('axb')]);
  });

  it('labels with quotes and wildcards are found by themselves and harm nothing, in LanceDB too', async () => {
    const store = await openTestStore({ env: { LOCI_VECTORS_EXACT_LIMIT: '0' } });
    const labels = ["a'); --", "z' OR 1=1", '%', 'x_y', '"', "';DELETE FROM memories;--"];
    for (const [at, label] of labels.entries())
      await save(store, `tagged thing ${at}`, {
        tags: [label],
        concepts: [label],
        files: [label],
        project: label,
        session: label,
        author: label,
      });
    await store.call('run_job', { name: 'reconcile' });
    for (const [at, label] of labels.entries()) {
      expect(ids(await search(store, 'tagged thing', { project: label })), label).toEqual([at + 1]);
      if (/[\p{L}\p{N}]/u.test(label))
        expect(ids(await search(store, label, { mode: 'keyword' })), label).toContain(at + 1);
      expect(await store.call('memory_get', { id: at + 1 })).toMatchObject({
        tags: [label],
        files: [label],
        author: label,
      });
    }
    await store.call('memory_purge', { id: 1 });
    expect(await store.call('memory_sync')).toMatchObject({ stats: { active: labels.length - 1 } });
    for (const key of ["z' OR 1=1", 'a_%', '%'])
      await expect(store.call('memory', { action: 'forget', key })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('a key is no pattern: forgetting a_b leaves axb', async () => {
    const store = await openTestStore();
    for (const key of ['a_b', 'axb'])
      await store.call('memory', { action: 'save', category: 'other', key, value: `The value of ${key}` });
    await store.call('memory', { action: 'forget', key: 'a_b' });
    const { facts } = await store.call<{ facts: { key: string }[] }>('memory', { action: 'search', query: 'value' });
    expect(facts.map(({ key }) => key)).toEqual(['axb']);
  });
});

describe('B08 a filter is used or refused', () => {
  it('an unknown project gives nothing of any other, with a total that agrees', async () => {
    const store = await openTestStore();
    await save(store, 'a note', { project: 'one' });
    await save(store, 'a note', { project: 'two' });
    for (const depth of [1, 2, 3])
      expect((await search(store, 'note', { project: '999999', depth })).results, `depth ${depth}`).toEqual([]);
    await expect(store.call('memory_stats', { project: '999999' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.call('memory_sync', { project: '999999' })).toMatchObject({ projects: [] });
    expect(await store.call('list_projects', { name: 'nobody' })).toMatchObject({
      projects: [],
      total: 0,
      has_more: false,
    });
  });

  it('a search that finds nothing in a project names those with near names and those that have the words', async () => {
    const store = await openTestStore();
    const hint = async (project: string, query: string) =>
      (await store.call<{ hint?: string }>('memory_search', { query, project, depth: 1, mode: 'keyword' })).hint;
    expect(await hint('shop', 'tea')).toMatch(/no project holds memories/);
    await save(store, 'a note on tea', { project: 'kitchen' });
    await save(store, 'a note on rain', { project: 'storefront' });
    await save(store, 'an old note on tea', { project: 'attic' });
    await store.call('memory_archive', { id: 3 });
    expect(await hint('storefrnt', 'tea')).toMatch(/Near names are "storefront".*found in "kitchen"/);
    expect(await hint('storefront', 'tea')).toMatch(/found in "kitchen"/);
    expect(await hint('storefront', 'tea')).not.toMatch(/attic/);
    expect(await hint('zzz', 'unheard')).toMatch(/Projects with memories are "storefront", "kitchen"/);
    expect(await hint('kitchen', 'tea')).toBeUndefined();
  });

  it('a named project bounds depth 1; deeper, what comes from elsewhere is marked', async () => {
    const store = await openTestStore();
    await save(store, 'a note on tea', { project: 'one' });
    for (let at = 0; at < 5; at += 1) await save(store, 'a note on tea and more tea', { project: 'two' });
    expect((await search(store, 'tea', { project: 'one' })).results.map(({ project }) => project)).toEqual(['one']);
    const { results } = await search(store, 'tea', { project: 'one', depth: 2 });
    for (const { project, cross_project } of results) expect(cross_project === true).toBe(project !== 'one');
  });
});

describe('B16 vectors without a direction', () => {
  it('blank queries are refused, and no score is other than a finite number', async () => {
    const zero = 'strange but valid';
    const store = await openTestStore({ embedder: createFakeEmbedder({ zeros: [zero] }) });
    const { id } = await save(store, zero);
    await save(store, 'another text');
    for (const query of [' ', '', '\n\t', '\u200b\u200b', '\u00ad'])
      await expect(search(store, query), JSON.stringify(query)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { query: expect.any(String) },
      });
    for (const query of ['strange', zero, 'another']) {
      for (const mode of ['keyword', 'vector', 'hybrid']) {
        const { results } = await store.call<Search>('memory_search', { query, mode, depth: 3, explain: true });
        expect(JSON.stringify(results), `${mode} ${query}`).not.toMatch(
          /"(score|similarity|fused|relevance)":null,"(?!keyword)/,
        );
        for (const { score } of results) expect(Number.isFinite(score)).toBe(true);
      }
    }
    // a query that itself has no direction finds by keyword
    expect(ids(await search(store, zero))).toContain(id);
    expect(ids(await search(store, 'text another', { mode: 'vector' }))).not.toContain(id);
  });
});

describe('tags as a filter of lists', () => {
  it('are compared without regard to case in every script', async () => {
    const store = await openTestStore();
    const tags = ['ÜBER', 'ПЛАН', 'plain', 'a%b'];
    for (const [at, tag] of tags.entries()) await save(store, `note ${at}`, { tags: [tag] });
    for (const [at, tag] of ['über', 'план', 'PLAIN', 'A%B'].entries()) {
      const { memories } = await store.call<{ memories: { id: number }[] }>('get_recent_memories', { tags: [tag] });
      expect(
        memories.map(({ id }) => id),
        tag,
      ).toEqual([at + 1]);
    }
    expect(await store.call('get_recent_memories', { tags: ['a_b'] })).toMatchObject({ memories: [], total: 0 });
  });
});
