// What is archived, obsolete, expired or erased is hidden in every view alike, and comes back in every view alike.

import { describe, expect, it } from 'vitest';
import { dayMs } from '../../support/fake-clock.ts';
import { changeHome, queryHome } from '../../support/open-store-file.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Saved = { id: number; outcome: string; merged_into?: number; warnings: string[] };
type Queried = { primary_memories: { id: number }[]; linked_memories: { memory: { id: number } }[] };
type Search = { results: { id: number; updated_at: string }[]; related: { id: number }[]; hint?: string };

const save = (store: TestStore, content: string, more: object = {}) =>
  store.call<Saved>('memory_save', { content, ...more });
const ids = (found: readonly { id: number }[]) => found.map(({ id }) => id);

/** Everything that shows memories by default, as ids. */
async function views(store: TestStore, query: string, neighbour: number): Promise<Record<string, number[]>> {
  const views: Record<string, number[]> = {};
  for (const mode of ['keyword', 'vector', 'hybrid'])
    views[mode] = ids((await store.call<Search>('memory_search', { query, mode, depth: 1 })).results);
  const deep = await store.call<Search>('memory_search', { query: 'neighbour of the lighthouse', depth: 3, limit: 1 });
  views.related = ids(deep.related);
  views.links = (await store.call<{ links: number[] }>('memory_get', { id: neighbour })).links;
  const recent = await store.call<{ memories: { id: number }[] }>('get_recent_memories', { limit: 50 });
  views.recent = ids(recent.memories);
  const linked = await store.call<{ linked_memories: { id: number }[] }>('get_memory_links', { memory_id: neighbour });
  views['linked notes'] = ids(linked.linked_memories);
  const note = await store.call<{ linked_memory_ids: number[] }>('get_memory', { memory_id: neighbour });
  views['links of the note'] = note.linked_memory_ids;
  const queried = await store.call<Queried>('query_memory', { query, query_context: 'a test', k: 20 });
  views.queried = ids(queried.primary_memories);
  const alone = await store.call<Queried>('query_memory', {
    query: 'neighbour harbour',
    query_context: 'a test',
    k: 1,
  });
  views['queried links'] = [...alone.primary_memories, ...alone.linked_memories.map(({ memory }) => memory)].map(
    ({ id }) => id,
  );
  const inProject = await store.call<Search>('memory_search', { query, project: 'coast', depth: 1 });
  views.project = ids(inProject.results);
  const graph = await store.call<{ nodes: { id: string }[] }>('get_graph', { node_types: ['memory'] });
  views.graph = graph.nodes.map(({ id }) => Number(/\d+$/.exec(id)?.[0]));
  views.entity = ids(
    (await store.call<{ memories: { id: number }[] }>('get_entity_memories', { entity_id: 1 })).memories,
  );
  const recap = await store.call<{ memories: { id: number }[] }>('memory_recap', { project: 'coast', forgotten: true });
  views['start of a session'] = ids(recap.memories);
  return views;
}

async function coast(store: TestStore): Promise<{ hidden: number; neighbour: number }> {
  const hidden = await save(store, 'The lighthouse blinks twice', { project: 'coast' });
  const neighbour = await save(store, 'A neighbour of the lighthouse is the harbour', { project: 'coast' });
  const link = 'INSERT INTO memory_links(user_id, source_id, target_id, created_at) VALUES (1, ?, ?, 1)';
  changeHome(store.home, link, hidden.id, neighbour.id);
  await store.call('create_entity', { name: 'The coast guard', entity_type: 'Organization' });
  for (const memory_id of [hidden.id, neighbour.id])
    await store.call('link_entity_to_memory', { entity_id: 1, memory_id });
  return { hidden: hidden.id, neighbour: neighbour.id };
}

const counts = async (store: TestStore) => {
  const { projects } = await store.call<{ projects: { memories: number }[] }>('memory_sync');
  const listed = await store.call<{ projects: { memory_count: number }[] }>('list_projects');
  const stats = await store.call<{ by_project: { memories: number }[] }>('memory_stats');
  return [projects[0]?.memories, listed.projects[0]?.memory_count, stats.by_project[0]?.memories];
};

