// Upkeep of what is derived or kept for a while: the vector table, the stored answers.

import type { Clock } from '#daemon/kernel/clock.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import { answerLifetimeMs } from '#daemon/storage/answers.ts';
import { pruneChanges } from '#daemon/storage/change-log.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import { defineJob, type Job } from './define-job.ts';

const minuteMs = 60_000;
/** How long the rows of finished runs are kept. */
const runLifetimeMs = 90 * 24 * 60 * minuteMs;

export type StorageJobsDeps = {
  readonly vectors: VectorIndex;
  readonly database: Database;
  readonly clock: Clock;
  /** How long the log of changes is kept. */
  readonly activityRetentionDays: number;
};

export function storageJobs(deps: StorageJobsDeps): Job[] {
  const { vectors, database, clock } = deps;
  return [
    defineJob({
      name: 'reconcile',
      what: 'Compares the vector table with the database and mends what differs.',
      defaultCron: '20 3 * * *',
      timeoutMs: 30 * minuteMs,
      run: async () => ({ ...(await vectors.reconcile()), flushed: await vectors.flush() }),
    }),
    defineJob({
      name: 'optimise',
      what: 'Compacts the vector table, drops its old versions, and builds its index when it is large enough.',
      defaultCron: '50 3 * * *',
      timeoutMs: 60 * minuteMs,
      run: async () => {
        await vectors.flush();
        const { bytesBefore, bytesAfter } = await vectors.optimise();
        return { bytes_before: bytesBefore, bytes_after: bytesAfter };
      },
    }),
    defineJob({
      name: 'prune',
      what: 'Drops answers kept for repeated requests after a day, rows of job runs after 90 days, and activity past its retention.',
      defaultCron: '40 4 * * *',
      timeoutMs: 10 * minuteMs,
      run: async ({ signal }) => {
        const dropped = await database.write(internalContext, async (trx) => {
          const answers = await trx
            .deleteFrom('idempotent_answers')
            .where('created_at', '<', clock.now() - answerLifetimeMs)
            .executeTakeFirst();
          const runs = await trx
            .deleteFrom('job_runs')
            .where('started_at', '<', clock.now() - runLifetimeMs)
            .executeTakeFirst();
          return { answers: Number(answers.numDeletedRows), runs: Number(runs.numDeletedRows) };
        });
        const injections = await pruneInjections(deps);
        return { ...dropped, injections, activity: await pruneActivity(deps, signal) };
      },
    }),
  ];
}

/** As long as the log of activity: both tell what happened. */
async function pruneInjections({ database, clock, activityRetentionDays }: StorageJobsDeps): Promise<number> {
  const beforeMs = clock.now() - activityRetentionDays * 24 * 60 * minuteMs;
  const pruned = await database.write(internalContext, (trx) =>
    trx.deleteFrom('injections').where('injected_at', '<', beforeMs).executeTakeFirst(),
  );
  return Number(pruned.numDeletedRows);
}

/** In small transactions, so that no save waits long behind one. */
async function pruneActivity(deps: StorageJobsDeps, signal: AbortSignal): Promise<number> {
  const beforeMs = deps.clock.now() - deps.activityRetentionDays * 24 * 60 * minuteMs;
  let pruned = 0;
  while (!signal.aborted) {
    const part = await deps.database.write(internalContext, (trx) => pruneChanges(trx, beforeMs));
    if (part === 0) break;
    pruned += part;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return pruned;
}
