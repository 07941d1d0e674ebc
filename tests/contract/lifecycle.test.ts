// The page `lifecycle` of the contract, on every surface: what exists of it so far.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const created = (id: number, more: object = {}) => ({
  output: { id, outcome: 'created', project: null, warnings: [], ...more },
});
const save = (content: string, more: object = {}) => ({ operation: 'memory_save', input: { content, ...more } });
const search = (query: string, more: object = {}) => ({
  operation: 'memory_search',
  input: { query, depth: 1, ...more },
});
const finds = (...ids: number[]) => ({
  output: expect.objectContaining({ results: ids.map((id) => expect.objectContaining({ id })), degraded: [] }),
});

const record = {
  id: 1,
  uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
  status: 'active',
  type: 'decision',
  title: 'Auth',
  content: 'Auth is Clerk',
  context: 'sign-in',
  problem: 'token rotation broke',
  solution: 'use Clerk',
  concepts: ['auth'],
  tags: ['security'],
  files: ['src/auth.ts'],
  project: 'shop',
  projects: [{ id: 1, name: 'shop' }],
  category: null,
  key: null,
  importance: 8,
  confidence: 0.9,
  provenance: 'human',
  tier: 'core',
  source: null,
  source_context: null,
  source_repo: null,
  source_url: null,
  encoding_agent: null,
  encoding_version: null,
  session: 's-1',
  sequence: 3,
  author: 'Ada',
  agent: 'contract-suite',
  branch: null,
  worktree: null,
  pinned: true,
  decay: 1,
  access_count: 0,
  last_accessed_at: null,
  created_at: '2026-01-05T09:00:00.000Z',
  updated_at: '2026-01-05T09:00:00.000Z',
  occurred_at: '2026-01-02T00:00:00.000Z',
  valid_from: '2026-01-01T00:00:00.000Z',
  valid_to: null,
  expires_at: null,
  obsolete_reason: null,
  supersedes: [],
  superseded_by: null,
  links: [],
  entities: [],
  history: 0,
  metadata: { ticket: 7 },
};

