import { describe, expect, it } from 'vitest';
import { createJobs, defineJob, type Job, type JobTools } from '#daemon/jobs/index.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import { createInvoke } from '#daemon/kernel/invoke.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createRegistry } from '#daemon/kernel/registry.ts';
import { createAnswerStore } from '#daemon/storage/answers.ts';
import { aloneIsExclusive } from '#daemon/storage/exclusive.ts';
import { LociError } from '#shared/errors.ts';
import { createFakeClock, dayMs } from '../../support/fake-clock.ts';
import { createFakeTimers } from '../../support/fake-timers.ts';
import { openTempDatabase, type TempDatabase } from '../../support/temp-database.ts';
import { useTimeZone } from '../../support/time-zone.ts';

function job(name: string, run: Job['run'], defaultCron = '0 3 * * *'): Job {
  return defineJob({ name, what: `Does ${name}.`, defaultCron, timeoutMs: 60_000, run });
}

/** A job whose runs end when told to. */
function slow(name: string, defaultCron?: string) {
  const begun: { tools: JobTools; end: (counts?: Record<string, number>) => void }[] = [];
  const run: Job['run'] = (tools) =>
    new Promise((resolve) => begun.push({ tools, end: (counts = {}) => resolve(counts) }));
  return { begun, job: job(name, run, defaultCron) };
}

async function house(
  jobs: readonly Job[],
  options: { store?: TempDatabase; settings?: Record<string, unknown>; startAt?: string } = {},
) {
  useTimeZone('UTC');
  const clock = options.store?.clock ?? createFakeClock(Date.parse(options.startAt ?? '2026-01-05T09:00:00Z'));
  const store = options.store ?? (await openTempDatabase(clock));
  const timers = createFakeTimers(clock);
  const { database } = store;
  const room = createJobs({
    database,
    clock,
    logger: silentLogger,
    jobs,
    settings: options.settings ?? {},
    timers,
    exclusive: aloneIsExclusive,
  });
  const invoke = createInvoke({
    registry: createRegistry(room.operations),
    answers: createAnswerStore(database, clock),
  });
  const rows = () => database.db.selectFrom('job_runs').selectAll().orderBy('id').execute();
  /** Lets everything that was begun get as far as it can. */
  const settle = async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const until = (time: string) => timers.advanceTo(Date.parse(time), settle);
  const call = (name: string, input: unknown) =>
    invoke(name, input, internalContext) as Promise<Record<string, unknown>>;
  return { ...store, clock, timers, room, call, rows, settle, until };
}

describe('a run', () => {
  it('is a row with its times, counts and outcome', async () => {
    const { room, rows, clock } = await house([
      job('clean', async ({ clock: given }) => {
        clock.advance(1_500);
        return { archived: 3, at: given.now() === clock.now() ? 1 : 0, odd: Number.NaN };
      }),
    ]);
    const run = await room.runNow('clean');
    expect(run).toMatchObject({ job: 'clean', outcome: 'ok', counts: { archived: 3, at: 1 }, error: null });
    expect(await rows()).toMatchObject([
      {
        job: 'clean',
        outcome: 'ok',
        started_at: run.startedAtMs,
        finished_at: run.startedAtMs + 1_500,
        counts: '{"archived":3,"at":1}',
      },
    ]);
    expect(room.lastRuns()).toEqual([run]);
  });

  it('that throws is recorded as failed, and says no more than it may', async () => {
    const { room } = await house([
      job('plain', async () => {
        throw new Error('ENOENT: /home/me/secret');
      }),
      job('known', () => {
        throw new LociError('unavailable', 'The disk is full.');
      }),
    ]);
    expect(await room.runNow('plain')).toMatchObject({
      outcome: 'failed',
      error: 'It failed unexpectedly: the log says why.',
    });
    expect(await room.runNow('known')).toMatchObject({ outcome: 'failed', error: 'The disk is full.' });
  });

  it('that takes too long is aborted and recorded as failed; its slot is free once it has ended', async () => {
    const { begun, job: stuck } = slow('stuck');
    const { room, timers, clock, settle, call } = await house([stuck], { settings: { 'jobs.stuck.timeout_s': 2 } });
    const running = room.runNow('stuck');
    await settle();
    await timers.advanceTo(clock.now() + 2_000);
    expect(await running).toMatchObject({ outcome: 'failed', error: 'It did not end within 2 s.' });
    expect(begun[0]?.tools.signal.aborted).toBe(true);
    expect(await call('list_jobs', {})).toMatchObject({ jobs: [{ running: true }] });
    begun[0]?.end();
    await settle();
    expect(await call('list_jobs', {})).toMatchObject({ jobs: [{ running: false }] });
  });

  it('never overlaps itself: who asks meanwhile gets the same run', async () => {
    const { begun, job: once } = slow('once');
    const { room, rows, settle } = await house([once]);
    const both = [room.runNow('once'), room.runNow('once')];
    await settle();
    expect(begun).toHaveLength(1);
    begun[0]?.end({ done: 1 });
    const [first, second] = await Promise.all(both);
    expect(second).toEqual(first);
    expect(await rows()).toHaveLength(1);
  });

  it('keeps the newest two hundred rows of its job and all of the others', async () => {
    const { room, rows, clock } = await house([job('often', async () => ({})), job('rare', async () => ({}))]);
    await room.runNow('rare');
    for (let run = 0; run < 230; run += 1) {
      clock.advance(1_000);
      await room.runNow('often');
    }
    const kept = await rows();
    expect(kept.filter((row) => row.job === 'often')).toHaveLength(200);
    expect(kept.filter((row) => row.job === 'rare')).toHaveLength(1);
    expect(kept.at(-1)?.started_at).toBe(clock.now());
  });
});

