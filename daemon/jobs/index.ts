// The door of the jobs room: rooms define jobs, this runs them by the clock and on demand.
import type { Clock } from '#daemon/kernel/clock.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { Operation } from '#daemon/kernel/operation.ts';
import type { Exclusive } from '#daemon/storage/exclusive.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import { parseCron, type Schedule } from './cron.ts';
import type { Job } from './define-job.ts';
import { type JobRun, knownSince, lastRunsOf, markInterrupted } from './job-runs.repository.ts';
import { jobsOperations } from './jobs.operations.ts';
import { createRunner, isElsewhere } from './run-job.ts';
import { createScheduler, type Planned } from './scheduler.ts';
import { systemTimers, type Timers } from './timers.ts';

export { defineJob, type Job, type JobTools } from './define-job.ts';
export type { JobRun } from './job-runs.repository.ts';
export { runToWords } from './jobs.operations.ts';
export { storageJobs } from './storage.jobs.ts';
export { systemTimers, type Timers } from './timers.ts';

export type JobsDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobs: readonly Job[];
  /** The settings by key, of which `jobs.<name>.cron`, `.enabled` and `.timeout_s` are read. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly timers?: Timers;
  /** A job runs on one daemon at a time. */
  readonly exclusive: Exclusive;
};

export type Jobs = {
  /** Marks the runs that a killed daemon left, and begins to fire; overdue jobs run once. */
  start(): Promise<void>;
  /** Fires nothing until the next `start`: another daemon does. What runs goes on. */
  pause(): void;
  /** Interrupts what runs and waits for it, at most five seconds. */
  stop(): Promise<void>;
  /** Whether the settings let a job run by itself. */
  isEnabled(name: string): boolean;
  /** Runs a job and waits. Throws `not_found` for a name that is none, `conflict` while another daemon runs it. */
  runNow(name: string): Promise<JobRun>;
  /** The last run of each job that ever ran. */
  lastRuns(): readonly JobRun[];
  readonly operations: readonly Operation[];
};

type Entry = { readonly job: Job; readonly schedule: Schedule; readonly enabled: boolean };

const patienceMs = 5_000;

/** Throws `invalid_input` for a schedule in the settings that is none. */
export function createJobs(deps: JobsDeps): Jobs {
  const timers = deps.timers ?? systemTimers;
  const entries = new Map(deps.jobs.map((job) => [job.name, entryOf(job, deps.settings)]));
  const last = new Map<string, JobRun>();
  const runner = createRunner({ ...deps, timers, changed: (run) => last.set(run.job, run) });
  const scheduler = createScheduler({ ...deps, timers, fire });

  function fire(name: string): void {
    const entry = entries.get(name);
    // still running: this time is skipped, so that a job slower than its schedule does not run without end
    if (entry === undefined || runner.isRunning(name)) return;
    runner.run(entry.job).catch((err: unknown) => {
      if (isElsewhere(err)) deps.logger.info({ job: name }, 'another daemon runs this job');
      else deps.logger.error({ err, job: name }, 'a job could not begin');
    });
  }

  async function runNow(name: string): Promise<JobRun> {
    const entry = entries.get(name);
    if (entry === undefined) throw unknownJob(name, [...entries.keys()]);
    return runner.run(entry.job);
  }

  return {
    async start() {
      const planned = await deps.database.write(internalContext, async (trx) => {
        await markInterrupted(trx);
        const plans: Planned[] = [];
        for (const { job, schedule, enabled } of entries.values()) {
          const runs = await lastRunsOf(trx, job.name, 2);
          if (runs[0] !== undefined) last.set(job.name, runs[0]);
          const doneAtMs = doneAt(runs) ?? (await knownSince(trx, job.name, deps.clock.now()));
          if (enabled) plans.push({ name: job.name, schedule, doneAtMs });
        }
        return plans;
      });
      scheduler.start(planned);
    },
    pause: () => scheduler.stop(),
    async stop() {
      scheduler.stop();
      await runner.stop(patienceMs);
    },
    isEnabled: (name) => entries.get(name)?.enabled ?? false,
    runNow,
    lastRuns: () => [...last.values()],
    operations: jobsOperations({
      db: deps.database.db,
      runNow,
      states: () =>
        [...entries.values()].map(({ job: { name, what }, schedule, enabled }) => ({
          name,
          what,
          cron: schedule.cron,
          enabled,
          running: runner.isRunning(name),
          nextRunMs: enabled ? (scheduler.nextMs(name) ?? schedule.next(deps.clock.now())) : null,
        })),
    }),
  };
}

function entryOf(job: Job, settings: JobsDeps['settings']): Entry {
  const setting = (key: string) => settings[`jobs.${job.name}.${key}`] ?? undefined;
  const cron = setting('cron');
  const timeoutS = setting('timeout_s');
  return {
    job: typeof timeoutS === 'number' ? { ...job, timeoutMs: timeoutS * 1000 } : job,
    schedule: parseCron(typeof cron === 'string' && cron !== '' ? cron : job.defaultCron, `jobs.${job.name}.cron`),
    enabled: setting('enabled') !== false,
  };
}

/**
 * When a job was last done, from its newest runs; null if never. One that was interrupted is repeated at the next start,
 * but not twice in a row: a job that ends the daemon must not do so at each start.
 */
function doneAt([newest, before]: readonly JobRun[]): number | null {
  if (newest === undefined) return null;
  if (newest.outcome === 'interrupted' && before?.outcome !== 'interrupted') return 0;
  return Math.max(newest.startedAtMs, newest.finishedAtMs ?? 0);
}

function unknownJob(name: string, names: readonly string[]): LociError {
  return new LociError('not_found', `There is no job named "${name}". The jobs are ${names.join(', ')}.`, {
    name: 'no such job',
    names,
  });
}
