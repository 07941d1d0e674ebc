// Whole-store work: jobs. Listed by discovery only under the category `admin`.
import { z } from 'zod';
import { text, utc } from './common.ts';
import { defineContract, readOnlyHints, updateHints } from './operation.ts';
import { jobRun } from './overview.ts';

export const listJobs = defineContract({
  name: 'list_jobs',
  title: 'List jobs',
  description: 'List the background jobs: schedule, next run and last runs with duration, counts and error.',
  category: 'admin',
  input: z.strictObject({}),
  output: z.object({
    jobs: z.array(
      z.object({
        name: z.string(),
        what: z.string(),
        cron: z.string(),
        enabled: z.boolean(),
        running: z.boolean(),
        next_run_at: utc.nullable(),
        last_runs: z.array(jobRun),
      }),
    ),
  }),
  hints: readOnlyHints,
  scope: 'admin',
  http: [{ method: 'GET', path: '/api/v1/jobs' }],
  cli: { command: 'jobs list' },
});

export const runJob = defineContract({
  name: 'run_job',
  title: 'Run a job',
  description: 'Run one background job now, wait for it and answer the run.',
  category: 'admin',
  input: z.strictObject({ name: text(100), idempotency_key: text(200).optional() }),
  output: jobRun,
  examples: [{ name: 'clean' }],
  hints: updateHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/api/v1/jobs/:name/run' }],
  cli: { command: 'jobs run', positional: ['name'] },
});

export const adminContracts = [listJobs, runJob] as const;
