// Every SQL statement of the jobs room: a row for each run, and since when each job has been known.
import type { Selectable } from 'kysely';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { JobRunsTable } from '#daemon/storage/tables/store.ts';
import type { Counts } from './define-job.ts';

export type Outcome = 'running' | 'ok' | 'failed' | 'interrupted';

export type JobRun = {
  readonly job: string;
  readonly startedAtMs: number;
  /** Null while it runs, and for ever if the daemon was killed. */
  readonly finishedAtMs: number | null;
  readonly outcome: Outcome;
  readonly counts: Counts;
  /** One sentence that may be shown to anyone. */
  readonly error: string | null;
};

/** Rows kept of each job; older ones go with the next run. */
export const keptRuns = 200;

export async function insertRun(trx: Trx, job: string, startedAtMs: number): Promise<number> {
  const { id } = await trx
    .insertInto('job_runs')
    .values({ job, started_at: startedAtMs, outcome: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Writes the end of a run, and drops the runs of its job beyond the newest `keptRuns`. */
export async function finishRun(trx: Trx, id: number, run: JobRun): Promise<void> {
  await trx
    .updateTable('job_runs')
    .set({
      finished_at: run.finishedAtMs,
      outcome: run.outcome,
      counts: JSON.stringify(run.counts),
      error: run.error,
    })
    .where('id', '=', id)
    .execute();
  await pruneRuns(trx, run.job, keptRuns);
}

/** Drops all but the newest `keep` runs of a job; answers how many went. */
export async function pruneRuns(trx: Trx, job: string, keep: number): Promise<number> {
  const oldest = await trx
    .selectFrom('job_runs')
    .select('id')
    .where('job', '=', job)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(keep)
    .executeTakeFirst();
  if (oldest === undefined) return 0;
  const deleted = await trx
    .deleteFrom('job_runs')
    .where('job', '=', job)
    .where('id', '<=', oldest.id)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** Marks runs that a killed daemon left behind; answers how many. Only before the first run of this daemon. */
export async function markInterrupted(trx: Trx): Promise<number> {
  const updated = await trx
    .updateTable('job_runs')
    .set({ outcome: 'interrupted', error: 'The daemon ended while it ran.' })
    .where('outcome', '=', 'running')
    .executeTakeFirst();
  return Number(updated.numUpdatedRows);
}

/** The newest runs of a job, newest first. */
export async function lastRunsOf(db: Queries, job: string, limit: number): Promise<JobRun[]> {
  const rows = await db
    .selectFrom('job_runs')
    .selectAll()
    .where('job', '=', job)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(rowToRun);
}

/** When this store first knew the job: what a job that never ran counts from. Notes `nowMs` the first time. */
export async function knownSince(trx: Trx, job: string, nowMs: number): Promise<number> {
  const key = `job_known_since:${job}`;
  const row = await trx.selectFrom('store_facts').select('value').where('key', '=', key).executeTakeFirst();
  if (row !== undefined) return Number(row.value);
  await trx
    .insertInto('store_facts')
    .values({ key, value: String(nowMs) })
    .execute();
  return nowMs;
}

function rowToRun(row: Selectable<JobRunsTable>): JobRun {
  return {
    job: row.job,
    startedAtMs: row.started_at,
    finishedAtMs: row.finished_at,
    outcome: row.outcome as Outcome,
    counts: JSON.parse(row.counts) as Counts,
    error: row.error,
  };
}
