// The real daemon is killed while many write: what was acknowledged is there, once, and the next start serves at once.

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { homeIn, pidOf, startProcess, untilUp } from '../../support/daemon-process.ts';
import { checkKeywordIndex, queryHome } from '../../support/open-store-file.ts';
import { connectTo, locid, untilEmbedded } from '../../support/real-daemon.ts';
import { runLoci } from '../../support/run-program.ts';
import { sendSignal } from '../../support/send-signal.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Search = { results: { id: number }[]; degraded: string[] };

const writers = 8;
const savesEach = 25;

it('8 writers of 25 saves each, the daemon killed three times under them: each save is there once', async () => {
  const home = homeIn(tempFolder());
  await connectTo(home).call('memory_sync', {});
  const acknowledged = new Map<string, number>();
  const write = async (writer: number): Promise<void> => {
    const connection = connectTo(home);
    for (let at = 0; at < savesEach; at += 1) {
      const content = `writer${writer} says its sentence number ${at}`;
      const input = { content, on_duplicate: 'keep', project: `project ${writer % 3}` };
      const idempotencyKey = randomUUID();
      const { id } = (await connection.call('memory_save', input, { idempotencyKey })) as { id: number };
      acknowledged.set(content, id);
    }
  };
  const work = Array.from({ length: writers }, (_, writer) => write(writer));
  for (const share of [0.2, 0.45, 0.7]) {
    await expect
      .poll(() => acknowledged.size, { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(share * writers * savesEach);
    const pid = await pidOf(home);
    if (pid !== null) sendSignal(pid, 'SIGKILL');
  }
  await Promise.all(work);
  const pid = await pidOf(home);
  if (pid !== null) sendSignal(pid, 'SIGKILL');

  const startedMs = Date.now();
  const connection = connectTo(home);
  expect(await connection.call('memory_sync', {})).toMatchObject({ stats: { active: writers * savesEach } });
  expect(Date.now() - startedMs).toBeLessThan(10_000);
  await untilEmbedded(connection);
  const stored = queryHome<{ id: number; content: string }>(home.folder, 'SELECT id, content FROM memories');
  expect(stored).toHaveLength(writers * savesEach);
  for (const { id, content } of stored) expect(acknowledged.get(content), content).toBe(id);
  expect(queryHome(home.folder, 'SELECT sum(memory_count) AS n FROM projects')).toEqual([{ n: writers * savesEach }]);
  expect(queryHome(home.folder, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  checkKeywordIndex(home.folder);
  const found = (await connection.call('memory_search', { query: 'writer5 sentence number 19', limit: 1 })) as Search;
  expect([found.results[0]?.id, found.degraded]).toEqual([acknowledged.get('writer5 says its sentence number 19'), []]);
}, 180_000);

it('B42 twenty `loci` at once on a cold home: one daemon, twenty memories, no client that failed', async () => {
  const home = homeIn(tempFolder());
  const runs = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      runLoci(['add', '--json', '--on-duplicate', 'keep', `the word of client${at}`], { env: home.env, cwd: '/' }),
    ),
  );
  expect(runs.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
  expect(new Set(runs.map(({ stdout }) => (JSON.parse(stdout) as { id: number }).id)).size).toBe(20);
  expect(await connectTo(home).call('memory_sync', {})).toMatchObject({ stats: { active: 20 } });
  const second = startProcess(locid, home.env);
  expect(await second.exited).toBe(0);
  expect(second.stderr()).toContain(`process ${await pidOf(home)}`);
}, 120_000);

it('an idempotency key outlives the daemon: the same save after kill -9 gives the first answer', async () => {
  const home = homeIn(tempFolder());
  const input = { content: 'said once', idempotency_key: 'k-1' };
  const first = await connectTo(home).call('memory_save', input);
  const pid = await pidOf(home);
  if (pid !== null) sendSignal(pid, 'SIGKILL');
  const connection = connectTo(home);
  expect(await connection.call('memory_save', input)).toEqual(first);
  await expect(connection.call('memory_save', { ...input, content: 'said otherwise' })).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await connection.call('memory_sync', {})).toMatchObject({ stats: { active: 1 } });
  await untilUp(home);
});
