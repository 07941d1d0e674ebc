// Half an hour of a busy day, over and over: saves, searches, changes, purges, jobs, backups. The memories stay as many as they are, so
// memory must too. What is measured is the floor: the least of each minute, which a leak raises, while garbage that waits for its
// collector and a job's buffers come and go above it. SQLite's page cache of 8 MB is full from the start: files of 20 MB are saved first.
// The vector process grows by nature and is replaced in time: what it grows by is bounded, not its slope.
// LOCI_TEST_SOAK_MINUTES makes it shorter.
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { homeIn, pidOf } from '../support/daemon-process.ts';
import { connectTo } from '../support/real-daemon.ts';
import { tempFolder } from '../support/temp-folder.ts';

const minutes = Number(process.env.LOCI_TEST_SOAK_MINUTES ?? 30);
/** What a day's work loads and fills once: model, caches, statements. */
const warmUp = 0.3;
const keptMemories = 400;
const sampleEveryMs = 2_000;
const maxSlopeMbPerMinute = 1;
const maxVectorProcessGrowthMb = 120;
/** Below that it is still loading LanceDB. */
const startedVectorProcessMb = 100;

type Sample = { readonly minute: number; readonly mb: number };

it(`after ${minutes} minutes of work the daemon's memory has not grown by more than 1 MB a minute`, async () => {
  const home = homeIn(tempFolder(), { LOCI_LOG_LEVEL: 'warn' });
  const connection = connectTo(home);
  await fillPageCaches(connection);
  const pid = (await pidOf(home)) ?? -1;
  const startedMs = performance.now();
  const minute = () => (performance.now() - startedMs) / 60_000;
  const samples: Sample[] = [];
  const vectorProcess: number[] = [];
  const sampler = setInterval(() => {
    samples.push({ minute: minute(), mb: residentMb('-p', pid) });
    const mb = residentMb('--ppid', pid);
    if (mb > 0) vectorProcess.push(mb);
  }, sampleEveryMs);
  try {
    await Promise.all([
      workUntil(() => minute() >= minutes, connectTo(home)),
      jobsUntil(() => minute() >= minutes, connectTo(home)),
    ]);
  } finally {
    clearInterval(sampler);
  }
  const after = samples.filter((sample) => sample.minute >= minutes * warmUp);
  const slope = slopeOf(floorsOf(after));
  const tenths = Array.from({ length: 11 }, (_, at) => samples[Math.floor((at * (samples.length - 1)) / 10)]);
  process.stdout.write(`MB by tenths: ${tenths.map((sample) => sample?.mb.toFixed(0)).join(' ')}\n`);
  process.stdout.write(
    `soak of ${minutes} min: ${samples.at(0)?.mb.toFixed(0)} MB at first, ${after.at(0)?.mb.toFixed(0)} MB warm, ${after.at(-1)?.mb.toFixed(0)} MB at the end, slope of the floor ${slope.toFixed(2)} MB/min, of all ${slopeOf(after).toFixed(2)}\n`,
  );
  const started = vectorProcess.filter((mb) => mb > startedVectorProcessMb);
  const [least, most] = [Math.min(...started), Math.max(...started)];
  process.stdout.write(`vector process: ${least.toFixed(0)} to ${most.toFixed(0)} MB\n`);
  expect(await pidOf(home)).toBe(pid);
  expect(most - least).toBeLessThanOrEqual(maxVectorProcessGrowthMb);
  expect(slope).toBeLessThanOrEqual(maxSlopeMbPerMinute);
});

/** Files of 20 MB, so that the connection that writes keeps as much of the database as it ever will. */
async function fillPageCaches(connection: ReturnType<typeof connectTo>): Promise<void> {
  const data = Buffer.from('what a page of the database holds '.repeat(75_000)).toString('base64');
  for (let at = 0; at < 8; at += 1) {
    const file = { filename: `pages-${at}.txt`, description: 'fills the page cache', mime_type: 'text/plain', data };
    await connection.call('create_file', file);
  }
}

/** The least of each minute. */
function floorsOf(samples: readonly Sample[]): Sample[] {
  const floors = new Map<number, Sample>();
  for (const sample of samples) {
    const known = floors.get(Math.floor(sample.minute));
    if (known === undefined || sample.mb < known.mb) floors.set(Math.floor(sample.minute), sample);
  }
  return [...floors.values()];
}

async function workUntil(isOver: () => boolean, connection: ReturnType<typeof connectTo>): Promise<void> {
  const ids: number[] = [];
  for (let at = 0; !isOver(); at += 1) {
    const content = `Note ${at}: service ${at % 17} answers on port ${4_000 + (at % 900)} because of decision ${at % 31}.`;
    const { id } = (await connection.call('memory_save', { content, on_duplicate: 'keep', project: `p${at % 5}` })) as {
      id: number;
    };
    ids.push(id);
    await connection.call('memory_search', { query: `which service answers on port ${4_000 + (at % 900)}`, limit: 5 });
    if (at % 3 === 0) await connection.call('memory_update', { id, tags: [`t${at % 50}`] });
    const oldest = ids.length > keptMemories ? ids.shift() : undefined;
    if (oldest !== undefined) await connection.call('memory_purge', { id: oldest });
    await sleep(20);
  }
}

async function jobsUntil(isOver: () => boolean, connection: ReturnType<typeof connectTo>): Promise<void> {
  const jobs = ['reconcile', 'optimise', 'clean', 'consolidate', 'backup', 'prune'];
  for (let turn = 0; !isOver(); turn += 1) {
    await connection.call('run_job', { name: jobs[turn % jobs.length] });
    await sleep(15_000);
  }
}

/** Least squares: megabytes a minute. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map((one) => one.minute)), mean(samples.map((one) => one.mb))];
  const over = samples.reduce((sum, one) => sum + (one.minute - x) * (one.mb - y), 0);
  return over / samples.reduce((sum, one) => sum + (one.minute - x) ** 2, 0);
}

/** Of the processes that `ps` selects by `option`; 0 when there are none, which `ps` calls a failure. */
function residentMb(option: '-p' | '--ppid', pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', option, String(pid)], { encoding: 'utf8' });
  return stdout.split('\n').reduce((sum, line) => sum + Number(line) / 1024, 0);
}
