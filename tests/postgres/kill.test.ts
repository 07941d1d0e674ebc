// Whatever is killed, a daemon or the database itself: what was acknowledged is there, the others go on, and all come back by themselves.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Connection } from '#clients/connect/connection.ts';
import { endProcess, type Home, homeIn, pidOf, startProcess, untilUp } from '../support/daemon-process.ts';
import { type Cluster, runSql, startCluster } from '../support/postgres/cluster.ts';
import { contentsOf, saveOn } from '../support/postgres/steady-writer.ts';
import { connectTo, locid } from '../support/real-daemon.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function clusterOfTest(): Promise<Cluster> {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  await runSql(cluster.url('postgres'), 'CREATE DATABASE team');
  return cluster;
}

async function startDaemons(cluster: Cluster, count: number): Promise<Home[]> {
  const homes = Array.from({ length: count }, () =>
    homeIn(tempFolder(), { LOCI_STORAGE_URL: cluster.url('team'), LOCI_HTTP_ENABLED: 'false' }),
  );
  for (const home of homes) {
    startProcess(locid, home.env);
    await untilUp(home);
  }
  return homes;
}

it('kill -9 of a daemon loses nothing that was acknowledged, doubles nothing, and the other serves on', {
  timeout: 120_000,
}, async () => {
  const cluster = await clusterOfTest();
  const [one, other] = (await startDaemons(cluster, 2)) as [Home, Home];
  const writers = [saveOn(connectTo(one), 'one'), saveOn(connectTo(other), 'other')] as const;
  // both have loaded their model
  for (const { acknowledged } of writers)
    await expect.poll(() => acknowledged.length, { timeout: 40_000 }).toBeGreaterThan(0);
  for (let round = 0; round < 3; round += 1) {
    await sleep(700);
    const pid = await pidOf(one);
    await endProcess(pid); // the next call starts it again
    const before = writers[1].acknowledged.length;
    await expect.poll(() => writers[1].acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before);
  }
  const fewest = (): number => Math.min(...writers.map(({ acknowledged }) => acknowledged.length));
  await expect.poll(fewest, { timeout: 40_000 }).toBeGreaterThan(5);
  for (const writer of writers) await writer.stop();
  const contents = await contentsOf(cluster);
  expect(new Set(contents).size).toBe(contents.length);
  for (const { acknowledged } of writers) {
    expect(acknowledged.filter((content) => !contents.includes(content))).toEqual([]);
  }
});

it('kill -9 of the database loses nothing that was acknowledged, and the daemons come back without a hand', {
  timeout: 120_000,
}, async () => {
  const cluster = await clusterOfTest();
  const homes = await startDaemons(cluster, 2);
  const connections = homes.map((home) => connectTo(home)) as [Connection, Connection];
  const writers = connections.map((connection, index) => saveOn(connection, `writer ${index}`));
  await sleep(1_500);
  await cluster.crash();
  const before = writers.map(({ acknowledged }) => acknowledged.length);
  for (const [index, { acknowledged }] of writers.entries()) {
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan((before[index] ?? 0) + 2);
  }
  for (const writer of writers) await writer.stop();
  const contents = await contentsOf(cluster);
  expect(writers.flatMap(({ acknowledged }) => acknowledged).filter((content) => !contents.includes(content))).toEqual(
    [],
  );
  // each hears of the other again, and searches
  const { id } = (await connections[0].call('memory_save', { content: 'The lighthouse lens was replaced.' })) as {
    id: number;
  };
  const found = async (): Promise<number[]> => {
    const { results } = (await connections[1].call('memory_search', { query: 'lighthouse lens' })) as {
      results: { id: number }[];
    };
    return results.map((hit) => hit.id);
  };
  await expect.poll(found, { timeout: 10_000 }).toContain(id);
});
