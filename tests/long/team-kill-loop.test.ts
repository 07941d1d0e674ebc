// Four daemons of a team with eight writers each, and again and again one of the daemons or the database itself is killed.
// LOCI_TEST_TEAM_KILLS makes it shorter.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { endProcess, homeIn, pidOf, startProcess, untilUp } from '../support/daemon-process.ts';
import { runSql, startCluster } from '../support/postgres/cluster.ts';
import { contentsOf, type SteadyWriter, saveOn } from '../support/postgres/steady-writer.ts';
import { connectTo, locid } from '../support/real-daemon.ts';
import { seededPicker } from '../support/seeded-picker.ts';
import { tempFolder } from '../support/temp-folder.ts';

const kills = Number(process.env.LOCI_TEST_TEAM_KILLS ?? 40);
const daemons = 4;
const writersEach = 8;
const backWithinMs = 40_000;

it(`${kills} kills of ${daemons} daemons and their database under ${daemons * writersEach} writers: nothing acknowledged is lost, nothing is doubled, jobs run once, all are back by themselves`, async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  await runSql(cluster.url('postgres'), 'CREATE DATABASE team');
  const homes = Array.from({ length: daemons }, () =>
    homeIn(tempFolder(), {
      LOCI_STORAGE_URL: cluster.url('team'),
      LOCI_HTTP_ENABLED: 'false',
      LOCI_JOBS_PRUNE_CRON: '* * * * *',
    }),
  );
  for (const home of homes) {
    startProcess(locid, home.env);
    await untilUp(home, null, 30_000);
  }
  const writers = homes.map((home, daemon) =>
    Array.from({ length: writersEach }, (_, writer) => saveOn(connectTo(home), `${daemon}.${writer}`)),
  );
  const everyWriterSaved = async (): Promise<number> => {
    const before = writers.flat().map(({ acknowledged }) => acknowledged.length);
    const startedMs = performance.now();
    const waits = (writer: SteadyWriter, index: number): boolean => writer.acknowledged.length <= (before[index] ?? 0);
    await expect.poll(() => writers.flat().filter(waits).length, { timeout: backWithinMs }).toBe(0);
    return performance.now() - startedMs;
  };
  await everyWriterSaved();

  const pick = seededPicker(2026);
  const victims = [...homes.keys(), 'the database'].map(String);
  const backAfterMs: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep((kill * 137) % 1_000); // at another moment of its work each time
    const home = homes[Number(pick(victims))];
    if (home === undefined) await cluster.crash();
    else await endProcess(await pidOf(home));
    backAfterMs.push(await everyWriterSaved());
  }
  await sleep(Math.max(0, 61_000 - (Date.now() % 60_000))); // into another minute, with all of them alive
  await Promise.all(writers.flat().map((writer) => writer.stop()));

  const contents = await contentsOf(cluster);
  const acknowledged = writers.flat().flatMap((writer) => writer.acknowledged);
  const sorted = [...backAfterMs].sort((a, b) => a - b);
  process.stdout.write(
    `${kills} kills, ${acknowledged.length} acknowledged; every writer saved again after ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms (median), ${Math.round(sorted.at(-1) ?? 0)} ms (most)\n`,
  );
  const kept = new Set(contents);
  expect(kept.size).toBe(contents.length);
  expect(acknowledged.filter((content) => !kept.has(content))).toEqual([]);
  const runs = await runSql<{ minute: string; n: string }>(
    cluster.url('team'),
    "SELECT started_at / 60000 AS minute, count(*) AS n FROM loci.job_runs WHERE job = 'prune' AND outcome = 'ok' GROUP BY 1",
  );
  expect(runs.length).toBeGreaterThan(0);
  expect(runs.filter(({ n }) => Number(n) > 1)).toEqual([]);
});
