// Looking through what is stored, on every surface: lists with counts, unions and conflicts decided by a person, and the page itself.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const save = (content: string, more: object = {}) => ({
  operation: 'memory_save',
  input: { content, ...more },
  gives: { output: expect.objectContaining({ outcome: 'created' }) },
});

const line = (id: number, more: object = {}) => expect.objectContaining({ id, ...more });
const older = 'the gateway of the storefront listens on port 8080 behind the old balancer';
const newer = 'the gateway of the storefront listens on port 9090 behind the old balancer';

const cases: SurfaceCase[] = [
  {
    name: 'memories are listed by what they are, a page at a time, with counts under all filters but their own',
    steps: [
      save('Releases are cut on Thursdays', { type: 'decision', project: 'storefront' }),
      save('Invoices go out on Mondays', { project: 'billing', importance: 9 }),
      save('The cart keeps prices in cents', { project: 'storefront', pinned: true }),
      { operation: 'memory_archive', input: { id: 2 }, gives: { output: expect.objectContaining({ changed: true }) } },
      {
        operation: 'memory_list',
        input: { facets: true, type: 'fact', status: 'any' },
        gives: {
          output: {
            memories: expect.arrayContaining([line(2, { status: 'archived' }), line(3, { pinned: true })]),
            total: 2,
            limit: 50,
            offset: 0,
            has_more: false,
            facets: {
              project: expect.arrayContaining([
                { value: 'storefront', count: 1 },
                { value: 'billing', count: 1 },
              ]),
              type: [
                { value: 'fact', count: 2 },
                { value: 'decision', count: 1 },
              ],
              tier: [{ value: 'regular', count: 2 }],
              status: expect.arrayContaining([
                { value: 'active', count: 1 },
                { value: 'archived', count: 1 },
              ]),
              agent: expect.any(Array),
              age: [{ value: 'day', count: 2 }],
            },
          },
        },
      },
      {
        operation: 'memory_list',
        input: { limit: 1, offset: 1, sort: 'created' },
        gives: { output: expect.objectContaining({ memories: [line(1)], total: 2, has_more: false }) },
      },
      {
        operation: 'memory_list',
        input: { project: 'STOREFRONT', pinned: false },
        gives: { output: expect.objectContaining({ memories: [line(1, { project: 'storefront' })], total: 1 }) },
      },
      {
        operation: 'memory_list',
        input: { ids: [3, 99, 2] },
        gives: { output: expect.objectContaining({ memories: [line(3), line(2)], total: 2 }) },
      },
      { operation: 'memory_list', input: { age: 'week' }, gives: { output: expect.objectContaining({ total: 0 }) } },
      { operation: 'memory_list', input: { project: 'nowhere' }, gives: { refused: 'not_found', says: /nowhere/ } },
      { operation: 'memory_list', input: { limit: 201 }, gives: { refused: 'invalid_input', field: 'limit' } },
    ],
  },
  {
    name: 'a union takes over what the other says, replaces it, and is taken back by a revert and a restore',
    steps: [
      save('The runner is build-3.', { tags: ['ci'] }),
      save('Its queue is drained at night.', { tags: ['queue'] }),
      {
        operation: 'memory_merge',
        input: { id: 1, from: 2 },
        gives: {
          output: expect.objectContaining({
            id: 1,
            content: 'The runner is build-3.\nIts queue is drained at night.',
            tags: ['ci', 'queue'],
            supersedes: [2],
            history: 1,
          }),
        },
      },
      {
        operation: 'memory_get',
        input: { id: 2 },
        gives: { output: expect.objectContaining({ status: 'obsolete', superseded_by: 1 }) },
      },
      { operation: 'memory_merge', input: { id: 1, from: 2 }, gives: { refused: 'conflict', says: /obsolete/ } },
      { operation: 'memory_merge', input: { id: 1, from: 1 }, gives: { refused: 'invalid_input', field: 'from' } },
      { operation: 'memory_merge', input: { id: 1, from: 7 }, gives: { refused: 'not_found', says: /7/ } },
      {
        operation: 'memory_revert',
        input: { id: 1, to: 1 },
        gives: { output: expect.objectContaining({ content: 'The runner is build-3.', tags: ['ci'] }) },
      },
      {
        operation: 'memory_update',
        input: { id: 2, status: 'active' },
        gives: { output: expect.objectContaining({ status: 'active', superseded_by: null }) },
      },
    ],
  },
  {
    name: 'a fact is never merged',
    steps: [
      {
        operation: 'memory',
        input: { action: 'save', category: 'technical', key: 'ci_host', value: 'build-3' },
        gives: { output: expect.objectContaining({ id: 1 }) },
      },
      save('Builds run on build-3'),
      { operation: 'memory_merge', input: { id: 2, from: 1 }, gives: { refused: 'invalid_input', says: /ci_host/ } },
    ],
  },
  {
    name: 'a possible conflict is listed until one replaces the other or both are said to hold',
    steps: [
      { operation: 'memory_conflicts', input: {}, gives: { output: { conflicts: [], has_more: false } } },
      save(older),
      {
        operation: 'memory_save',
        input: { content: newer },
        gives: { output: expect.objectContaining({ possible_conflict: expect.objectContaining({ id: 1 }) }) },
      },
      {
        operation: 'memory_conflicts',
        input: {},
        gives: {
          output: {
            conflicts: [
              {
                newer: line(2),
                older: line(1),
                similarity: expect.any(Number),
                found_at: expect.any(String),
              },
            ],
            has_more: false,
          },
        },
      },
      {
        operation: 'memory_settle',
        input: { id: 2, with: 1 },
        gives: { output: { id: 2, with: 1, settled: true } },
      },
      { operation: 'memory_conflicts', input: {}, gives: { output: { conflicts: [], has_more: false } } },
      {
        operation: 'memory_settle',
        input: { id: 2, with: 1, settled: false },
        gives: { output: { id: 2, with: 1, settled: false } },
      },
      {
        operation: 'memory_conflicts',
        input: {},
        gives: { output: expect.objectContaining({ conflicts: [expect.objectContaining({ newer: line(2) })] }) },
      },
      {
        operation: 'memory_update',
        input: { id: 2, supersedes: [1] },
        gives: { output: expect.objectContaining({ supersedes: [1] }) },
      },
      { operation: 'memory_conflicts', input: {}, gives: { output: { conflicts: [], has_more: false } } },
      { operation: 'memory_settle', input: { id: 2, with: 2 }, gives: { refused: 'invalid_input', field: 'with' } },
      { operation: 'memory_settle', input: { id: 2, with: 9 }, gives: { refused: 'not_found' } },
    ],
  },
  {
    name: 'the page opens by an address that hides its code from every server',
    except: { mcp: 'an agent may not open it' },
    steps: [
      {
        operation: 'open_page',
        input: {},
        gives: {
          output: {
            url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{43}$/),
            expires_at: expect.any(String),
          },
        },
      },
    ],
    volatile: ['url'],
  },
  {
    name: 'settings are listed with their origin, and clients with what they wrote',
    steps: [
      {
        operation: 'list_settings',
        input: {},
        gives: {
          output: {
            settings: expect.arrayContaining([
              {
                key: 'http.port',
                value: 0,
                origin: 'LOCI_PORT',
                default: 3456,
                allowed: expect.any(String),
                doc: expect.any(String),
              },
              expect.objectContaining({ key: 'merge.threshold', origin: 'default' }),
            ]),
          },
        },
      },
      save('Builds run on build-3', { agent: 'claude-code' }),
      {
        operation: 'list_agents',
        input: {},
        gives: {
          output: {
            agents: expect.arrayContaining([expect.objectContaining({ agent: 'claude-code', memories: 1 })]),
          },
        },
      },
    ],
    volatile: ['agents', 'changes'],
  },
];

testOnEverySurface(cases, daemonSurfaces);
