import type { z } from 'zod';
import { toUtc } from '#daemon/kernel/clock.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import type { Db } from '#daemon/storage/sqlite.ts';
import { listJobs, runJob } from '#shared/contract/admin.ts';
import type { jobRun } from '#shared/contract/overview.ts';
import { type JobRun, lastRunsOf } from './job-runs.repository.ts';

export type JobState = {
  readonly name: string;
  readonly what: string;
  readonly cron: string;
  readonly enabled: boolean;
  readonly running: boolean;
  readonly nextRunMs: number | null;
};

export type JobsOperationsDeps = {
  readonly db: Db;
  readonly states: () => readonly JobState[];
  readonly runNow: (name: string) => Promise<JobRun>;
};

/** Runs shown of each job. */
const shownRuns = 5;

export function jobsOperations(deps: JobsOperationsDeps): Operation[] {
  return [
    implement(listJobs, async () => {
      const jobs = [];
      for (const { nextRunMs, ...state } of deps.states()) {
        const runs = await lastRunsOf(deps.db, state.name, shownRuns);
        jobs.push({ ...state, next_run_at: toUtc(nextRunMs), last_runs: runs.map(runToWords) });
      }
      return { jobs };
    }),
    implement(runJob, async ({ name }) => runToWords(await deps.runNow(name))),
  ];
}

/** A run in the words of the contract. */
export function runToWords(run: JobRun): z.output<typeof jobRun> {
  const { job, startedAtMs, finishedAtMs, outcome, counts, error } = run;
  return {
    job,
    started_at: toUtc(startedAtMs),
    finished_at: toUtc(finishedAtMs),
    // a clock set back in between gives no negative time
    duration_ms: finishedAtMs === null ? null : Math.max(0, Math.round(finishedAtMs - startedAtMs)),
    outcome,
    counts: { ...counts },
    error,
  };
}