describe('the clock', () => {
  it('runs a daily job once on each of 400 days', async () => {
    let runs = 0;
    const { room, timers, clock, rows } = await house([
      job('clean', async () => {
        runs += 1;
        return { runs };
      }),
    ]);
    await room.start();
    let seen = 0;
    await timers.advanceTo(clock.now() + 400 * dayMs, async () => {
      const [latest] = room.lastRuns();
      if (latest === undefined || latest.startedAtMs === seen) return;
      seen = latest.startedAtMs;
      await new Promise((resolve) => setImmediate(resolve));
    });
    await room.stop();
    expect(runs).toBe(400);
    expect(await rows()).toHaveLength(200);
  });

  it('skips the times at which the job still runs', async () => {
    const { begun, job: minute } = slow('minute', '* * * * *');
    const { room, until, rows, settle } = await house([minute]);
    await room.start();
    await until('2026-01-05T09:03:30Z');
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    await settle();
    await until('2026-01-05T09:04:30Z');
    expect(begun).toHaveLength(2);
    expect(await rows()).toHaveLength(2);
  });

  it('after downtime runs each overdue job once, and one that never ran counts from the first start', async () => {
    const names: string[] = [];
    const jobs = ['ran', 'never'].map((name) =>
      job(name, async () => {
        names.push(name);
        return {};
      }),
    );
    const first = await house(jobs, { startAt: '2026-01-05T09:00:00Z' });
    await first.room.start();
    await first.room.runNow('ran');
    await first.room.stop();
    names.length = 0;
    first.clock.set(Date.parse('2026-01-09T09:00:00Z'));
    const second = await house(jobs, { store: first });
    await second.room.start();
    await second.until('2026-01-10T02:00:00Z');
    expect(names.sort()).toEqual(['never', 'ran']);
  });

  it('does not run what settings turn off, and runs at the time that settings give', async () => {
    const runs: string[] = [];
    const jobs = ['off', 'moved'].map((name) =>
      job(name, async ({ clock }) => {
        runs.push(`${name} ${new Date(clock.now()).toISOString()}`);
        return {};
      }),
    );
    const settings = { 'jobs.off.enabled': false, 'jobs.off.cron': null, 'jobs.moved.cron': '15 10 * * *' };
    const { room, until, call } = await house(jobs, { settings });
    await room.start();
    await until('2026-01-05T23:00:00Z');
    expect(runs).toEqual(['moved 2026-01-05T10:15:00.000Z']);
    expect(await call('list_jobs', {})).toMatchObject({
      jobs: [
        { name: 'off', enabled: false, next_run_at: null },
        { name: 'moved', enabled: true, cron: '15 10 * * *', next_run_at: '2026-01-06T10:15:00.000Z' },
      ],
    });
    expect((await call('run_job', { name: 'off' })).outcome).toBe('ok');
  });

  it('a schedule in the settings that is none stops the start and names the setting', async () => {
    await expect(
      house([job('clean', async () => ({}))], { settings: { 'jobs.clean.cron': '99 * * * *' } }),
    ).rejects.toMatchObject({ code: 'invalid_input', details: { 'jobs.clean.cron': expect.any(String) } });
  });
});