describe('B22 a hidden memory', () => {
  it.each([
    ['archived', (store: TestStore, id: number) => store.call('memory_archive', { id })],
    ['obsolete', (store: TestStore, id: number) => store.call('memory_update', { id, status: 'obsolete' })],
  ])('%s: in no view by default, in search with the flag, in every view again when restored', async (status, hide) => {
    const store = await openTestStore();
    const { hidden, neighbour } = await coast(store);
    const before = await views(store, 'lighthouse blinks twice', neighbour);
    for (const [view, shown] of Object.entries(before)) expect(shown, view).toContain(hidden);
    expect(await counts(store)).toEqual([2, 2, 2]);

    await hide(store, hidden);
    for (const [view, shown] of Object.entries(await views(store, 'lighthouse blinks twice', neighbour)))
      expect(shown, view).not.toContain(hidden);
    expect(await counts(store)).toEqual([1, 1, 1]);
    const flagged = { query: 'lighthouse blinks twice', include_archived: true };
    for (const mode of ['keyword', 'vector', 'hybrid'])
      expect(ids((await store.call<Search>('memory_search', { ...flagged, mode })).results), mode).toContain(hidden);
    expect(await store.call('memory_get', { id: hidden })).toMatchObject({ status });

    await store.call('memory_update', { id: hidden, status: 'active' });
    expect(await views(store, 'lighthouse blinks twice', neighbour)).toEqual(before);
    expect(await counts(store)).toEqual([2, 2, 2]);
  });

  it('past its expiry, before any clean-up: hidden as well', async () => {
    const store = await openTestStore();
    const { hidden, neighbour } = await coast(store);
    await store.call('memory_update', { id: hidden, expires_days: 1 });
    store.clock.advance(dayMs + 1);
    const shown = await views(store, 'lighthouse blinks twice', neighbour);
    for (const [view, found] of Object.entries(shown)) expect(found, view).not.toContain(hidden);
    expect(await store.call('get_recent_memories', {})).toMatchObject({ total: 1, has_more: false });
    expect(await store.call('get_recent_memories', { include_obsolete: true })).toMatchObject({ total: 2 });
    const flagged = await store.call<Search>('memory_search', {
      query: 'lighthouse blinks twice',
      include_archived: true,
    });
    expect(ids(flagged.results)).toContain(hidden);
  });

  it('a fact past its expiry, archived or obsolete is in no answer of the memory tool', async () => {
    const store = await openTestStore();
    const fact = (key: string, more: object = {}) =>
      store.call<{ id: number }>('memory', {
        action: 'save',
        category: 'other',
        key,
        value: `The ${key} of tea`,
        ...more,
      });
    const live = await fact('cup');
    const gone = [await fact('pot', { expires_days: 1 }), await fact('leaf'), await fact('kettle')];
    await store.call('memory_archive', { id: gone[1]?.id });
    await store.call('memory_update', { id: gone[2]?.id, status: 'obsolete' });
    store.clock.advance(2 * dayMs);
    const { facts } = await store.call<{ facts: { key: string }[] }>('memory', { action: 'search', query: 'tea' });
    expect(facts.map(({ key }) => key)).toEqual(['cup']);
    expect(await store.call('memory', { action: 'list' })).toMatchObject({
      categories: [{ category: 'other', facts: 1 }],
    });
    expect(live.id).toBe(1);
  });
});

