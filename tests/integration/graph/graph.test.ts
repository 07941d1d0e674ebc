// The graph over a store that has something of every kind.
import { describe, expect, it } from 'vitest';
import { edgeTypes } from '#shared/contract/knowledge/graph.ts';
import { nodeTypes } from '#shared/contract/knowledge/node-types.ts';
import { plantPlot } from '../../support/knowledge-plot.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Graph = {
  nodes: { id: string; type: string; depth?: number; data: Record<string, unknown> }[];
  edges: { id: string; source: string; target: string; type: string }[];
  meta: Record<string, unknown>;
};

const graph = (store: TestStore, input: object = {}) => store.call<Graph>('get_graph', input);
const around = (store: TestStore, node_id: string, more: object = {}) =>
  store.call<Graph>('get_subgraph', { node_id, ...more });
const ids = ({ nodes }: Graph) => nodes.map(({ id }) => id).sort();

describe('the graph', () => {
  it('K170 shows every kind of node and every type of edge', async () => {
    const store = await openTestStore();
    await plantPlot(store);
    const { nodes, edges, meta } = await graph(store);
    expect([...new Set(nodes.map(({ type }) => type))].sort()).toEqual([...nodeTypes].sort());
    expect([...new Set(edges.map(({ type }) => type))].sort()).toEqual([...edgeTypes].sort());
    for (const type of edgeTypes) {
      expect(meta[`${type}_count`], type).toBe(edges.filter((edge) => edge.type === type).length);
    }
    const names = new Set(nodes.map(({ id }) => id));
    expect(edges.filter(({ source, target }) => !names.has(source) || !names.has(target))).toEqual([]);
    expect(new Set(edges.map(({ id }) => id)).size).toBe(edges.length);
    expect(edges.find(({ type }) => type === 'memory_skill')).toMatchObject({ source: 'memory_1', target: 'skill_1' });
  });

  it('K171 leaves out the edges of kinds that are not asked for', async () => {
    const store = await openTestStore();
    await plantPlot(store);
    const { nodes, edges } = await graph(store, { node_types: ['memory', 'skill'] });
    expect(nodes.map(({ type }) => type).sort()).toEqual(['memory', 'memory', 'skill']);
    expect(edges.map(({ type }) => type).sort()).toEqual(['memory_link', 'memory_skill']);
  });

  it.each([
    'memory_1',
    'entity_1',
    'project_1',
    'document_1',
    'code_artifact_1',
    'file_1',
    'skill_1',
    'plan_1',
    'task_1',
  ])('K174 walks from %s to everything around it', async (center) => {
    const store = await openTestStore();
    await plantPlot(store);
    const found = await around(store, center, { depth: 3 });
    expect(found.nodes[0]).toMatchObject({ id: center, depth: 0 });
    const whole = await graph(store);
    // what is nearest to a task is its plan: the farthest things are a step beyond the three of a walk
    const beyond = center === 'task_1' ? ['entity_2', 'memory_2'] : [];
    expect(ids(found)).toEqual(ids(whole).filter((id) => !beyond.includes(id)));
    const shown = ids(found);
    expect(found.edges).toHaveLength(
      whole.edges.filter(({ source, target }) => shown.includes(source) && shown.includes(target)).length,
    );
    expect(found.nodes.filter(({ depth }) => depth === 1).length).toBeGreaterThan(0);
  });

  it('K174 reaches an entity from a project by way of a note, two steps away', async () => {
    const store = await openTestStore();
    const { project } = await store
      .call<{ id: number }>('create_project', { name: 'far', description: 'd' })
      .then(({ id }) => ({ project: id }));
    const note = { title: 'N', content: 'one thing', context: '', keywords: [], tags: [], importance: 5 };
    await store.call('create_memory', { ...note, project_ids: [project] });
    await store.call('create_entity', { name: 'E', entity_type: 'Team' });
    await store.call('link_entity_to_memory', { entity_id: 1, memory_id: 1 });
    const { nodes } = await around(store, `project_${project}`);
    expect(nodes.map(({ id, depth }) => [id, depth])).toEqual([
      [`project_${project}`, 0],
      ['memory_1', 1],
      ['entity_1', 2],
    ]);
    expect((await around(store, `project_${project}`, { depth: 1 })).nodes).toHaveLength(2);
  });

  it('K176 a walk goes through the kinds that are asked for alone', async () => {
    const store = await openTestStore();
    await plantPlot(store);
    const found = await around(store, 'memory_1', { depth: 3, node_types: ['memory', 'entity'] });
    expect(ids(found)).toEqual(['entity_1', 'entity_2', 'memory_1', 'memory_2']);
    expect(found.meta).toMatchObject({ node_types: ['memory', 'entity'], project_count: 0 });
  });

  it('K176 a kind that a setting turned off is refused by name and left out elsewhere', async () => {
    const store = await openTestStore({ env: { LOCI_CATEGORIES_SKILLS: 'false', LOCI_CATEGORIES_FILES: 'false' } });
    await plantPlot(store);
    await expect(graph(store, { node_types: ['skill'] })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/categories\.skills/),
    });
    await expect(around(store, 'memory_1', { node_types: ['file'] })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(around(store, 'skill_1')).rejects.toMatchObject({ code: 'not_found' });
    expect(ids(await graph(store)).some((id) => id.startsWith('skill') || id.startsWith('file'))).toBe(false);
    const { results } = await store.call<{ results: { kind: string }[] }>('search_everything', {
      query: 'reset cache',
    });
    expect(results.map(({ kind }) => kind)).not.toContain('skill');
  });

  it('K177 the greatest number of nodes is a setting, and what was left out is told', async () => {
    const store = await openTestStore({ env: { LOCI_GRAPH_MAX_NODES: '3' } });
    await plantPlot(store);
    await expect(graph(store, { limit: 4 })).rejects.toMatchObject({ details: { limit: expect.stringMatching(/3/) } });
    await expect(around(store, 'memory_1', { max_nodes: 4 })).rejects.toMatchObject({ code: 'invalid_input' });
    const all = await graph(store);
    expect(all.nodes).toHaveLength(3);
    expect(all.meta.truncated).toBe(true);
    const near = await around(store, 'memory_1');
    expect(near.nodes).toHaveLength(3);
    expect(near.meta).toMatchObject({ truncated: true, max_nodes: 3 });
  });

  it('shows what belongs to one project alone', async () => {
    const store = await openTestStore();
    await plantPlot(store);
    expect(ids(await graph(store, { project_id: 1 }))).toEqual([
      'code_artifact_1',
      'document_1',
      'entity_1',
      'file_1',
      'memory_1',
      'plan_1',
      'project_1',
      'skill_1',
      'task_1',
    ]);
    await expect(graph(store, { project_id: 9 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('K178 hides obsolete and expired notes, except as the centre of a walk', async () => {
    const store = await openTestStore();
    await plantPlot(store);
    await store.call('mark_memory_obsolete', { memory_id: 2, reason: 'gone' });
    expect(ids(await graph(store))).not.toContain('memory_2');
    expect((await graph(store)).meta).toMatchObject({ total_memory_count: 1, memory_link_count: 0 });
    expect(ids(await around(store, 'memory_1', { depth: 3 }))).not.toContain('memory_2');
    expect(ids(await around(store, 'memory_2', { depth: 1 }))).toEqual(['memory_1', 'memory_2']);
    const { id } = await store.call<{ id: number }>('memory_save', {
      content: 'short of breath',
      expires_days: 1,
    });
    await store.call('link_memories', { memory_id: 1, related_ids: [id] });
    expect(ids(await around(store, 'memory_1', { depth: 1 }))).toContain(`memory_${id}`);
    store.clock.advance(2 * 24 * 60 * 60 * 1000);
    expect(ids(await around(store, 'memory_1', { depth: 1 }))).not.toContain(`memory_${id}`);
    expect((await graph(store)).meta).toMatchObject({ total_memory_count: 1, memory_count: 1 });
  });

  it('a caller sees the kinds that the scopes cover, and no other', async () => {
    const store = await openTestStore();
    await plantPlot(store);
    const scopes = { scopes: ['read:memories', 'read:entities'] };
    const seen = await store.call<Graph>('get_graph', {}, scopes);
    expect(ids(seen)).toEqual(['entity_1', 'entity_2', 'memory_1', 'memory_2']);
    await expect(store.call('get_graph', { node_types: ['skill'] }, scopes)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(store.call('get_subgraph', { node_id: 'skill_1' }, scopes)).rejects.toMatchObject({
      code: 'not_found',
    });
    const { results } = await store.call<{ results: { kind: string }[] }>(
      'search_everything',
      { query: 'cache' },
      scopes,
    );
    expect([...new Set(results.map(({ kind }) => kind))].sort()).toEqual(['entity', 'memory']);
  });
});
