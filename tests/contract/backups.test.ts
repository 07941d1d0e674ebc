// Backups on every surface: made, listed, checked and brought back by the same steps.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const name = 'loci-20260105T090000000Z.tar.gz';
const made = expect.objectContaining({ name, sequence: 1, reason: 'manual', memories: 1 });
const save = (content: string) => ({
  operation: 'memory_save',
  input: { content, on_duplicate: 'keep' },
  gives: { output: expect.objectContaining({ outcome: 'created' }) },
});

const cases: SurfaceCase[] = [
  {
    name: 'a backup is made, listed, verified and restored, and what was there before is saved',
    steps: [
      { operation: 'list_backups', input: {}, gives: { output: { backups: [], damaged: [], rehearsed: null } } },
      { operation: 'restore_backup', input: { name: 'latest' }, gives: { refused: 'not_found', field: 'name' } },
      save('the cart keeps prices in cents'),
      { operation: 'create_backup', input: {}, gives: { output: made } },
      { operation: 'list_backups', input: {}, gives: { output: { backups: [made], damaged: [], rehearsed: null } } },
      { operation: 'verify_backup', input: { name }, gives: { output: made } },
      { operation: 'verify_backup', input: {}, gives: { output: made } },
      save('invoices go out on mondays'),
      {
        operation: 'restore_backup',
        input: { name: 'latest' },
        gives: { output: expect.objectContaining({ restored: made, saved_as: 'loci-20260105T090000000Z-2.tar.gz' }) },
      },
      { operation: 'memory_get', input: { id: 2 }, gives: { refused: 'not_found' } },
      {
        operation: 'memory_get',
        input: { id: 1 },
        gives: { output: expect.objectContaining({ content: 'the cart keeps prices in cents' }) },
      },
      {
        operation: 'list_backups',
        input: {},
        gives: {
          output: {
            backups: [expect.objectContaining({ sequence: 2, reason: 'before_restore', memories: 2 }), made],
            damaged: [],
            rehearsed: null,
          },
        },
      },
    ],
  },
  {
    name: 'a name that is none, or of nothing, is refused; a database that is whole is not repaired',
    steps: [
      {
        operation: 'repair_database',
        input: {},
        gives: { output: { fault: null, backup: null, recovered: 0, restored: 0, set_aside: null } },
      },
      {
        operation: 'restore_backup',
        input: { name: '../loci.db' },
        gives: { refused: 'invalid_input', field: 'name', says: /without a folder/ },
      },
      { operation: 'verify_backup', input: { name: 'notes.txt' }, gives: { refused: 'invalid_input', field: 'name' } },
      { operation: 'verify_backup', input: { name }, gives: { refused: 'not_found', says: /loci backup list/ } },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
