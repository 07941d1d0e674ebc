// Entities and their relationships on every surface. K-numbers are the lines of the parity list.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const has = (fields: object) => ({ output: expect.objectContaining(fields) });
const some = (fields: object) => expect.objectContaining(fields);
const make = (name: string, type: string, more: object = {}) => ({
  operation: 'create_entity',
  input: { name, entity_type: type, ...more },
});
const project = (name: string) => ({
  operation: 'create_project',
  input: { name, description: `about ${name}`, project_type: 'development' },
  gives: has({ name }),
});
const note = (title: string, content: string) => ({
  operation: 'create_memory',
  input: { title, content, context: '', keywords: [], tags: [], importance: 7 },
  gives: has({ title }),
});
const relate = (from: number, to: number, type: string, more: object = {}) => ({
  operation: 'create_entity_relationship',
  input: { from_entity_id: from, to_entity_id: to, relationship_type: type, ...more },
});

const cases: SurfaceCase[] = [
  {
    name: 'K122 an entity is stored whole, its type in any case, under both names of each field',
    steps: [
      {
        ...make('Sarah Chen', 'individual', {
          notes: 'Backend engineer',
          tags: ['backend'],
          aka: ['Sarah', 'S.C.'],
          metadata: { since: 2024 },
          source_repo: 'o/r',
        }),
        gives: has({
          id: 1,
          entity_id: 1,
          name: 'Sarah Chen',
          entity_type: 'Individual',
          custom_type: null,
          notes: 'Backend engineer',
          description: 'Backend engineer',
          tags: ['backend'],
          aka: ['Sarah', 'S.C.'],
          metadata: { since: 2024 },
          project_ids: [],
          project_id: null,
          source_repo: 'o/r',
          confidence: null,
        }),
      },
      { operation: 'get_entity', input: { entity_id: 1 }, gives: has({ name: 'Sarah Chen' }) },
      { operation: 'get_entity', input: { id: 9 }, gives: { refused: 'not_found' } },
      { ...make('X', 'Robot'), gives: { refused: 'invalid_input', field: 'entity_type' } },
      { ...make('  ', 'Team'), gives: { refused: 'invalid_input', field: 'name' } },
      {
        ...make('X', 'Team', { notes: 'a', description: 'b' }),
        gives: { refused: 'invalid_input', field: 'description' },
      },
    ],
  },
  {
    name: 'K123 a type of your own needs Other, and Other needs one',
    steps: [
      { ...make('X', 'Other'), gives: { refused: 'invalid_input', field: 'custom_type' } },
      { ...make('X', 'Other', { custom_type: 'Spaceship' }), gives: has({ custom_type: 'Spaceship' }) },
      { ...make('Y', 'Team', { custom_type: 'Spaceship' }), gives: has({ custom_type: null }) },
      { operation: 'update_entity', input: { id: 1, entity_type: 'SYSTEM' }, gives: has({ custom_type: null }) },
      {
        operation: 'update_entity',
        input: { id: 1, entity_type: 'Other' },
        gives: { refused: 'invalid_input', field: 'custom_type' },
      },
    ],
  },
  {
    name: 'K124 K125 entities are listed by type, tag and project, a page at a time',
    steps: [
      project('shop'),
      { ...make('A', 'Team', { tags: ['Red'], project_ids: [1] }), gives: has({ project_ids: [1], project_id: 1 }) },
      { ...make('B', 'Device', { tags: ['blue'] }), gives: has({ id: 2 }) },
      { ...make('C', 'Team', { tags: ['red', 'blue'] }), gives: has({ id: 3 }) },
      {
        operation: 'list_entities',
        input: {},
        gives: has({ entities: [3, 2, 1].map((id) => some({ id })), total: 3, total_count: 3, limit: 20, offset: 0 }),
      },
      { operation: 'list_entities', input: { entity_type: 'team' }, gives: has({ total: 2 }) },
      { operation: 'list_entities', input: { tags: ['RED'] }, gives: has({ total: 2 }) },
      { operation: 'list_entities', input: { tags: ['red', 'blue'] }, gives: has({ total: 3 }) },
      {
        operation: 'list_entities',
        input: { project_ids: [1] },
        gives: has({ entities: [some({ id: 1 })], total: 1 }),
      },
      { operation: 'list_entities', input: { project_id: 9 }, gives: has({ entities: [], total: 0 }) },
      {
        operation: 'list_entities',
        input: { limit: 2, offset: 2 },
        gives: has({ entities: [some({ id: 1 })], total: 3, has_more: false }),
      },
      { operation: 'list_entities', input: { limit: 1 }, gives: has({ has_more: true }) },
      { operation: 'list_entities', input: { limit: 0 }, gives: { refused: 'invalid_input', field: 'limit' } },
      { operation: 'list_entities', input: { limit: 101 }, gives: { refused: 'invalid_input', field: 'limit' } },
      { operation: 'list_entities', input: { offset: -1 }, gives: { refused: 'invalid_input', field: 'offset' } },
      {
        ...make('D', 'Team', { project_ids: [1, 99] }),
        gives: { refused: 'not_found', says: /Projects not found: 99/ },
      },
      { operation: 'list_entities', input: {}, gives: has({ total: 3 }) },
    ],
  },
  {
    name: 'K126 K128 an update changes what is given: other names and projects are replaced whole and cleared by []',
    steps: [
      project('shop'),
      project('bank'),
      {
        ...make('TechFlow', 'Organization', { aka: ['TFS'], project_ids: [1, 2] }),
        gives: has({ project_ids: [1, 2] }),
      },
      {
        operation: 'update_entity',
        input: { entity_id: 1, aka: ['Tech', 'Flow'], notes: 'makes tools' },
        gives: has({ aka: ['Tech', 'Flow'], notes: 'makes tools', project_ids: [1, 2], name: 'TechFlow' }),
      },
      { operation: 'update_entity', input: { id: 1, aka: [] }, gives: has({ aka: [], notes: 'makes tools' }) },
      { operation: 'update_entity', input: { id: 1, project_ids: [2] }, gives: has({ project_ids: [2] }) },
      { operation: 'update_entity', input: { id: 1, notes: '' }, gives: has({ notes: null, project_ids: [2] }) },
      { operation: 'update_entity', input: { id: 1, project_ids: [] }, gives: has({ project_ids: [] }) },
      { operation: 'update_entity', input: { id: 1, project_ids: [9] }, gives: { refused: 'not_found' } },
      { operation: 'update_entity', input: { id: 9, name: 'X' }, gives: { refused: 'not_found' } },
      { operation: 'update_entity', input: { id: 1, name: ' ' }, gives: { refused: 'invalid_input', field: 'name' } },
    ],
  },
  {
    name: 'K127 B05 a search finds a part of a name or another name, literally, in any case, the whole name first, and counts',
    steps: [
      { ...make('TechFlow Systems', 'Organization', { aka: ['TFS'], tags: ['saas'] }), gives: has({ id: 1 }) },
      { ...make('a_b', 'Team'), gives: has({ id: 2 }) },
      { ...make('axb', 'Team'), gives: has({ id: 3 }) },
      { ...make('100%', 'System'), gives: has({ id: 4 }) },
      { ...make('1000', 'System'), gives: has({ id: 5 }) },
      { ...make('Flow', 'Team', { aka: ['ÄRGER'] }), gives: has({ id: 6 }) },
      {
        operation: 'search_entities',
        input: { query: 'flow' },
        gives: has({ entities: [some({ id: 6 }), some({ id: 1 })], total_count: 2, search_query: 'flow' }),
      },
      { operation: 'search_entities', input: { query: 'tfs' }, gives: has({ entities: [some({ id: 1 })] }) },
      { operation: 'search_entities', input: { query: 'ärger' }, gives: has({ entities: [some({ id: 6 })] }) },
      { operation: 'search_entities', input: { query: 'a_b' }, gives: has({ entities: [some({ id: 2 })], total: 1 }) },
      { operation: 'search_entities', input: { query: '100%' }, gives: has({ entities: [some({ id: 4 })], total: 1 }) },
      { operation: 'search_entities', input: { query: '%' }, gives: has({ entities: [], total: 0 }) },
      { operation: 'search_entities', input: { query: 'nobody' }, gives: has({ entities: [], total: 0 }) },
    ],
  },
  {
    name: 'K127 a search is filtered by type and tag, is limited, and refuses what it cannot look for',
    steps: [
      { ...make('TechFlow Systems', 'Organization', { aka: ['TFS'], tags: ['saas'] }), gives: has({ id: 1 }) },
      { ...make('Flow', 'Team'), gives: has({ id: 2 }) },
      {
        operation: 'search_entities',
        input: { query: 'flow', entity_type: 'team', tags: ['x'] },
        gives: has({ total: 0, filters: { entity_type: 'Team', tags: ['x'] } }),
      },
      { operation: 'search_entities', input: { query: 'flow', tags: ['SaaS'] }, gives: has({ total: 1 }) },
      { operation: 'search_entities', input: { query: 'f', limit: 1 }, gives: has({ total: 2, has_more: true }) },
      { operation: 'search_entities', input: { query: ' ' }, gives: { refused: 'invalid_input', field: 'query' } },
      {
        operation: 'search_entities',
        input: { query: 'a', limit: 0 },
        gives: { refused: 'invalid_input', field: 'limit' },
      },
    ],
  },
  {
    name: 'K129 K131 K132 an entity is linked to notes and found from both ends; linking twice changes nothing',
    steps: [
      { ...make('B', 'Team'), gives: has({ id: 1 }) },
      { ...make('A', 'Device'), gives: has({ id: 2 }) },
      note('First', 'alpha one'),
      note('Second', 'beta two'),
      {
        operation: 'get_entity_memories',
        input: { entity_id: 1 },
        gives: { output: { entity_id: 1, memory_ids: [], count: 0, memories: [] } },
      },
      {
        operation: 'get_memory_entities',
        input: { memory_id: 1 },
        gives: { output: { memory_id: 1, entity_ids: [], count: 0, entities: [] } },
      },
      ...[
        [2, 1],
        [1, 1],
        [1, 2],
        [1, 2],
      ].map(([entity_id, memory_id]) => ({
        operation: 'link_entity_to_memory',
        input: { entity_id, memory_id },
        gives: { output: { success: true, entity_id, memory_id } },
      })),
      {
        operation: 'get_entity_memories',
        input: { entity_id: 1 },
        gives: has({
          memory_ids: [1, 2],
          count: 2,
          memories: [
            { id: 1, title: 'First' },
            { id: 2, title: 'Second' },
          ],
        }),
      },
      {
        operation: 'get_memory_entities',
        input: { memory_id: 1 },
        gives: has({
          entity_ids: [1, 2],
          count: 2,
          entities: [
            { id: 1, name: 'B', entity_type: 'Team' },
            { id: 2, name: 'A', entity_type: 'Device' },
          ],
        }),
      },
      {
        operation: 'memory_get',
        input: { id: 1 },
        gives: has({
          entities: [
            { id: 1, name: 'B' },
            { id: 2, name: 'A' },
          ],
        }),
      },
      {
        operation: 'unlink_entity_from_memory',
        input: { entity_id: 1, memory_id: 1 },
        gives: { output: { success: true, entity_id: 1, memory_id: 1 } },
      },
      {
        operation: 'unlink_entity_from_memory',
        input: { entity_id: 1, memory_id: 1 },
        gives: { output: { success: false, entity_id: 1, memory_id: 1 } },
      },
      { operation: 'get_entity_memories', input: { entity_id: 1 }, gives: has({ memory_ids: [2] }) },
      { operation: 'get_entity_memories', input: { entity_id: 9 }, gives: { refused: 'not_found' } },
      { operation: 'get_memory_entities', input: { memory_id: 9 }, gives: { refused: 'not_found' } },
      { operation: 'link_entity_to_memory', input: { entity_id: 1, memory_id: 9 }, gives: { refused: 'not_found' } },
      { operation: 'link_entity_to_memory', input: { entity_id: 9, memory_id: 1 }, gives: { refused: 'not_found' } },
    ],
  },
  {
    name: 'K130 an entity joins and leaves projects, and is linked to files',
    steps: [
      project('shop'),
      { ...make('A', 'Team'), gives: has({ id: 1 }) },
      {
        operation: 'create_file',
        input: { filename: 'a.txt', description: 'a text', data: 'aGVsbG8=', mime_type: 'text/plain' },
        gives: has({ id: 1 }),
      },
      {
        operation: 'link_entity_to_project',
        input: { entity_id: 1, project_id: 1 },
        gives: { output: { success: true, entity_id: 1, project_id: 1 } },
      },
      { operation: 'get_entity', input: { id: 1 }, gives: has({ project_ids: [1] }) },
      { operation: 'link_entity_to_project', input: { entity_id: 1, project_id: 9 }, gives: { refused: 'not_found' } },
      {
        operation: 'unlink_entity_from_project',
        input: { entity_id: 1, project_id: 1 },
        gives: { output: { success: true, entity_id: 1, project_id: 1 } },
      },
      {
        operation: 'unlink_entity_from_project',
        input: { entity_id: 1, project_id: 1 },
        gives: has({ success: false }),
      },
      { operation: 'link_entity_to_file', input: { entity_id: 1, file_id: 1 }, gives: has({ success: true }) },
      { operation: 'link_entity_to_file', input: { entity_id: 1, file_id: 9 }, gives: { refused: 'not_found' } },
      { operation: 'unlink_entity_from_file', input: { entity_id: 1, file_id: 1 }, gives: has({ success: true }) },
    ],
  },
  {
    name: 'K133 K134 relationships are made, listed by direction and type, changed and erased; a second one of a pair is a conflict',
    steps: [
      { ...make('A', 'Individual'), gives: has({ id: 1 }) },
      { ...make('B', 'Organization'), gives: has({ id: 2 }) },
      {
        ...relate(1, 2, 'works_for', { metadata: { role: 'engineer' } }),
        gives: has({
          id: 1,
          relationship_id: 1,
          source_entity_id: 1,
          from_entity_id: 1,
          target_entity_id: 2,
          to_entity_id: 2,
          relationship_type: 'works_for',
          strength: 1,
          confidence: 1,
          metadata: { role: 'engineer' },
        }),
      },
      {
        operation: 'create_entity_relationship',
        input: {
          source_entity_id: 2,
          target_entity_id: 1,
          relationship_type: 'employs',
          strength: 0.5,
          confidence: 0.2,
        },
        gives: has({ id: 2, strength: 0.5, confidence: 0.2 }),
      },
      { ...relate(1, 2, 'works_for'), gives: { refused: 'conflict' } },
      { ...relate(1, 1, 'likes'), gives: { refused: 'invalid_input', field: 'target_entity_id' } },
      { ...relate(1, 2, 'x', { strength: 2 }), gives: { refused: 'invalid_input', field: 'strength' } },
      {
        operation: 'get_entity_relationships',
        input: { entity_id: 1 },
        gives: has({ relationships: [some({ id: 1 }), some({ id: 2 })], total_count: 2 }),
      },
      {
        operation: 'get_entity_relationships',
        input: { entity_id: 1, direction: 'outgoing' },
        gives: has({ relationships: [some({ id: 1 })] }),
      },
      {
        operation: 'get_entity_relationships',
        input: { entity_id: 1, direction: 'incoming' },
        gives: has({ relationships: [some({ id: 2 })] }),
      },
      {
        operation: 'get_entity_relationships',
        input: { entity_id: 1, relationship_type: 'works_for' },
        gives: has({ relationships: [some({ id: 1 })] }),
      },
      {
        operation: 'get_entity_relationships',
        input: { entity_id: 1, direction: 'sideways' },
        gives: { refused: 'invalid_input', field: 'direction' },
      },
      {
        operation: 'update_entity_relationship',
        input: { relationship_id: 1, strength: 0.7, metadata: { role: 'lead' } },
        gives: has({ strength: 0.7, confidence: 1, metadata: { role: 'lead' }, relationship_type: 'works_for' }),
      },
      { operation: 'update_entity_relationship', input: { id: 9, strength: 0 }, gives: { refused: 'not_found' } },
      {
        operation: 'delete_entity_relationship',
        input: { relationship_id: 1 },
        gives: { output: { success: true, deleted_id: 1, relationship_id: 1 } },
      },
      { operation: 'delete_entity_relationship', input: { relationship_id: 1 }, gives: { refused: 'not_found' } },
      { operation: 'get_entity_relationships', input: { entity_id: 9 }, gives: { refused: 'not_found' } },
    ],
  },
  {
    name: 'B65 K135 a relationship to nobody is not stored, nor a batch with one; an entity takes its relationships with it',
    steps: [
      { ...make('A', 'Team'), gives: has({ id: 1 }) },
      { ...make('B', 'Team'), gives: has({ id: 2 }) },
      note('First', 'alpha one'),
      { ...relate(1, 999, 'owns'), gives: { refused: 'not_found', says: /999/ } },
      {
        operation: 'create_entity_relationships',
        input: {
          relationships: [
            { from_entity_id: 1, to_entity_id: 2, relationship_type: 'a' },
            { from_entity_id: 1, to_entity_id: 999, relationship_type: 'b' },
            { from_entity_id: 2, to_entity_id: 1, relationship_type: 'c' },
          ],
        },
        gives: { refused: 'not_found' },
      },
      { operation: 'get_entity_relationships', input: { id: 1 }, gives: has({ relationships: [], total: 0 }) },
      {
        operation: 'create_entity_relationships',
        input: { relationships: [{ from_entity_id: 1, to_entity_id: 2, relationship_type: 'owns' }] },
        gives: has({ total_count: 1 }),
      },
      {
        operation: 'get_entity_relationships',
        input: { entity_id: 2, direction: 'incoming' },
        gives: has({ relationships: [some({ from_entity_id: 1, to_entity_id: 2 })] }),
      },
      { operation: 'link_entity_to_memory', input: { entity_id: 2, memory_id: 1 }, gives: has({ success: true }) },
      {
        operation: 'delete_entity',
        input: { entity_id: 2 },
        gives: { output: { success: true, deleted_id: 2, entity_id: 2 } },
      },
      { operation: 'get_entity_relationships', input: { entity_id: 1 }, gives: has({ relationships: [] }) },
      { operation: 'get_memory_entities', input: { memory_id: 1 }, gives: has({ entities: [] }) },
      { operation: 'delete_entity', input: { entity_id: 2 }, gives: { refused: 'not_found' } },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
