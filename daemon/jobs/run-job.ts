// One run of a job: a row when it begins, a row when it ends, whatever happens between. A job never overlaps itself: who asks
// for it while it runs gets that run. One that ignores its signal is reported as failed in time, but stays in its slot.
import type { Clock } from '#daemon/kernel/clock.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { Exclusive } from '#daemon/storage/exclusive.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import type { Counts, Job } from './define-job.ts';
import { finishRun, insertRun, type JobRun } from './job-runs.repository.ts';
import type { Timers } from './timers.ts';

export type RunnerDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers: Timers;
  readonly exclusive: Exclusive;
  /** Told of each run as it begins and as it ends. */
  readonly changed: (run: JobRun) => void;
};

export type Runner = {
  isRunning(name: string): boolean;
  /** Runs a job, or joins its present run. Throws when the run could not be recorded, and `conflict` while another daemon runs the job; a failure is in the answer. */
  run(job: Job): Promise<JobRun>;
  /** Interrupts what runs and waits for it, at most `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
};

type Slot = { readonly abort: AbortController; readonly run: Promise<JobRun>; ended: Promise<unknown> };
type End = Pick<JobRun, 'outcome' | 'counts' | 'error'>;

const timedOut = Symbol('timed out');
const stopping = Symbol('stopping');

export function createRunner(deps: RunnerDeps): Runner {
  const slots = new Map<string, Slot>();
  let stopped = false;

  return {
    isRunning: (name) => slots.has(name),
    async run(job) {
      if (stopped) throw new LociError('unavailable', 'The daemon is stopping: try again once it runs.');
      const present = slots.get(job.name);
      if (present !== undefined) return present.run;
      const abort = new AbortController();
      const slot: Slot = { abort, run: Promise.resolve().then(() => record(job, slot)), ended: Promise.resolve() };
      slots.set(job.name, slot);
      const free = () => slots.delete(job.name);
      slot.run.then(
        () => slot.ended.finally(free).catch(() => undefined),
        () => free(),
      );
      return slot.run;
    },
    async stop(patienceMs) {
      stopped = true;
      const ends = [...slots.values()].map(async (slot) => {
        slot.abort.abort(stopping);
        await slot.run.catch(() => undefined);
        await slot.ended.catch(() => undefined);
      });
      let timer: unknown;
      const patience = new Promise<void>((resolve) => {
        timer = deps.timers.set(resolve, patienceMs);
      });
      await Promise.race([Promise.all(ends), patience]);
      deps.timers.clear(timer);
    },
  };

  async function record(job: Job, slot: Slot): Promise<JobRun> {
    const release = await deps.exclusive(`job ${job.name}`);
    if (release === null) throw elsewhere(job);
    try {
      return await recordAlone(job, slot);
    } finally {
      // one that does not heed its signal is still at work
      void slot.ended.catch(() => undefined).then(release);
    }
  }

  async function recordAlone(job: Job, slot: Slot): Promise<JobRun> {
    const startedAtMs = deps.clock.now();
    const begun: JobRun = {
      job: job.name,
      startedAtMs,
      finishedAtMs: null,
      outcome: 'running',
      counts: {},
      error: null,
    };
    const id = await deps.database.write(internalContext, (trx) => insertRun(trx, job.name, startedAtMs));
    deps.changed(begun);
    const end = await perform(job, slot);
    const ended: JobRun = { ...begun, finishedAtMs: deps.clock.now(), ...end };
    deps.changed(ended);
    await deps.database
      .write(internalContext, (trx) => finishRun(trx, id, ended))
      .catch((err: unknown) => deps.logger.error({ err, job: job.name }, 'the end of a job was not recorded'));
    const { outcome, counts } = ended;
    deps.logger.info({ job: job.name, outcome, counts, durationMs: deps.clock.now() - startedAtMs }, 'job ended');
    return ended;
  }

  /** How the work ended, or that it was given up. */
  async function perform(job: Job, slot: Slot): Promise<End> {
    const { signal } = slot.abort;
    if (signal.aborted) return whyGivenUp(signal, job);
    const timer = deps.timers.set(() => slot.abort.abort(timedOut), job.timeoutMs);
    const logger = deps.logger.child({ job: job.name });
    const work = Promise.resolve().then(() => job.run({ signal, logger, clock: deps.clock }));
    slot.ended = work;
    const givenUp = new Promise<End>((resolve) => {
      signal.addEventListener('abort', () => resolve(whyGivenUp(signal, job)), { once: true });
    });
    try {
      return await Promise.race([
        work.then(
          (counts) => ok(counts),
          (error: unknown) => failed(error, job),
        ),
        givenUp,
      ]);
    } finally {
      deps.timers.clear(timer);
    }
  }

  function failed(error: unknown, job: Job): End {
    deps.logger.error({ err: error, job: job.name }, 'job failed');
    const sentence = error instanceof LociError ? error.message : 'It failed unexpectedly: the log says why.';
    return { outcome: 'failed', counts: {}, error: sentence };
  }
}

function elsewhere({ name }: Job): LociError {
  return new LociError(
    'conflict',
    `Another daemon of the team runs "${name}" at present: try again when it has ended.`,
    {
      cause: runsElsewhere,
    },
  );
}

const runsElsewhere = 'runs_elsewhere';

/** Whether a job was not begun because another daemon runs it. */
export function isElsewhere(error: unknown): boolean {
  return error instanceof LociError && error.details.cause === runsElsewhere;
}

function ok(counts: Counts): End {
  const numbers = Object.entries(counts).filter(([, count]) => Number.isFinite(count));
  return { outcome: 'ok', counts: Object.fromEntries(numbers), error: null };
}

function whyGivenUp(signal: AbortSignal, job: Job): End {
  return signal.reason === timedOut
    ? { outcome: 'failed', counts: {}, error: `It did not end within ${job.timeoutMs / 1000} s.` }
    : { outcome: 'interrupted', counts: {}, error: 'The daemon stopped while it ran.' };
}
