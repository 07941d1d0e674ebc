import { describe, expect } from 'vitest';
import {
  createNamedRestSurface,
  createRestSurface,
  type SurfaceCase,
  testOnEverySurface,
} from '../../support/contract-surfaces.ts';
import { openHttpSurface } from '../../support/http-surface.ts';
import { noteOperations } from '../../support/note-operations.ts';

const cases: SurfaceCase[] = [
  {
    name: 'what was saved is read back by its id',
    steps: [
      {
        operation: 'note_save',
        input: { content: 'one', tags: ['a', 'A', 'b'] },
        gives: { output: { id: 1, content: 'one', tags: ['a', 'b'], outcome: 'created' } },
      },
      {
        operation: 'note_get',
        input: ([saved]) => ({ id: (saved as { id: number }).id }),
        gives: { output: { id: 1, content: 'one', tags: ['a', 'b'] } },
      },
      { operation: 'note_get', input: { id: 9 }, gives: { refused: 'not_found', says: 'Note 9 not found.' } },
    ],
  },
  {
    name: 'B04, B08, B15 what is out of range or unknown is refused in the same words',
    steps: [
      {
        operation: 'note_search',
        input: { query: 'x', limit: 51 },
        gives: { refused: 'invalid_input', field: 'limit' },
      },
      {
        operation: 'note_search',
        input: { query: 'x', limt: 5 },
        gives: { refused: 'invalid_input', says: /did you mean `limit`/ },
      },
      { operation: 'note_search', input: { query: ' ' }, gives: { refused: 'invalid_input', field: 'query' } },
      { operation: 'note_get', input: { id: 2 ** 53 }, gives: { refused: 'invalid_input', field: 'id' } },
      { operation: 'note_get', input: {}, gives: { refused: 'invalid_input', field: 'id', says: '`id` is required.' } },
    ],
  },
  {
    name: 'lists, aliases and switches mean the same in a query as in a body',
    steps: [
      {
        operation: 'note_search',
        input: { query: 'a,b & c', project_ids: [3, 1], deep: true },
        gives: { output: { query: 'a,b & c', limit: 5, project_ids: [3, 1], deep: true } },
      },
      {
        operation: 'note_search',
        input: { query: 'x', project_ids: [] },
        gives: { output: expect.objectContaining({ project_ids: [] }) },
      },
      { operation: 'note_erase', input: { id: 4 }, gives: { output: { erased: 4 } } },
      { operation: 'note_hide', input: { id: 4, reason: 'ä' }, gives: { output: { hidden: 4, reason: 'ä' } } },
      { operation: 'note_update', input: { id: 4, source: null }, gives: { output: { given: { source: null } } } },
    ],
  },
];

const contracts = noteOperations([]).map(({ contract }) => contract);

describe('REST by route and by name', () => {
  testOnEverySurface(cases, {
    rest: async () => createRestSurface((await openHttpSurface(noteOperations([]))).socket, contracts),
    'rest by name': async () => createNamedRestSurface((await openHttpSurface(noteOperations([]))).socket),
  });
});
