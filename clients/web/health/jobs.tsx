import { useSignal } from '@preact/signals';
import type { listJobs, runJob } from '#shared/contract/admin.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { act } from '../actions.ts';
import { call } from '../api.ts';
import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';

type Job = OutputOf<typeof listJobs>['jobs'][number];

/** The background jobs with their runs; each can be run now. */
export function Jobs({ jobs }: { jobs: readonly Job[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="wide-table" aria-label="Table of jobs" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Does</th>
            <th scope="col">Next</th>
            <th scope="col">Last run</th>
            <th scope="col">Runs before</th>
            <th scope="col">
              <span class="unseen">Run it</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <JobRow key={job.name} job={job} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function JobRow({ job }: { job: Job }) {
  const isRunning = useSignal(false);
  const [last, ...before] = job.last_runs;
  const run = async (): Promise<void> => {
    isRunning.value = true;
    await act([], `The job ${job.name} has run.`, async () => {
      const { outcome, error } = await call<typeof runJob>('run_job', { name: job.name });
      if (outcome === 'failed') throw new Error(`The job ${job.name} failed: ${error}`);
      return null;
    });
    isRunning.value = false;
  };
  return (
    <tr>
      <th scope="row">{job.name}</th>
      <td>
        <Text of={job.what} />
      </td>
      <td>{!job.enabled ? 'turned off' : job.next_run_at === null ? 'not planned' : <Ago at={job.next_run_at} />}</td>
      <td>{last === undefined ? <span class="muted">never</span> : <Run run={last} />}</td>
      <td class="muted">
        {before.slice(0, 4).map((one) => (
          <Run key={one.started_at} run={one} />
        ))}
      </td>
      <td>
        <button type="button" disabled={isRunning.value || job.running} onClick={() => void run()}>
          {isRunning.value || job.running ? 'Running …' : 'Run now'}
          <span class="unseen"> {job.name}</span>
        </button>
      </td>
    </tr>
  );
}

function Run({ run }: { run: Job['last_runs'][number] }) {
  const counts = Object.entries(run.counts).filter(([, count]) => count !== 0);
  return (
    <p>
      <span class={`health ${run.outcome === 'ok' ? 'ok' : 'degraded'}`}>{run.outcome}</span>{' '}
      <Ago at={run.started_at} />
      {run.duration_ms !== null && `, ${run.duration_ms} ms`}
      {counts.length > 0 && `, ${counts.map(([name, count]) => `${name} ${count}`).join(', ')}`}
      {run.error !== null && (
        <>
          : <Text of={run.error} />
        </>
      )}
    </p>
  );
}
