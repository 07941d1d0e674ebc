// Projects in the words of the knowledge catalogue, on every surface. K-numbers are the lines of the parity list.
import { expect } from 'vitest';
import { type Step, type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';
import { madeUpTokens } from '../support/made-up-secrets.ts';

const token = madeUpTokens()[0]?.[1] ?? '';
const has = (fields: object) => ({ output: expect.objectContaining(fields) });
const project = (name: string, more: object = {}): Step => ({
  operation: 'create_project',
  input: { name, ...more },
  gives: has({ name }),
});
const lists = (filter: object, ids: readonly number[]): Step => ({
  operation: 'list_projects',
  input: { ...filter },
  gives: has({ projects: ids.map((id) => expect.objectContaining({ id })), total: ids.length, has_more: false }),
});
const get = (id: number, fields: object): Step => ({
  operation: 'get_project',
  input: { project_id: id },
  gives: has(fields),
});
const update = (id: number, fields: object, gives: Step['gives']): Step => ({
  operation: 'update_project',
  input: { project_id: id, ...fields },
  gives,
});
const note = (content: string, more: object = {}) => ({
  operation: 'create_memory',
  // by its route REST gives 7 where nothing is said
  input: { title: content, content, importance: 5, ...more },
});

const types = [
  'personal',
  'work',
  'learning',
  'development',
  'infrastructure',
  'template',
  'product',
  'marketing',
  'finance',
  'documentation',
  'development-environment',
  'third-party-library',
  'open-source',
];

const whole = {
  id: 1,
  project_id: 1,
  name: 'Storefront',
  description: 'The shop that customers see',
  project_type: 'work',
  status: 'active',
  repo_name: 'git@git.example:shop/front.git',
  repository_url: 'git@git.example:shop/front.git',
  last_encoding_point: null,
  notes: 'ask the shop team',
  metadata: { team: 'shop' },
  memory_count: 0,
  source_repo: null,
  source_files: [],
  source_url: 'https://wiki.example/shop',
  confidence: 0.9,
  encoding_agent: 'claude',
  encoding_version: null,
  agent_id: null,
  agent_version: null,
  agent_model: null,
  created_at: expect.stringMatching(/Z$/),
  updated_at: expect.stringMatching(/Z$/),
};

const cases: SurfaceCase[] = [
  {
    name: 'K97 a project is made, read, changed and deleted; K106 a list gives summaries, get gives the whole',
    steps: [
      {
        operation: 'create_project',
        input: {
          name: 'Storefront',
          description: 'The shop that customers see',
          project_type: 'work',
          repository_url: 'git@git.example:shop/front.git',
          notes: 'ask the shop team',
          metadata: { team: 'shop' },
          source_url: 'https://wiki.example/shop',
          confidence: 0.9,
          encoding_agent: 'claude',
        },
        gives: { output: whole },
      },
      { operation: 'get_project', input: { id: 1 }, gives: { output: whole } },
      {
        operation: 'list_projects',
        input: {},
        gives: {
          output: {
            projects: [
              {
                id: 1,
                project_id: 1,
                name: 'Storefront',
                project_type: 'work',
                status: 'active',
                repo_name: 'git@git.example:shop/front.git',
                repository_url: 'git@git.example:shop/front.git',
                last_encoding_point: null,
                memory_count: 0,
                created_at: expect.stringMatching(/Z$/),
                updated_at: expect.stringMatching(/Z$/),
              },
            ],
            count: 1,
            name_filter: null,
            total_count: 1,
            total: 1,
            limit: 100,
            offset: 0,
            has_more: false,
          },
        },
      },
      update(1, { description: 'The shop' }, has({ description: 'The shop', notes: 'ask the shop team' })),
      {
        operation: 'delete_project',
        input: { project_id: 1 },
        gives: { output: { success: true, deleted_id: 1, project_id: 1 } },
      },
      lists({}, []),
    ],
  },
  {
    name: 'K98 every type is accepted, and listed by it; description and type may be left out',
    steps: [
      ...types.map((project_type) => project(`a project of ${project_type}`, { project_type })),
      lists({ project_type: 'open-source' }, [13]),
      project('plain'),
      get(14, { project_type: 'development', description: '', status: 'active' }),
      { operation: 'create_project', input: { name: 'x', project_type: 'hobby' }, gives: refusedField('project_type') },
    ],
  },
  {
    name: 'K99 projects are listed by status; K105 archiving is a change of status that can be undone',
    steps: [
      project('one'),
      project('two', { status: 'completed' }),
      update(1, { status: 'archived' }, has({ status: 'archived' })),
      lists({ status: 'archived' }, [1]),
      lists({ status: 'completed' }, [2]),
      lists({ status: 'active' }, []),
      lists({}, [2, 1]),
      update(1, { status: 'active' }, has({ status: 'active' })),
      lists({ status: 'active' }, [1]),
      { operation: 'list_projects', input: { status: 'zz' }, gives: refusedField('status') },
    ],
  },
  {
    name: 'K100 a repository is found by every spelling of its address, and by no other repository',
    steps: [
      project('ssh', { repo_name: 'git@github.com:o/r.git' }),
      project('https', { repo_name: 'https://github.com/o/r' }),
      project('path', { repo_name: 'o/r' }),
      project('other', { repo_name: 'https://github.com/o/r2' }),
      project('none'),
      lists({ repo_name: 'ssh://git@github.com/o/r.git' }, [2, 1]),
      lists({ repository_url: 'https://someone@github.com/O/R.git' }, [2, 1]),
      lists({ repo_name: 'github.com/o/r' }, [2, 1]),
      lists({ repo_name: 'o/r' }, [3]),
      lists({ repo_name: 'o' }, []),
      { operation: 'list_projects', input: { repo_name: '  ' }, gives: refusedField('repo_name') },
      {
        operation: 'create_project',
        input: { name: 'x', repo_name: 'o/r', repository_url: 'o/s' },
        gives: refusedField('repository_url'),
      },
    ],
  },
  {
    name: 'K101 B05 a name is found by a part of it in any case, and `_` and `%` are letters',
    steps: [
      ...['a_b', 'axb', '100%', '1000', 'Home Lab'].map((name) => project(name)),
      lists({ name: 'LAB' }, [5]),
      lists({ name: 'a_b' }, [1]),
      lists({ name: '100%' }, [3]),
      lists({ name: '%' }, [3]),
      lists({ name: 'nowhere' }, []),
      { operation: 'list_projects', input: { name: 'lab' }, gives: has({ name_filter: 'lab', count: 1 }) },
      {
        operation: 'list_projects',
        input: { limit: 2, offset: 4 },
        gives: has({ total: 5, count: 1, has_more: false }),
      },
      { operation: 'list_projects', input: { limit: 2 }, gives: has({ total: 5, count: 2, has_more: true }) },
    ],
  },
  {
    name: 'B08 a filter that matches nothing gives nothing, and one that is misspelt is refused by name',
    steps: [
      project('one'),
      lists({ repo_name: 'nobody/nothing' }, []),
      {
        operation: 'list_projects',
        input: { projct_type: 'work' },
        gives: { refused: 'invalid_input', field: 'projct_type', says: /did you mean `project_type`/ },
      },
      { operation: 'list_projects', input: { limit: 0 }, gives: refusedField('limit') },
      { operation: 'list_projects', input: { offset: -1 }, gives: refusedField('offset') },
    ],
  },
  {
    name: 'K102 an unknown id is not found, by whatever is asked of it, and an id must be given once',
    steps: [
      ...['get_project', 'update_project', 'delete_project'].map(
        (operation): Step => ({
          operation,
          input: { project_id: 9999 },
          gives: { refused: 'not_found', says: /Project 9999 not found/ },
        }),
      ),
      { operation: 'get_project', input: {}, gives: refusedField('project_id') },
      { operation: 'get_project', input: { id: 1, project_id: 2 }, gives: refusedField('id') },
    ],
  },
  {
    name: 'K103 what cannot be is refused by its field and changes nothing',
    steps: [
      { operation: 'create_project', input: { name: '   ' }, gives: refusedField('name') },
      { operation: 'create_project', input: {}, gives: refusedField('name') },
      { operation: 'create_project', input: { name: 'n'.repeat(501) }, gives: refusedField('name') },
      { operation: 'create_project', input: { name: 'x', status: 'paused' }, gives: refusedField('status') },
      { operation: 'create_project', input: { name: 'x', notes: 'n'.repeat(4_001) }, gives: refusedField('notes') },
      {
        operation: 'create_project',
        input: { name: 'x', metadata: { nested: { constructor: 1 } } },
        gives: { refused: 'invalid_input' },
      },
      {
        operation: 'create_project',
        input: { name: 'x', notes: `the token is ${token}` },
        gives: { refused: 'rejected_by_policy', field: 'notes' },
      },
      lists({}, []),
    ],
  },
  {
    name: 'K104 B13 an update changes what is given alone, null clears, and null is refused where something must stand',
    steps: [
      project('Shop', {
        notes: 'n',
        repo_name: 'o/r',
        metadata: { a: 1 },
        source_url: 'https://x.test',
        confidence: 1,
      }),
      update(1, {}, has({ name: 'Shop', notes: 'n', repo_name: 'o/r' })),
      update(1, { notes: null }, has({ notes: null, repo_name: 'o/r', metadata: { a: 1 } })),
      update(1, { repo_name: '' }, has({ repo_name: null, repository_url: null })),
      update(1, { metadata: null, source_url: null, confidence: null }, has({ metadata: {}, source_url: null })),
      update(1, { name: null }, refusedField('name')),
      update(1, { status: null }, refusedField('status')),
      update(1, { name: ' ' }, refusedField('name')),
      update(1, { name: 'Storefront' }, has({ name: 'Storefront', confidence: null })),
    ],
  },
  {
    name: 'a project that is renamed is still met under its old name',
    steps: [
      project('Shop'),
      update(1, { name: 'Storefront' }, has({ id: 1 })),
      {
        operation: 'memory_save',
        input: { content: 'prices are kept in cents', project: 'shop' },
        gives: has({ project: 'Storefront' }),
      },
      get(1, { memory_count: 1 }),
      lists({}, [1]),
    ],
  },
  {
    name: 'K109 the last encoding point is kept word for word, and an empty text clears it',
    steps: [
      project('Shop', { last_encoding_point: ' 3f2a..HEAD@{1} ' }),
      get(1, { last_encoding_point: ' 3f2a..HEAD@{1} ' }),
      update(1, { notes: 'seen' }, has({ last_encoding_point: ' 3f2a..HEAD@{1} ' })),
      update(1, { last_encoding_point: '' }, has({ last_encoding_point: null })),
      update(1, { last_encoding_point: 'p'.repeat(256) }, refusedField('last_encoding_point')),
    ],
  },
  {
    name: 'K107 the number of memories follows the links; K108 a query finds those of the project alone; K111 deleting it keeps them',
    steps: [
      project('Shop'),
      project('Bank'),
      { ...note('orders are kept for ten years', { project_ids: [1, 2] }), gives: has({ project_ids: [1, 2] }) },
      { ...note('orders are shipped by noon', { project_ids: [2] }), gives: has({ id: 2 }) },
      get(1, { memory_count: 1 }),
      get(2, { memory_count: 2 }),
      { operation: 'update_memory', input: { id: 2, project_ids: [] }, gives: has({ project_ids: [] }) },
      get(2, { memory_count: 1 }),
      {
        operation: 'query_memory',
        input: { query: 'orders', project_ids: [1], k: 5 },
        gives: has({ primary_memories: [expect.objectContaining({ id: 1 })] }),
      },
      { operation: 'delete_project', input: { id: 1 }, gives: has({ success: true }) },
      { operation: 'get_memory', input: { id: 1 }, gives: has({ project_ids: [2], title: expect.any(String) }) },
      {
        operation: 'query_memory',
        input: { query: 'orders', project_ids: [1], k: 5 },
        gives: has({ primary_memories: [] }),
      },
      { operation: 'query_memory', input: { query: 'orders', k: 5 }, gives: has({ total_count: 2 }) },
      { operation: 'delete_project', input: { id: 2, cascade_plans: true }, gives: has({ deleted_id: 2 }) },
      { operation: 'get_memory', input: { id: 1 }, gives: has({ project_ids: [] }) },
    ],
  },
  {
    name: 'the user is told, and notes of them are written whole, cleared and kept free of secrets',
    steps: [
      {
        operation: 'get_current_user',
        input: {},
        gives: {
          output: {
            id: 1,
            user_id: 1,
            name: 'local',
            username: 'local',
            email: null,
            notes: null,
            user_notes: null,
            created_at: expect.stringMatching(/Z$/),
            updated_at: expect.stringMatching(/Z$/),
          },
        },
      },
      { operation: 'update_user_notes', input: { notes: 'likes tabs' }, gives: has({ user_notes: 'likes tabs' }) },
      { operation: 'update_user_notes', input: { user_notes: 'likes spaces' }, gives: has({ notes: 'likes spaces' }) },
      { operation: 'update_user_notes', input: {}, gives: refusedField('notes') },
      { operation: 'update_user_notes', input: { notes: 'a', user_notes: 'b' }, gives: refusedField('user_notes') },
      {
        operation: 'update_user_notes',
        input: { notes: token },
        gives: { refused: 'rejected_by_policy', field: 'notes' },
      },
      { operation: 'get_current_user', input: {}, gives: has({ notes: 'likes spaces' }) },
      { operation: 'update_user_notes', input: { notes: null }, gives: has({ notes: null }) },
    ],
    // both tell when the user was made, which is when the database was
    volatile: ['created_at', 'updated_at'],
  },
];

function refusedField(field: string): Step['gives'] {
  return { refused: 'invalid_input', field };
}

testOnEverySurface(cases, daemonSurfaces);
