// Three daemons, one database, one bucket: of a gateway that checks signatures, and of several servers that keep each object twice. Daemons
// and servers of the store are killed while all write. In the end the table holds what the database holds, row by row.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@lancedb/lancedb';
import { expect, it } from 'vitest';
import { bucketOptions } from '#daemon/storage/lance/object-store.ts';
import { atEnd } from '../support/at-end.ts';
import { endProcess, type Home, homeIn, pidOf, startProcess, untilUp } from '../support/daemon-process.ts';
import { startDistributedStore } from '../support/object-store/distributed-store.ts';
import { installTimeoutMs } from '../support/object-store/install-object-store.ts';
import type { TestObjectStore } from '../support/object-store/object-store.ts';
import { startObjectStore } from '../support/object-store/store-of-test.ts';
import { type Cluster, runSql, startCluster } from '../support/postgres/cluster.ts';
import { contentsOf, saveOn } from '../support/postgres/steady-writer.ts';
import { connectTo, locid } from '../support/real-daemon.ts';
import { tempFolder } from '../support/temp-folder.ts';

const rounds = 6;

async function startTeam(size: number, env: NodeJS.ProcessEnv, cluster: Cluster): Promise<Home[]> {
  const settings = { LOCI_STORAGE_URL: cluster.url('team'), LOCI_VECTORS_EXACT_LIMIT: '0', LOCI_HTTP_ENABLED: 'false' };
  const homes = Array.from({ length: size }, () => homeIn(tempFolder(), { ...settings, ...env }));
  for (const home of homes) {
    startProcess(locid, home.env);
    await untilUp(home);
  }
  return homes;
}

async function startDatabase(): Promise<Cluster> {
  const cluster = await startCluster();
  atEnd(() => cluster.stop());
  await runSql(cluster.url('postgres'), 'CREATE DATABASE team');
  return cluster;
}

async function rowsOfTable(bucket: TestObjectStore, cluster: Cluster): Promise<string[]> {
  const sql = "SELECT value FROM loci.store_facts WHERE key = 'vectors.shared'";
  const [fact] = await runSql<{ value: string }>(cluster.url('team'), sql);
  const connection = await connect(bucket.url, bucketOptions(bucket.env));
  const table = await connection.openTable(JSON.parse(fact?.value ?? '{}').table);
  const rows: { id: string; rev: number }[] = await table.query().select(['id', 'rev']).toArray();
  return rows.map(({ id, rev }) => `${id} ${rev}`).sort();
}

async function rowsOfDatabase(cluster: Cluster): Promise<string[]> {
  const rows = await runSql<{ id: string }>(
    cluster.url('team'),
    `SELECT v.kind || ':' || v.thing_id || ':' || v.passage || ' ' || v.rev AS id FROM loci.vectors v
      JOIN loci.searchables s ON s.kind = v.kind AND s.thing_id = v.thing_id AND s.rev = v.rev`,
  );
  return rows.map(({ id }) => id).sort();
}

const stores = {
  'a gateway': () => startObjectStore('versitygw'),
  'a store of several servers': startDistributedStore,
} as const;

it.each(Object.entries(stores))(
  'kills of daemons and of %s lose no vector and double none',
  {
    timeout: 2 * installTimeoutMs,
  },
  async (_, startStore) => {
    const cluster = await startDatabase();
    const bucket = await startStore();
    const homes = await startTeam(3, { ...bucket.env, LOCI_VECTORS_URL: bucket.url }, cluster);
    const writers = homes.map((home, index) => saveOn(connectTo(home), `writer ${index}`));
    for (const { acknowledged } of writers)
      await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(2);
    for (let round = 0; round < rounds; round += 1) {
      await sleep(1_500);
      if (round % 2 === 0)
        await endProcess(await pidOf(homes[(round / 2) % homes.length] as Home)); // the next call starts it again
      else {
        await bucket.kill();
        await sleep(1_000);
        await bucket.start();
      }
    }
    await sleep(2_000);
    for (const writer of writers) await writer.stop();
    const kept = new Set(await contentsOf(cluster));
    expect(writers.flatMap(({ acknowledged }) => acknowledged).filter((content) => !kept.has(content))).toEqual([]);
    const wanted = await rowsOfDatabase(cluster);
    expect(wanted.length).toBeGreaterThan(30);
    await expect.poll(() => rowsOfTable(bucket, cluster), { timeout: 60_000, interval: 500 }).toEqual(wanted);
  },
);

it('keys that the object store refuses are named by `loci status`, and searches go on', {
  timeout: installTimeoutMs,
}, async () => {
  const cluster = await startDatabase();
  const bucket = await startObjectStore('versitygw');
  const env = { ...bucket.env, AWS_SECRET_ACCESS_KEY: 'another', LOCI_VECTORS_URL: bucket.url };
  const [home] = (await startTeam(1, env, cluster)) as [Home];
  const connection = connectTo(home);
  const { id } = (await connection.call('memory_save', { content: 'The ferry leaves at six.' })) as { id: number };
  const find = { query: 'when does the ferry leave', mode: 'vector' };
  const { results } = (await connection.call('memory_search', find)) as { results: { id: number }[] };
  expect(results.map((hit) => hit.id)).toEqual([id]);
  const why = async (): Promise<string | undefined> =>
    ((await connection.call('memory_health', {})) as { vector_index: { why?: string } }).vector_index.why;
  await expect.poll(why, { timeout: 40_000, interval: 500 }).toMatch(/refuses the keys: mend AWS_ACCESS_KEY_ID/);
});
