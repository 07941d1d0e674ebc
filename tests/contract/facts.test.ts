// The page `memory-tool` of the contract, on every surface.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const save = (input: object) => ({ operation: 'memory', input: { action: 'save', ...input } });
const fact = { category: 'technical', key: 'ci_host', value: 'The runner is in the cellar' };
const saved = { action: 'save', category: 'technical', key: 'ci_host', created: true, id: 1, expires_at: null };

const cases: SurfaceCase[] = [
  {
    name: 'a fact is saved, found, overwritten under its key, and listed by category',
    steps: [
      { ...save(fact), gives: { output: saved } },
      {
        operation: 'memory',
        input: { action: 'search', query: 'where is the runner?' },
        gives: {
          output: {
            facts: [
              {
                ...fact,
                src: 'conversation',
                conf: 70,
                ctx: null,
                updated_at: '2026-01-05T09:00:00.000Z',
                expires_at: null,
              },
            ],
          },
        },
      },
      { ...save({ ...fact, value: 'The runner is in the attic' }), gives: { output: { ...saved, created: false } } },
      {
        operation: 'memory',
        input: { action: 'list' },
        gives: { output: { categories: [{ category: 'technical', facts: 1, updated_at: expect.any(String) }] } },
      },
      {
        operation: 'memory_history',
        input: { id: 1 },
        gives: {
          output: {
            id: 1,
            versions: [
              expect.objectContaining({ version: 2, content: 'The runner is in the attic' }),
              expect.objectContaining({ version: 1, content: 'The runner is in the cellar' }),
            ],
          },
        },
      },
    ],
  },
  {
    name: 'what a save lacks is named, one message for each',
    steps: [
      { ...save({ key: 'a', value: 'b' }), gives: { refused: 'invalid_input', field: 'category', says: /category/ } },
      { ...save({ category: 'other', value: 'b' }), gives: { refused: 'invalid_input', field: 'key', says: /key/ } },
      { ...save({ category: 'other', key: 'a' }), gives: { refused: 'invalid_input', field: 'value', says: /value/ } },
      { ...save({ category: 'other', key: 'a', value: '  ' }), gives: { refused: 'invalid_input', field: 'value' } },
    ],
  },
  {
    name: 'a category that is none names the five, and a key that is no snake_case shows the corrected one',
    steps: [
      {
        ...save({ ...fact, category: 'tech' }),
        gives: {
          refused: 'invalid_input',
          field: 'category',
          says: /profile.*preferences.*technical.*projects.*other/,
        },
      },
      { ...save({ ...fact, key: 'CI Host' }), gives: { refused: 'invalid_input', field: 'key', says: /ci_host/ } },
      { ...save({ ...fact, key: 'a'.repeat(101) }), gives: { refused: 'invalid_input', field: 'key' } },
    ],
  },
  {
    name: 'confidence is clamped and rounded, a source that is none becomes conversation, days may be fractions',
    steps: [
      {
        ...save({ ...fact, confidence: 250.4, source: 'a_guess', expires_days: 0.5, source_context: 'standup' }),
        gives: { output: { ...saved, expires_at: '2026-01-05T21:00:00.000Z' } },
      },
      {
        operation: 'memory',
        input: { action: 'search', query: 'runner' },
        gives: { output: { facts: [expect.objectContaining({ conf: 100, src: 'conversation', ctx: 'standup' })] } },
      },
      { ...save({ ...fact, confidence: 'high' }), gives: { refused: 'invalid_input', field: 'confidence' } },
      { ...save({ ...fact, expires_days: 0 }), gives: { refused: 'invalid_input', field: 'expires_days' } },
      {
        ...save({ ...fact, value: 'x'.repeat(2001) }),
        gives: { refused: 'invalid_input', field: 'value', says: /2000/ },
      },
      { ...save({ ...fact, value: '😀'.repeat(2000) }), gives: { output: { ...saved, created: false } } },
    ],
  },
  {
    name: 'B10 what is forgotten is gone, and can be saved again as one live fact',
    steps: [
      { ...save(fact), gives: { output: saved } },
      { operation: 'memory', input: { action: 'forget', key: 'ci_host' }, gives: { output: { deleted: 1 } } },
      { operation: 'memory', input: { action: 'forget', key: 'ci_host' }, gives: { refused: 'not_found' } },
      { operation: 'memory_get', input: { id: 1 }, gives: { refused: 'not_found' } },
      { operation: 'memory', input: { action: 'search', query: 'runner' }, gives: { output: { facts: [] } } },
      { ...save(fact), gives: { output: { ...saved, id: 2 } } },
      {
        operation: 'memory_search',
        input: { query: 'runner cellar', depth: 1 },
        gives: { output: expect.objectContaining({ results: [expect.objectContaining({ id: 2 })] }) },
      },
    ],
  },
  {
    name: 'forget without a category forgets the key in every category',
    steps: [
      { ...save(fact), gives: { output: saved } },
      { ...save({ ...fact, category: 'projects' }), gives: { output: { ...saved, category: 'projects', id: 2 } } },
      { operation: 'memory', input: { action: 'forget', key: 'ci_host' }, gives: { output: { deleted: 2 } } },
      { operation: 'memory', input: { action: 'list' }, gives: { output: { categories: [] } } },
    ],
  },
  {
    name: 'B03 a blank query is refused by name, one without a letter or digit finds nothing',
    steps: [
      { operation: 'memory', input: { action: 'search' }, gives: { refused: 'invalid_input', field: 'query' } },
      {
        operation: 'memory',
        input: { action: 'search', query: ' \t' },
        gives: { refused: 'invalid_input', field: 'query' },
      },
      { operation: 'memory', input: { action: 'search', query: '***' }, gives: { output: { facts: [] } } },
    ],
  },
  {
    name: 'a credential is refused with the advice to say where it lives',
    steps: [
      {
        ...save({ ...fact, value: ['password', 'hunter2hunter2X9'].join(' = ') }),
        gives: { refused: 'rejected_by_policy', says: /where/ },
      },
      { operation: 'memory', input: { action: 'list' }, gives: { output: { categories: [] } } },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