const cases: SurfaceCase[] = [
  {
    name: 'a whole memory comes back as it was saved',
    steps: [
      {
        ...save('Auth is Clerk', {
          title: 'Auth',
          type: 'decision',
          context: 'sign-in',
          problem: 'token rotation broke',
          solution: 'use Clerk',
          concepts: ['auth'],
          tags: ['security'],
          files: ['src/auth.ts'],
          project: 'shop',
          importance: 8,
          confidence: 0.9,
          provenance: 'human',
          session: 's-1',
          sequence: 3,
          author: 'Ada',
          agent: 'contract-suite',
          pinned: true,
          occurred_at: '2026-01-02T00:00:00Z',
          valid_from: '2026-01-01T00:00:00Z',
          metadata: { ticket: 7 },
        }),
        gives: created(1, { project: 'shop' }),
      },
      { operation: 'memory_get', input: { id: 1 }, gives: { output: record } },
      {
        operation: 'memory_search',
        input: { query: 'who does auth?' },
        gives: {
          output: {
            results: [
              {
                ...record,
                kind: 'memory',
                score: expect.any(Number),
                summary: 'Auth is Clerk',
                cross_project: undefined,
              },
            ],
            related: [],
            depth: 2,
            mode: 'hybrid',
            degraded: [],
            took_ms: expect.any(Number),
          },
        },
      },
    ],
  },
  {
    name: 'defaults follow the provenance, and a checkpoint is a save of that provenance',
    steps: [
      {
        operation: 'memory_checkpoint',
        input: {
          task_summary: 'Moved auth to Clerk',
          problem: 'p',
          solution: 's',
          files: ['a.ts'],
          concepts: ['auth'],
        },
        gives: created(1),
      },
      {
        operation: 'memory_get',
        input: { id: 1 },
        gives: {
          output: expect.objectContaining({
            content: 'Moved auth to Clerk',
            provenance: 'checkpoint',
            confidence: 0.65,
            tier: 'regular',
            importance: 5,
            title: 'Moved auth to Clerk',
          }),
        },
      },
    ],
  },
  {
    name: 'B04 bounds are refused by name, with the minimum or maximum',
    steps: [
      { ...search('a', { limit: -1 }), gives: { refused: 'invalid_input', field: 'limit', says: /1/ } },
      { ...search('a', { limit: 0 }), gives: { refused: 'invalid_input', field: 'limit', says: /1/ } },
      { ...search('a', { limit: 2.5 }), gives: { refused: 'invalid_input', field: 'limit', says: /whole number/ } },
      { ...search('a', { limit: 'abc' }), gives: { refused: 'invalid_input', field: 'limit' } },
      { ...search('a', { limit: 1_000_000_000 }), gives: { refused: 'invalid_input', field: 'limit', says: /50/ } },
      { ...search('a', { depth: 4 }), gives: { refused: 'invalid_input', field: 'depth', says: /3/ } },
      { ...save('x', { importance: 11 }), gives: { refused: 'invalid_input', field: 'importance', says: /10/ } },
      { ...save('x', { confidence: 1.1 }), gives: { refused: 'invalid_input', field: 'confidence', says: /1/ } },
      { ...save('x'.repeat(20_001)), gives: { refused: 'invalid_input', field: 'content', says: /20,?000/ } },
    ],
  },
  {
    name: 'B08 an unknown field is refused by name, with the one that was meant',
    steps: [
      {
        ...search('a', { projct: 'x' }),
        gives: { refused: 'invalid_input', says: /unknown field `projct`; did you mean `project`/ },
      },
      {
        ...save('x', { contnt: 'y' }),
        gives: { refused: 'invalid_input', says: /unknown field `contnt`; did you mean `content`/ },
      },
    ],
  },
  {
    name: 'B08 a project that does not exist gives nothing, and names what is near',
    steps: [
      { ...save('Auth is Clerk', { project: 'storefront' }), gives: created(1, { project: 'storefront' }) },
      {
        ...search('auth', { project: 'storefrnt' }),
        gives: { output: expect.objectContaining({ results: [], hint: expect.stringContaining('storefront') }) },
      },
    ],
  },
  {
    name: 'B01 query text is text: quotes, brackets and AND match literally',
    steps: [
      { ...save('what\'s "foo AND (bar'), gives: created(1) },
      { ...save('another thing'), gives: created(2) },
      { ...search('what\'s "foo AND (bar', { mode: 'keyword' }), gives: finds(1) },
      { ...search('thing* OR NEAR(', { mode: 'keyword' }), gives: finds(2) },
    ],
  },
  {
    name: 'B03 blank queries are refused, those without a letter or digit find nothing',
    steps: [
      { ...save('something'), gives: created(1) },
      ...['', ' \t'].map((query) => ({
        ...search(query),
        gives: { refused: 'invalid_input' as const, field: 'query' },
      })),
      ...['"', '***', '()', '-'].map((query) => ({ ...search(query), gives: finds() })),
    ],
  },
  {
    name: 'B09 lists that models send as text are read as lists, and blanks and repeats dropped',
    steps: [
      {
        ...save('x y', { tags: '["api","db"]', concepts: 'one, two', files: ['a', ' a ', '', 'A', 'b'] }),
        gives: created(1),
      },
      {
        operation: 'memory_get',
        input: { id: '1' },
        gives: { output: expect.objectContaining({ tags: ['api', 'db'], concepts: ['one, two'], files: ['a', 'b'] }) },
      },
      { ...save('z', { tags: [1] }), gives: { refused: 'invalid_input' } },
    ],
  },
  {
    name: 'B12 half a character pair is refused, and NUL with it',
    steps: [
      { ...save('bad \ud83d half'), gives: { refused: 'invalid_input', field: 'content' } },
      { ...save('bad \u0000 nul'), gives: { refused: 'invalid_input', field: 'content' } },
    ],
    except: { cli: 'a lone surrogate cannot travel through a pipe of UTF-8' },
  },
  {
    name: 'B13 absent leaves alone, null clears, an empty list empties, and null on a required field is refused',
    steps: [
      { ...save('See the wiki', { title: 'Wiki', source_url: 'https://wiki.test/x', tags: ['a'] }), gives: created(1) },
      {
        operation: 'memory_update',
        input: { id: 1, source_url: null },
        gives: { output: expect.objectContaining({ source_url: null, tags: ['a'], title: 'Wiki' }) },
      },
      { operation: 'memory_update', input: { id: 1 }, gives: { output: expect.objectContaining({ tags: ['a'] }) } },
      {
        operation: 'memory_update',
        input: { id: 1, tags: [] },
        gives: { output: expect.objectContaining({ tags: [] }) },
      },
      {
        operation: 'memory_update',
        input: { id: 1, title: null },
        gives: { refused: 'invalid_input', field: 'title' },
      },
    ],
  },
  {
    name: 'B15 an id beyond 2^53 is refused, not rounded to its neighbour',
    steps: [
      ...['9007199254740993', '0', '-1', '1.5', 'one'].map((id) => ({
        operation: 'memory_get',
        input: { id },
        gives: { refused: 'invalid_input' as const, field: 'id' },
      })),
      { operation: 'memory_get', input: { id: 9_007_199_254_740_991 }, gives: { refused: 'not_found' } },
    ],
  },
  {
    name: 'archive hides, include_archived shows, update brings back, purge erases',
    steps: [
      { ...save('Use tabs for indentation'), gives: created(1) },
      {
        operation: 'memory_archive',
        input: { id: 1, reason: 'settled' },
        gives: { output: { id: 1, status: 'archived', changed: true } },
      },
      { ...search('tabs'), gives: finds() },
      { ...search('tabs', { include_archived: true }), gives: finds(1) },
      {
        operation: 'memory_update',
        input: { id: 1, status: 'active' },
        gives: { output: expect.objectContaining({ status: 'active' }) },
      },
      { ...search('tabs'), gives: finds(1) },
      {
        operation: 'memory_purge',
        input: { id: 1 },
        gives: { output: { id: 1, purged: true, rewritten: [], purged_with: [] } },
      },
      { ...search('tabs', { include_archived: true }), gives: finds() },
      { operation: 'memory_purge', input: { id: 1 }, gives: { refused: 'not_found' } },
    ],
  },
  ...(['memory_revert', 'memory_diff'] as const).map(
    (operation): SurfaceCase => ({
      name: `B66 ${operation} with a version that is of the future, negative, zero, a fraction or no number changes nothing; one sent as text is read`,
      steps: [
        { ...save('First wording'), gives: created(1) },
        {
          operation: 'memory_update',
          input: { id: 1, content: 'Second wording' },
          gives: { output: expect.anything() },
        },
        ...(operation === 'memory_diff'
          ? []
          : [{ operation, input: { id: 1 }, gives: { refused: 'invalid_input', field: 'to' } } as const]),
        // a query string knows no booleans: there it is a text
        ...[-1, 0, 1.5, 'x', ...(operation === 'memory_diff' ? [] : ['', true])].map((to) => ({
          operation,
          input: { id: 1, to },
          gives: { refused: 'invalid_input', field: 'to' } as const,
        })),
        ...[3, '3', 9_007_199_254_740_991].map((to) => ({
          operation,
          input: { id: 1, to },
          gives: { refused: 'not_found', says: /it has 1 to 2/ } as const,
        })),
        {
          operation: 'memory_get',
          input: { id: 1 },
          gives: { output: expect.objectContaining({ content: 'Second wording', history: 1 }) },
        },
        { operation, input: { id: 1, to: '2' }, gives: { output: expect.anything() } },
      ],
    }),
  ),
  {
    name: 'history lists every version and revert brings one back',
    steps: [
      { ...save('First wording'), gives: created(1) },
      {
        operation: 'memory_update',
        input: { id: 1, content: 'Second wording' },
        gives: { output: expect.objectContaining({ history: 1 }) },
      },
      {
        operation: 'memory_history',
        input: { id: 1 },
        gives: {
          output: {
            id: 1,
            versions: [
              expect.objectContaining({
                version: 2,
                content: 'Second wording',
                changed: ['content'],
                recorded_to: null,
              }),
              expect.objectContaining({ version: 1, content: 'First wording', changed: [] }),
            ],
          },
        },
      },
      {
        operation: 'memory_diff',
        input: { id: 1 },
        gives: {
          output: {
            id: 1,
            from: 1,
            to: 2,
            changes: [{ field: 'content', old: 'First wording', new: 'Second wording' }],
          },
        },
      },
      { operation: 'memory_diff', input: { id: 1, from: 7 }, gives: { refused: 'not_found' } },
      {
        operation: 'memory_revert',
        input: { id: 1, to: 1 },
        gives: { output: expect.objectContaining({ content: 'First wording' }) },
      },
      { operation: 'memory_revert', input: { id: 1, to: 9 }, gives: { refused: 'not_found' } },
    ],
  },
  {
    name: 'many are saved in order; atomic stores all or none',
    steps: [
      {
        operation: 'memory_save_many',
        input: { memories: [{ content: 'One thing' }, { content: 'One thing' }, { content: 'Another matter' }] },
        gives: {
          output: {
            results: [
              expect.objectContaining({ id: 1, outcome: 'created' }),
              expect.objectContaining({ id: 1, outcome: 'unchanged' }),
              expect.objectContaining({ id: 2, outcome: 'created' }),
            ],
          },
        },
      },
      {
        operation: 'memory_save_many',
        input: {
          memories: [{ content: 'Third' }, { content: ['password', 'hunter2hunter2X9'].join(' = ') }],
          atomic: true,
        },
        gives: { refused: 'rejected_by_policy' },
      },
      {
        operation: 'memory_sync',
        input: {},
        gives: { output: expect.objectContaining({ stats: { active: 2, archived: 0, obsolete: 0 } }) },
      },
    ],
  },
  {
    name: 'sync, stats, health and start say how memory is',
    steps: [
      { ...save('Auth is Clerk', { project: 'shop' }), gives: created(1, { project: 'shop' }) },
      {
        operation: 'memory_sync',
        input: {},
        gives: {
          output: {
            health: 'ok',
            stats: { active: 1, archived: 0, obsolete: 0 },
            projects: [{ name: 'shop', memories: 1, last_saved_at: '2026-01-05T09:00:00.000Z' }],
            project: null,
          },
        },
      },
      {
        operation: 'memory_stats',
        input: {},
        gives: {
          output: expect.objectContaining({
            memories: { active: 1, archived: 0, obsolete: 0 },
            by_type: { fact: 1 },
            by_tier: { regular: 1 },
            by_project: [{ name: 'shop', memories: 1 }],
            decay: { fresh: 1, aging: 0, fading: 0 },
            vectors: { rows: 1, pending: 0, model: 'fake-384' },
          }),
        },
      },
      { operation: 'memory_stats', input: { project: 'none' }, gives: { refused: 'not_found' } },
      {
        operation: 'memory_health',
        input: {},
        gives: { output: expect.objectContaining({ status: 'ok', database: { status: 'ok' } }) },
      },
      { operation: 'memory_start', input: {}, gives: { output: expect.objectContaining({ running: true }) } },
    ],
    except: {
      'rest by name': 'sockets differ from one daemon to the next, so start is compared by its case of its own',
      mcp: 'the same',
      cli: 'the same',
    },
  },
  {
    name: 'jobs are listed and run, and a name that is none names those that are',
    steps: [
      {
        operation: 'run_job',
        input: { name: 'reconcile' },
        gives: { output: expect.objectContaining({ job: 'reconcile', outcome: 'ok' }) },
      },
      { operation: 'run_job', input: { name: 'nonsense' }, gives: { refused: 'not_found', says: /optimise/ } },
    ],
  },
  {
    name: 'a split project is mended: alias and merge',
    steps: [
      { ...save('In the shop', { project: 'shop' }), gives: created(1, { project: 'shop' }) },
      { ...save('Also in the shop', { project: 'webshop' }), gives: created(2, { project: 'webshop' }) },
      {
        operation: 'merge_projects',
        input: { from: 'webshop', into: 'shop' },
        gives: { output: expect.objectContaining({ name: 'shop', moved: 1 }) },
      },
      {
        ...search('shop', { project: 'webshop' }),
        gives: {
          output: expect.objectContaining({
            results: expect.arrayContaining([expect.objectContaining({ id: 2, project: 'shop' })]),
          }),
        },
      },
      {
        operation: 'alias_project',
        input: { name: 'shop', alias: 'laden' },
        gives: { output: expect.objectContaining({ name: 'shop' }) },
      },
      { ...save('Auch im Laden', { project: 'laden' }), gives: created(3, { project: 'shop' }) },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
