// The graph on every surface. K-numbers are the lines of the parity list.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const has = (fields: object) => ({ output: expect.objectContaining(fields) });
const some = (fields: object) => expect.objectContaining(fields);
const meta = (fields: object) => has({ meta: expect.objectContaining(fields) });
const note = (title: string, importance: number, more: object = {}) => ({
  operation: 'create_memory',
  input: { title, content: `${title} alone`, context: '', keywords: [], tags: [], importance, ...more },
  gives: has({ title }),
});
const entity = (name: string) => ({
  operation: 'create_entity',
  input: { name, entity_type: 'Team' },
  gives: has({ name }),
});
const nodes = (...ids: string[]) => ids.map((id) => some({ id }));
const refused = (operation: string, input: Record<string, unknown>, field: string) => ({
  operation,
  input,
  gives: { refused: 'invalid_input' as const, field },
});

const cases: SurfaceCase[] = [
  {
    name: 'K167 an empty graph, one with notes, and entities on and off',
    steps: [
      { operation: 'get_graph', input: {}, gives: has({ nodes: [], edges: [] }) },
      note('Apple', 5),
      entity('Platform'),
      {
        operation: 'get_graph',
        input: {},
        gives: has({
          nodes: [
            {
              id: 'memory_1',
              type: 'memory',
              label: 'Apple',
              data: { id: 1, title: 'Apple', importance: 5, tags: [], created_at: expect.any(String) },
            },
            some({ id: 'entity_1', type: 'entity', label: 'Platform' }),
          ],
        }),
      },
      { operation: 'get_graph', input: { include_entities: false }, gives: has({ nodes: nodes('memory_1') }) },
      { operation: 'get_graph', input: { node_types: ['entity'] }, gives: has({ nodes: nodes('entity_1') }) },
    ],
  },
  {
    name: 'K168 K169 notes come a page at a time, sorted by time or importance; bad values are refused',
    steps: [
      note('Apple', 3),
      note('Brick', 9),
      note('Cloud', 6),
      {
        operation: 'get_graph',
        input: { limit: 2 },
        gives: has({
          nodes: nodes('memory_3', 'memory_2'),
          meta: some({ memory_count: 2, total_memory_count: 3, limit: 2, offset: 0, has_more: true }),
        }),
      },
      {
        operation: 'get_graph',
        input: { limit: 2, offset: 2 },
        gives: has({ nodes: nodes('memory_1'), meta: some({ has_more: false }) }),
      },
      {
        operation: 'get_graph',
        input: { offset: 10 },
        gives: has({ nodes: [], meta: some({ has_more: false, total_memory_count: 3 }) }),
      },
      {
        operation: 'get_graph',
        input: { sort_by: 'importance', sort_order: 'desc' },
        gives: has({ nodes: nodes('memory_2', 'memory_3', 'memory_1') }),
      },
      {
        operation: 'get_graph',
        input: { sort_by: 'importance', sort_order: 'asc' },
        gives: has({ nodes: nodes('memory_1', 'memory_3', 'memory_2') }),
      },
      {
        operation: 'get_graph',
        input: { sort_order: 'asc' },
        gives: has({ nodes: nodes('memory_1', 'memory_2', 'memory_3') }),
      },
      refused('get_graph', { sort_by: 'size' }, 'sort_by'),
      refused('get_graph', { sort_order: 'up' }, 'sort_order'),
      refused('get_graph', { limit: -1 }, 'limit'),
      refused('get_graph', { limit: 2_001 }, 'limit'),
      refused('get_graph', { offset: -1 }, 'offset'),
      refused('get_graph', { node_types: ['memory', 'ghost'] }, 'node_types.1'),
    ],
  },
  {
    name: 'K171 K172 K173 edges stand between nodes that are shown, two relationships of a pair are one edge, and all are counted',
    steps: [
      note('Apple', 5),
      note('Brick', 5),
      entity('A'),
      entity('B'),
      { operation: 'link_memories', input: { memory_id: 1, related_ids: [2] }, gives: has({ linked_ids: [2] }) },
      { operation: 'link_entity_to_memory', input: { entity_id: 1, memory_id: 1 }, gives: has({ success: true }) },
      ...[
        [1, 2, 'owns'],
        [2, 1, 'owned_by'],
      ].map(([from_entity_id, to_entity_id, relationship_type]) => ({
        operation: 'create_entity_relationship',
        input: { from_entity_id, to_entity_id, relationship_type },
        gives: has({ relationship_type }),
      })),
      {
        operation: 'get_graph',
        input: {},
        gives: has({
          edges: [
            { id: 'memory_1_memory_2', source: 'memory_1', target: 'memory_2', type: 'memory_link' },
            { id: 'entity_1_memory_1', source: 'entity_1', target: 'memory_1', type: 'entity_memory' },
            {
              id: 'entity_1_entity_2',
              source: 'entity_1',
              target: 'entity_2',
              type: 'entity_relationship',
              data: some({
                relationship_type: 'owns',
                strength: 1,
                relationships: [some({ relationship_type: 'owns' }), some({ relationship_type: 'owned_by' })],
              }),
            },
          ],
          meta: some({
            memory_count: 2,
            entity_count: 2,
            project_count: 0,
            edge_count: 3,
            memory_link_count: 1,
            entity_memory_count: 1,
            entity_relationship_count: 1,
            skill_project_count: 0,
          }),
        }),
      },
      {
        operation: 'get_graph',
        input: { limit: 1, node_types: ['memory'] },
        gives: has({ nodes: nodes('memory_2'), edges: [] }),
      },
      {
        operation: 'get_memory_graph',
        input: { id: 2, depth: 2 },
        gives: has({
          center_memory_id: 2,
          nodes: [
            some({ id: 'memory_2', level: 0 }),
            some({ id: 'memory_1', level: 1 }),
            some({ id: 'entity_1', level: 2 }),
          ],
          meta: some({ depth: 2, memory_count: 2, entity_count: 1, edge_count: 2 }),
        }),
      },
      { operation: 'get_memory_graph', input: { id: 9 }, gives: { refused: 'not_found' } },
      refused('get_memory_graph', { id: 1, depth: 4 }, 'depth'),
    ],
  },
  {
    name: 'K175 K177 K178 a walk has its distances, ends in a cycle, stops at its bounds and says so; bad nodes are refused',
    steps: [
      note('Apple', 5),
      note('Brick', 5),
      note('Cloud', 5),
      ...[
        [1, 2],
        [2, 3],
        [3, 1],
      ].map(([memory_id, other]) => ({
        operation: 'link_memories',
        input: { memory_id, related_ids: [other] },
        gives: has({ linked_ids: [other] }),
      })),
      {
        operation: 'get_subgraph',
        input: { node_id: 'memory_1', depth: 3 },
        gives: has({
          nodes: [
            some({ id: 'memory_1', depth: 0 }),
            some({ id: 'memory_2', depth: 1 }),
            some({ id: 'memory_3', depth: 1 }),
          ],
          meta: some({
            center_node_id: 'memory_1',
            depth: 3,
            max_nodes: 200,
            memory_link_count: 3,
            node_count: 3,
            truncated: false,
          }),
        }),
      },
      {
        operation: 'get_subgraph',
        input: { node_id: 'memory_1', max_nodes: 2 },
        gives: has({ nodes: nodes('memory_1', 'memory_2'), meta: some({ truncated: true, max_nodes: 2 }) }),
      },
      refused('get_subgraph', { node_id: 'memory_1', depth: 0 }, 'depth'),
      refused('get_subgraph', { node_id: 'memory_1', depth: 4 }, 'depth'),
      refused('get_subgraph', { node_id: 'memory_1', max_nodes: 0 }, 'max_nodes'),
      refused('get_subgraph', { node_id: 'memory_1', max_nodes: 2_001 }, 'max_nodes'),
      refused('get_subgraph', {}, 'node_id'),
      ...['memory', 'ghost_1', 'memory_x', 'memory_0', '1', 'memory_1; DROP TABLE memories'].map((node_id) =>
        refused('get_subgraph', { node_id }, 'node_id'),
      ),
      { operation: 'get_subgraph', input: { node_id: 'memory_99' }, gives: { refused: 'not_found' } },
      { operation: 'get_subgraph', input: { node_id: 'entity_1' }, gives: { refused: 'not_found' } },
      {
        operation: 'get_subgraph',
        input: { node_id: 'memory_1', node_types: ['entity'] },
        gives: meta({ node_count: 1 }),
      },
    ],
  },
  {
    name: 'one search finds notes, entities, documents, code and skills, and shows the headings above a passage',
    steps: [
      { operation: 'create_project', input: { name: 'shop', description: 'a shop' }, gives: has({ id: 1 }) },
      note('Kafka retention', 5),
      {
        operation: 'create_entity',
        input: { name: 'Kafka cluster', entity_type: 'System', notes: 'keeps events', project_ids: [1] },
        gives: has({ id: 1 }),
      },
      {
        operation: 'create_document',
        input: { title: 'Handbook', content: '# Operations\n\n## Kafka\n\nRetention is set to seven days.\n' },
        gives: has({ id: 1 }),
      },
      {
        operation: 'create_code_artifact',
        input: { title: 'Kafka consumer', description: 'reads kafka', code: 'consume()', language: 'python' },
        gives: has({ id: 1 }),
      },
      {
        operation: 'create_skill',
        input: { name: 'kafka-reset', description: 'Reset a kafka offset', content: 'Stop the consumer.' },
        gives: has({ id: 1 }),
      },
      {
        operation: 'search_everything',
        input: { query: 'kafka' },
        gives: has({
          results: expect.arrayContaining([
            some({ kind: 'memory', id: 1, title: 'Kafka retention' }),
            some({ kind: 'entity', id: 1, title: 'Kafka cluster', summary: 'keeps events', project_ids: [1] }),
            some({ kind: 'document', id: 1, title: 'Handbook' }),
            some({ kind: 'code_artifact', id: 1, title: 'Kafka consumer' }),
            some({ kind: 'skill', id: 1, title: 'kafka-reset', summary: 'Reset a kafka offset' }),
          ]),
          total_count: 5,
        }),
      },
      {
        operation: 'search_everything',
        input: { query: 'kafka', kinds: ['skill', 'entity'] },
        gives: has({ total_count: 2 }),
      },
      {
        operation: 'search_everything',
        input: { query: 'kafka', project_ids: [1] },
        gives: has({ results: [some({ kind: 'entity' })] }),
      },
      { operation: 'search_everything', input: { query: 'kafka', limit: 1 }, gives: has({ total_count: 1 }) },
      { operation: 'search_everything', input: { query: '***' }, gives: has({ results: [], total_count: 0 }) },
      refused('search_everything', { query: ' ' }, 'query'),
      refused('search_everything', { query: 'a', kinds: ['file'] }, 'kinds.0'),
      refused('search_everything', { query: 'a', limit: 0 }, 'limit'),
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
