// Projects and jobs, on every surface: what a split name and a background job need so far.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const save = (content: string, project: string) => ({
  operation: 'memory_save',
  input: { content, project },
  gives: { output: expect.objectContaining({ outcome: 'created', project }) },
});

const cases: SurfaceCase[] = [
  {
    name: 'projects are listed newest first with what each holds, by a part of the name in any case, page by page',
    steps: [
      save('The cart keeps prices in cents', 'storefront'),
      save('Invoices go out on Mondays', 'billing'),
      {
        operation: 'list_projects',
        input: {},
        gives: {
          output: expect.objectContaining({
            projects: [
              expect.objectContaining({ id: 2, name: 'billing', memory_count: 1 }),
              expect.objectContaining({ id: 1, name: 'storefront', memory_count: 1 }),
            ],
            total: 2,
            has_more: false,
          }),
        },
      },
      {
        operation: 'list_projects',
        input: { name: 'STORE' },
        gives: { output: expect.objectContaining({ projects: [expect.objectContaining({ name: 'storefront' })] }) },
      },
      {
        operation: 'list_projects',
        input: { limit: 1, offset: 1 },
        gives: {
          output: expect.objectContaining({
            projects: [expect.objectContaining({ name: 'storefront' })],
            total: 2,
            has_more: false,
          }),
        },
      },
      {
        operation: 'list_projects',
        input: { limit: 101 },
        gives: { refused: 'invalid_input', field: 'limit', says: /100/ },
      },
    ],
  },
  {
    name: 'jobs are listed with their schedule and runs, and one that does not exist is not found',
    steps: [
      {
        operation: 'list_jobs',
        input: {},
        gives: {
          output: {
            jobs: expect.arrayContaining([
              expect.objectContaining({ name: 'reconcile', enabled: true, running: false, last_runs: [] }),
            ]),
          },
        },
      },
      { operation: 'run_job', input: { name: 'no_such_job' }, gives: { refused: 'not_found', says: /no_such_job/ } },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