describe('the end of the daemon', () => {
  it('interrupts what runs, waits for it, and refuses new runs', async () => {
    const { begun, job: long } = slow('long');
    const { room, rows, settle } = await house([long]);
    const running = room.runNow('long');
    await settle();
    begun[0]?.tools.signal.addEventListener('abort', () => begun[0]?.end());
    await room.stop();
    expect(await running).toMatchObject({ outcome: 'interrupted', error: 'The daemon stopped while it ran.' });
    expect(await rows()).toMatchObject([{ outcome: 'interrupted' }]);
    await expect(room.runNow('long')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('does not wait longer than five seconds for a job that ignores its signal', async () => {
    const { job: deaf } = slow('deaf');
    const { room, timers, clock, settle } = await house([deaf]);
    void room.runNow('deaf');
    await settle();
    const stopped = room.stop();
    await settle();
    await timers.advanceTo(clock.now() + 5_000);
    await expect(stopped).resolves.toBeUndefined();
  });

  it('by a kill leaves a row that the next start marks as interrupted and repeats once, not twice in a row', async () => {
    let runs = 0;
    const counted = job('backup', async () => {
      runs += 1;
      return {};
    });
    const first = await house([counted]);
    const killed = { job: 'backup', started_at: first.clock.now(), outcome: 'running' };
    await first.database.db.insertInto('job_runs').values(killed).execute();
    first.clock.advance(60_000);
    const second = await house([counted], { store: first });
    await second.room.start();
    expect(await second.rows()).toMatchObject([{ outcome: 'interrupted', finished_at: null }]);
    expect(second.room.lastRuns()).toMatchObject([{ outcome: 'interrupted', error: 'The daemon ended while it ran.' }]);
    await second.until('2026-01-05T10:00:00Z');
    expect(runs).toBe(1);
    await second.room.stop();

    for (const at of [1, 2]) {
      await first.database.db
        .insertInto('job_runs')
        .values({ ...killed, started_at: first.clock.now() + at })
        .execute();
    }
    const third = await house([counted], { store: first });
    await third.room.start();
    await third.until('2026-01-05T12:00:00Z');
    expect(runs).toBe(1);
  });
});

describe('the operations', () => {
  it('list_jobs shows schedule, next run and the last five runs, newest first', async () => {
    const { room, call, clock } = await house([job('clean', async () => ({ n: 1 }))]);
    await room.start();
    for (let run = 0; run < 7; run += 1) {
      clock.advance(1_000);
      await room.runNow('clean');
    }
    const { jobs } = (await call('list_jobs', {})) as { jobs: { last_runs: { started_at: string }[] }[] };
    expect(jobs).toMatchObject([
      {
        name: 'clean',
        what: 'Does clean.',
        cron: '0 3 * * *',
        enabled: true,
        running: false,
        next_run_at: '2026-01-06T03:00:00.000Z',
      },
    ]);
    expect(jobs[0]?.last_runs.map((run) => run.started_at.slice(17, 19))).toEqual(['07', '06', '05', '04', '03']);
  });

  it('run_job waits and answers the run; an unknown name is answered with the names', async () => {
    const { call } = await house([job('clean', async () => ({ n: 1 })), job('prune', async () => ({}))]);
    expect(await call('run_job', { name: 'clean' })).toEqual({
      job: 'clean',
      started_at: '2026-01-05T09:00:00.000Z',
      finished_at: '2026-01-05T09:00:00.000Z',
      duration_ms: 0,
      outcome: 'ok',
      counts: { n: 1 },
      error: null,
    });
    await expect(call('run_job', { name: 'cleen' })).rejects.toMatchObject({
      code: 'not_found',
      details: { names: ['clean', 'prune'] },
    });
  });
});
