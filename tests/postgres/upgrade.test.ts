// A team upgrades one daemon after the other. The daemon of this build goes on while one of the next build, which knows one step more of the
// schema, brings the database up to date; started anew after that, it steps back.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Connection } from '#clients/connect/connection.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { migrations } from '#daemon/storage/migrate.ts';
import { openPostgres } from '#daemon/storage/postgres/open-postgres.ts';
import { endProcess, homeIn, startProcess, untilUp } from '../support/daemon-process.ts';
import { runSql, startCluster } from '../support/postgres/cluster.ts';
import { contentsOf, saveOn } from '../support/postgres/steady-writer.ts';
import { connectTo, locid } from '../support/real-daemon.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What a next step may do: it only adds. Columns come to the tables that every save and every search touch. */
const nextStep = '9999-next';
const additions = [
  "ALTER TABLE memories ADD COLUMN mood TEXT NOT NULL DEFAULT ''",
  'ALTER TABLE searchables ADD COLUMN heat INTEGER NOT NULL DEFAULT 0',
  'CREATE TABLE moods (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL)',
  'CREATE INDEX memories_by_mood ON memories(mood)',
];

/** Opens the database as the next build does: it migrates. */
async function openAsNextBuild(url: string): Promise<void> {
  migrations[nextStep] = {
    async up(db) {
      for (const statement of additions) await sql.raw(statement).execute(db);
    },
  };
  try {
    const source = { url, name: 'the next build' };
    await (await openPostgres({ source, clock: { now: Date.now }, logger: silentLogger })).close();
  } finally {
    delete migrations[nextStep];
  }
}

it('a daemon one schema step behind goes on serving while a newer one migrates, and steps back with a sentence when it is started anew', {
  timeout: 120_000,
}, async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  await runSql(cluster.url('postgres'), 'CREATE DATABASE team');
  const home = homeIn(tempFolder(), {
    LOCI_STORAGE_URL: cluster.url('team'),
    LOCI_HTTP_ENABLED: 'false',
    LOCI_NO_AUTOSTART: '1',
  });
  const daemon = startProcess(locid, home.env);
  await untilUp(home, null, 20_000);
  const connection = connectTo(home);
  const refused: unknown[] = [];
  const writer = saveOn(connectTo(home), 'before and after', (error) => refused.push(error));
  const searcher = searchOn(connectTo(home));
  // so often that every statement of a search is one that the server keeps
  await expect
    .poll(() => Math.min(writer.acknowledged.length, searcher.answered()), { timeout: 40_000 })
    .toBeGreaterThan(10);

  await openAsNextBuild(cluster.url('team'));
  const [before, answered] = [writer.acknowledged.length, searcher.answered()];
  await expect.poll(() => writer.acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before + 20);
  await expect.poll(searcher.answered, { timeout: 20_000 }).toBeGreaterThan(answered + 20);
  const { id } = (await connection.call('memory_save', { content: 'The lighthouse lens was replaced.' })) as {
    id: number;
  };
  await connection.call('memory_update', { id, content: 'The lighthouse lens was cleaned.' });
  await connection.call('memory_purge', { id });
  await writer.stop();
  await searcher.stop();
  expect({ refused, failed: searcher.failed }).toEqual({ refused: [], failed: [] });
  const contents = await contentsOf(cluster);
  expect(writer.acknowledged.filter((content) => !contents.includes(content))).toEqual([]);
  expect(await runSql(cluster.url('team'), "SELECT count(*)::int AS n FROM loci.memories WHERE mood <> ''")).toEqual([
    { n: 0 },
  ]);

  await endProcess(daemon.pid);
  await daemon.exited;
  startProcess(locid, home.env);
  await untilUp(home, null, 20_000);
  const known = Object.keys(migrations).length;
  await expect(connection.call('memory_save', { content: 'Said to a newer store.' })).rejects.toMatchObject({
    code: 'unavailable',
    message: `The team database was written by a newer version of Loci (schema ${known + 1}, this one knows ${known}): update Loci.`,
  });
});

/** Searches again and again, by another question each time. */
function searchOn(connection: Connection) {
  const failed: unknown[] = [];
  let answered = 0;
  let isOver = false;
  const work = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      await connection.call('memory_search', { query: `note ${turn} and its number` }).then(
        () => {
          answered += 1;
        },
        (error: unknown) => failed.push(error),
      );
      await sleep(5);
    }
  })();
  return {
    failed,
    answered: () => answered,
    async stop() {
      isOver = true;
      await work;
    },
  };
}
