import type { Clock } from '#daemon/kernel/clock.ts';
import type { Logger } from '#daemon/kernel/logger.ts';

/** What a job gets for one run. */
export type JobTools = {
  /** Aborted when the run takes too long or the daemon stops; a job checks it between its transactions. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly clock: Clock;
};

/** How many things a run handled, by name: `{ archived: 3 }`. */
export type Counts = Readonly<Record<string, number>>;

export type Job = {
  /** `flush_accesses`: what settings, `list_jobs` and `run_job` call it. */
  readonly name: string;
  /** One sentence for people. */
  readonly what: string;
  /** Local time, five fields (six with seconds first); settings may replace it. */
  readonly defaultCron: string;
  readonly timeoutMs: number;
  /** Must be safe to repeat after being killed anywhere. A throw is recorded, never passed on. */
  readonly run: (tools: JobTools) => Promise<Counts>;
};

/** Declares one job; it only fixes the type, so a job is plain data. */
export function defineJob(job: Job): Job {
  return job;
}
