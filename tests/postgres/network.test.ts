// Two daemons in networks of their own, and the cable to the database of one is pulled: packets vanish, no connection is closed. It says so at
// once, the other goes on, and when the cable is back nothing that was acknowledged is lost and nothing that was forgotten is shown.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Connection } from '#clients/connect/connection.ts';
import type { LociError } from '#shared/errors.ts';
import { type Home, homeIn, untilUp } from '../support/daemon-process.ts';
import { noNetworkReason, openNetwork } from '../support/network-namespaces.ts';
import { runSql, startCluster } from '../support/postgres/cluster.ts';
import { contentsOf, saveOn } from '../support/postgres/steady-writer.ts';
import { connectTo, locid } from '../support/real-daemon.ts';
import { tempFolder } from '../support/temp-folder.ts';

const reason = noNetworkReason();
if (reason !== null) console.warn(`not run: a network that is cut (${reason})`);

/** What is asked while the cut has just happened may wait until it is noticed. */
const noticeMs = 10_000;
const atOnceMs = 2_500;
const secret = 'The vault code word is persimmon.';

async function startIn(namespace: string, url: string): Promise<Home> {
  const home = homeIn(tempFolder(), {
    LOCI_STORAGE_URL: url,
    LOCI_HTTP_ENABLED: 'false',
    LOCI_NO_AUTOSTART: '1',
  });
  const child = spawn('ip', ['netns', 'exec', namespace, process.execPath, locid], { env: home.env, stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await untilUp(home, null, 20_000);
  return home;
}

const find = async (connection: Connection, query: string, mode = 'hybrid'): Promise<number[]> => {
  const { results } = (await connection.call('memory_search', { query, mode })) as { results: { id: number }[] };
  return results.map(({ id }) => id);
};

/** The code that a call is refused with, and how long that took; null where it is not. */
async function refusal(call: () => Promise<unknown>): Promise<{ code: string | null; tookMs: number }> {
  const startedMs = performance.now();
  const code = await call().then(
    () => null,
    (error: LociError) => error.code,
  );
  return { code, tookMs: performance.now() - startedMs };
}

it.skipIf(reason !== null)(
  'a daemon that is cut off says so at once, the other goes on, and after the heal nothing is lost and nothing forgotten is shown',
  { timeout: 180_000 },
  async () => {
    const network = openNetwork(2);
    const cluster = await startCluster(network.middle);
    onTestFinished(() => cluster.stop());
    await runSql(cluster.url('postgres'), 'CREATE DATABASE team');
    const url = `postgres://loci@${network.middle.address}/team`;
    const [first, second] = network.namespaces as [string, string];
    // the one that is cut off is the one that does the upkeep
    const cut = connectTo(await startIn(first, url));
    await expect.poll(() => leaderOf(cluster.url('team')), { timeout: 20_000 }).not.toBeNull();
    const leader = await leaderOf(cluster.url('team'));
    const other = connectTo(await startIn(second, url));

    const { id } = (await cut.call('memory_save', { content: secret })) as { id: number };
    await expect.poll(() => find(cut, secret, 'vector'), { timeout: 40_000 }).toContain(id);
    await expect.poll(() => find(other, secret, 'vector'), { timeout: 40_000 }).toContain(id);
    const writers = [saveOn(cut, 'cut'), saveOn(other, 'other')] as const;
    await expect
      .poll(() => Math.min(...writers.map((writer) => writer.acknowledged.length)), { timeout: 20_000 })
      .toBeGreaterThan(2);

    network.cut(0);
    const noticed = await refusal(async () => {
      for (;;) await cut.call('memory_save', { content: `Said into the dark at ${performance.now()}.` });
    });
    expect(noticed).toMatchObject({ code: 'unavailable' });
    expect(noticed.tookMs).toBeLessThan(noticeMs);
    for (const [operation, input] of [
      ['memory_search', { query: secret }],
      ['memory_save', { content: 'Nobody hears this.' }],
      ['memory_get', { id }],
      ['memory_search', { query: 'code word', mode: 'keyword' }],
    ] as const) {
      const refused = await refusal(() => cut.call(operation, input));
      expect({ operation, code: refused.code }).toEqual({ operation, code: 'unavailable' });
      expect(refused.tookMs, operation).toBeLessThan(atOnceMs);
    }

    // a transaction of the one that was cut off holds the other up for 15 s at most
    await expect
      .poll(() => refusal(() => other.call('memory_purge', { id })), { timeout: 30_000 })
      .toMatchObject({ code: null });
    const before = writers[1].acknowledged.length;
    await expect.poll(() => writers[1].acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before + 2);
    // the server gives the one that it cannot reach up, and the other does the upkeep
    const takenOver = async (): Promise<boolean> => ![null, leader].includes(await leaderOf(cluster.url('team')));
    await expect.poll(takenOver, { timeout: 45_000, interval: 500 }).toBe(true);

    const acknowledged = writers[0].acknowledged.length;
    network.heal(0);
    const shown: number[] = [];
    await expect
      .poll(
        async () => {
          for (const mode of ['hybrid', 'vector', 'keyword'])
            shown.push(...(await find(cut, secret, mode).catch(() => [])).filter((found) => found === id));
          return writers[0].acknowledged.length;
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(acknowledged + 2);
    await sleep(1_000);
    for (const mode of ['hybrid', 'vector', 'keyword'])
      shown.push(...(await find(cut, secret, mode)).filter((found) => found === id));
    expect(shown).toEqual([]);

    for (const writer of writers) await writer.stop();
    const contents = await contentsOf(cluster);
    expect(new Set(contents).size).toBe(contents.length);
    for (const writer of writers)
      expect(writer.acknowledged.filter((content) => !contents.includes(content))).toEqual([]);
    // each hears of the other again
    const saved = (await other.call('memory_save', { content: 'The lighthouse lens was replaced.' })) as { id: number };
    await expect
      .poll(() => find(cut, 'The lighthouse lens was replaced.', 'vector'), { timeout: 10_000 })
      .toContain(saved.id);
  },
);

/** The name of the daemon that holds the lock of the upkeep, or null. */
async function leaderOf(url: string): Promise<string | null> {
  const rows = await runSql<{ name: string }>(
    url,
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'advisory' AND l.classid = ${0x10c1} AND l.objid = 2 AND l.granted`,
  );
  return rows[0]?.name ?? null;
}
