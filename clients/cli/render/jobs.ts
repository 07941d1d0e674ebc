import type { z } from 'zod';
import { listJobs, runJob } from '#shared/contract/admin.ts';
import type { jobRun } from '#shared/contract/overview.ts';
import { ageOf, durationText } from './age.ts';
import { rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { table } from './table.ts';

type JobRun = z.output<typeof jobRun>;

export const listJobsRenderer = rendererFor(listJobs, (output, view) => ({
  result: table(
    [{ head: 'JOB', paint: view.style.cyan }, { head: 'CRON' }, { head: 'NEXT' }, { head: 'LAST' }, { head: 'DOES' }],
    output.jobs.map((job) => [
      job.name,
      job.cron,
      nextText(job),
      job.last_runs[0] === undefined ? 'never' : lastText(job.last_runs[0], view),
      job.what,
    ]),
    view,
  ),
}));

export const runJobRenderer = rendererFor(runJob, (run) => ({
  result: `${run.job}: ${run.outcome}${run.duration_ms === null ? '' : ` in ${durationText(run.duration_ms)}`}${countsText(run)}`,
  notices: run.error === null ? [] : [`The job failed: ${run.error}`],
}));

/** The runs of several jobs, one a line. */
export function runTable(runs: readonly JobRun[], view: View): string {
  return table(
    [
      { head: 'JOB', paint: view.style.cyan },
      { head: 'AGE', align: 'right' },
      { head: 'TOOK', align: 'right' },
      { head: 'OUTCOME' },
    ],
    runs.map((run) => [
      run.job,
      ageOf(run.started_at, view.nowMs),
      run.duration_ms === null ? '' : durationText(run.duration_ms),
      `${run.outcome}${countsText(run)}${run.error === null ? '' : `: ${run.error}`}`,
    ]),
    view,
  );
}

function nextText(job: { enabled: boolean; running: boolean; next_run_at: string | null }): string {
  if (job.running) return 'running';
  return job.enabled ? (job.next_run_at ?? 'not planned') : 'off';
}

function lastText(run: JobRun, view: View): string {
  return `${run.outcome} ${ageOf(run.started_at, view.nowMs)}`;
}

function countsText(run: JobRun): string {
  const counts = Object.entries(run.counts).map(([name, count]) => `${name} ${count}`);
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}
