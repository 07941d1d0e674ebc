// What is said about imports on every surface; the bytes of exports and imports are driven in tests/integration/transfer and tests/e2e/transfer.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

type Begun = { readonly import_id: string };

const empty = {
  state: 'uploading',
  dry_run: false,
  received_bytes: 0,
  progress: { done: 0, total: 0, unit: 'bytes' },
  report: null,
  error: null,
  error_code: null,
};
const idOf = (earlier: readonly unknown[]) => ({ import_id: (earlier[0] as Begun).import_id });

const cases: SurfaceCase[] = [
  {
    name: 'an import is begun, looked at, and given up',
    volatile: ['import_id'],
    steps: [
      { operation: 'start_import', input: {}, gives: { output: expect.objectContaining(empty) } },
      { operation: 'get_import', input: idOf, gives: { output: expect.objectContaining(empty) } },
      { operation: 'run_import', input: idOf, gives: { refused: 'conflict', says: /Nothing was uploaded/ } },
      { operation: 'cancel_import', input: idOf, gives: { output: expect.objectContaining({ success: true }) } },
      { operation: 'get_import', input: idOf, gives: { refused: 'not_found', says: /start_import/ } },
    ],
  },
  {
    name: 'an import is told what it reads, from a list',
    volatile: ['import_id'],
    steps: [
      {
        operation: 'start_import',
        input: { from: 'mem0', dry_run: true, skip_invalid: true, project: 'storefront' },
        gives: { output: expect.objectContaining({ ...empty, dry_run: true }) },
      },
      { operation: 'start_import', input: { from: 'msword' }, gives: { refused: 'invalid_input', field: 'from' } },
      { operation: 'start_import', input: { path: '/etc/passwd' }, gives: { refused: 'invalid_input', says: /path/ } },
      { operation: 'run_import', input: { import_id: 'none' }, gives: { refused: 'not_found' } },
      { operation: 'cancel_import', input: { import_id: '../x' }, gives: { refused: 'not_found' } },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