describe('saying again what is hidden', () => {
  it('exactly the same text as one past its expiry is a new memory that is found', async () => {
    const store = await openTestStore();
    const first = await save(store, 'The demo server is up this week', { expires_days: 1 });
    store.clock.advance(2 * dayMs);
    const second = await save(store, 'The demo server is up this week');
    expect(second.outcome).toBe('created');
    expect(second.id).not.toBe(first.id);
    expect(ids((await store.call<Search>('memory_search', { query: 'demo server' })).results)).toEqual([second.id]);
  });

  it('a near-duplicate of one past its expiry is not merged into it', async () => {
    const store = await openTestStore();
    const text = 'the demo server of the sales team is up for the whole week and is reset by the operators every night';
    await save(store, text, { expires_days: 1 });
    store.clock.advance(2 * dayMs);
    const second = await save(store, text.replace('whole ', ''));
    expect(second.outcome).toBe('created');
    expect(ids((await store.call<Search>('memory_search', { query: 'demo server' })).results)).toEqual([second.id]);
  });

  it('a fact whose key was archived is a new one, and bringing the old one back beside it is a conflict', async () => {
    const store = await openTestStore();
    const fact = { action: 'save', category: 'technical', key: 'ci_host', value: 'The runner is in the cellar' };
    const first = await store.call<{ id: number }>('memory', fact);
    await store.call('memory_archive', { id: first.id });
    const second = await store.call<{ id: number; created: boolean }>('memory', { ...fact, value: 'It is upstairs' });
    expect(second).toMatchObject({ created: true });
    expect(second.id).not.toBe(first.id);
    await expect(store.call('memory_update', { id: first.id, status: 'active' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await store.call('memory_get', { id: first.id })).toMatchObject({ status: 'archived' });
    expect(queryHome(store.home, "SELECT id FROM memories WHERE key = 'ci_host' AND status = 'active'")).toEqual([
      { id: second.id },
    ]);
  });

  it('B10 create, mark obsolete, create the identical memory: one live row, found by both indexes', async () => {
    const store = await openTestStore();
    const first = await save(store, 'The runner is 192.0.2.10');
    await store.call('memory_update', { id: first.id, status: 'obsolete' });
    const second = await save(store, 'The runner is 192.0.2.10');
    expect(second.outcome).toBe('created');
    for (const mode of ['keyword', 'vector'])
      expect(ids((await store.call<Search>('memory_search', { query: 'runner 192.0.2.10', mode })).results)).toEqual([
        second.id,
      ]);
    expect(await store.call('memory_sync')).toMatchObject({ stats: { active: 1, obsolete: 1 } });
  });
});

describe('what is named to a save that says it again', () => {
  it('is the very same text, long or short, with the model or without', async () => {
    const store = await openTestStore();
    const long = `${'a long text of many words and passages '.repeat(100)} end`;
    for (const content of [long, 'a short one']) {
      const first = await save(store, content);
      await store.call('memory_archive', { id: first.id });
      const again = await store.call<{ obsolete_matches?: { id: number }[] }>('memory_save', { content });
      expect(again.obsolete_matches?.map(({ id }) => id)).toEqual([first.id]);
    }
    const gone = await save(store, 'said while the model was away');
    await store.call('memory_archive', { id: gone.id });
    store.embedder.fail('away');
    expect(await save(store, 'said while the model was away')).toMatchObject({
      outcome: 'created',
      obsolete_matches: [{ id: gone.id, similarity: 1 }],
    });
  });
});

describe('superseding', () => {
  it('is done also when the new statement is stored already', async () => {
    const store = await openTestStore();
    const old = await save(store, 'Sessions live in Redis');
    const known = await save(store, 'Sessions live in Postgres');
    const again = await save(store, 'Sessions live in Postgres', { supersedes: [old.id] });
    expect(again).toMatchObject({ id: known.id, supersedes: [old.id] });
    expect(await store.call('memory_get', { id: old.id })).toMatchObject({
      status: 'obsolete',
      superseded_by: known.id,
    });
  });

  it('is done by a batch, atomic or not, and an unknown id refuses the atomic one whole', async () => {
    for (const atomic of [false, true]) {
      const store = await openTestStore();
      const old = await save(store, 'Sessions live in Redis');
      const { results } = await store.call<{ results: Saved[] }>('memory_save_many', {
        memories: [{ content: 'Sessions live in Postgres', supersedes: [old.id] }],
        atomic,
      });
      expect(await store.call('memory_get', { id: old.id }), `atomic ${atomic}`).toMatchObject({
        status: 'obsolete',
        superseded_by: results[0]?.id,
      });
    }
    const store = await openTestStore();
    const memories = [{ content: 'one of two' }, { content: 'Sessions live nowhere', supersedes: [999] }];
    await expect(store.call('memory_save_many', { memories, atomic: true })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await store.call('memory_sync')).toMatchObject({ stats: { active: 0 } });
  });
});

describe('an atomic batch', () => {
  it('follows the same rules of duplicates as single saves', async () => {
    const store = await openTestStore();
    const first = await save(store, 'Auth is Clerk');
    const many = (memories: object[]) =>
      store.call<{ results: Saved[] }>('memory_save_many', { memories, atomic: true });
    const { results } = await many([{ content: 'Auth is Clerk' }, { content: 'Two twins' }, { content: 'Two twins' }]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['unchanged', 'created', 'unchanged']);
    expect(results[0]?.id).toBe(first.id);
    expect(results[2]?.id).toBe(results[1]?.id);
    await expect(
      many([{ content: 'Not stored' }, { content: 'Auth is Clerk', on_duplicate: 'reject' }]),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect((await many([{ content: 'Auth is Clerk', on_duplicate: 'keep' }])).results[0]).toMatchObject({
      outcome: 'created',
    });
    expect(await store.call('memory_sync')).toMatchObject({ stats: { active: 3 } });
  });

  it('merges a near-duplicate as a single save does', async () => {
    const store = await openTestStore();
    const text =
      'we deploy every service through the argo pipeline after each merge to the main branch of the repository';
    const first = await save(store, text);
    const { results } = await store.call<{ results: Saved[] }>('memory_save_many', {
      memories: [{ content: text.replace('after ', ''), tags: ['x'] }, { content: 'something else' }],
      atomic: true,
    });
    expect(results[0]).toMatchObject({ outcome: 'merged', id: first.id });
    expect(await store.call('memory_get', { id: first.id })).toMatchObject({ content: text, tags: ['x'] });
  });
});

describe('reverting', () => {
  it('beside an archiving never brings the memory back', async () => {
    const store = await openTestStore();
    const { id } = await save(store, 'First wording');
    await store.call('memory_update', { id, content: 'Second wording' });
    await Promise.all([store.call('memory_archive', { id }), store.call('memory_revert', { id, to: 1 })]);
    expect(await store.call('memory_get', { id })).toMatchObject({ status: 'archived', content: 'First wording' });
  });
});
