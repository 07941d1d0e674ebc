// B45 in part: the disk takes no more. Writes are refused by name, reads go on, nothing is half-written, and all is well again after it.
// The limit is the process's own (RLIMIT_FSIZE), so that no test needs the rights to mount a small disk.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { homeIn, startProcess, untilUp } from '../../support/daemon-process.ts';
import { checkKeywordIndex, queryHome } from '../../support/open-store-file.ts';
import { connectTo, locid, untilEmbedded } from '../../support/real-daemon.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const kilobytes = 1_500;
const text = (at: number) => `note${at} ${`filler${at} of the page `.repeat(600)}`;

it('B45 no file may grow: saves are `unavailable` with the cause, reads work, and saves again once there is room', async () => {
  const home = homeIn(tempFolder());
  const child = spawn('bash', ['-c', `ulimit -S -f ${kilobytes}; exec "$0" "$1"`, process.execPath, locid], {
    env: home.env,
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = await untilUp(home);
  const connection = connectTo({ env: { ...home.env, LOCI_NO_AUTOSTART: '1' } });
  const saved: number[] = [];
  let refusal: unknown = null;
  for (let at = 0; at < 200 && refusal === null; at += 1) {
    await connection.call('memory_save', { content: text(at), on_duplicate: 'keep' }).then(
      (answer) => saved.push((answer as { id: number }).id),
      (error: unknown) => {
        refusal = error;
      },
    );
  }
  expect(refusal).toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/disk/i),
    details: { cause: /sqlite/ },
  });
  expect(saved.length).toBeGreaterThan(3);
  // what is left is filled with less and less, so that the smallest change is refused too
  const fact = (key: string) => ({ action: 'save', category: 'other', key, value: text(900).slice(0, 2_000) });
  let facts = 0;
  for (let isFull = false; !isFull; )
    await connection.call('memory', fact(`k_${facts}`)).then(
      () => {
        facts += 1;
      },
      () => {
        isFull = true;
      },
    );
  for (const [operation, input] of [
    ['memory', fact('k')],
    ['memory_update', { id: 1, content: text(901) }],
    ['memory_save_many', { memories: [{ content: text(902) }, { content: text(903) }], atomic: true }],
  ] as const) {
    await expect(connection.call(operation, input), operation).rejects.toMatchObject({ code: 'unavailable' });
  }
  expect(await connection.call('memory_get', { id: 1 })).toMatchObject({ content: text(0), history: 0 });
  const { results } = (await connection.call('memory_search', { query: 'filler2', mode: 'keyword', depth: 1 })) as {
    results: { id: number }[];
  };
  expect(results.map(({ id }) => id)).toEqual([3]);
  expect(await connection.call('memory_sync', {})).toMatchObject({ stats: { active: saved.length + facts } });
  expect(child.exitCode ?? child.signalCode).toBeNull();

  execFileSync('prlimit', [`--pid=${pid}`, '--fsize=unlimited:unlimited']);
  const { id } = (await connection.call('memory_save', { content: 'after space returned' })) as { id: number };
  expect(await connection.call('memory_get', { id })).toMatchObject({ content: 'after space returned' });
  expect(await connection.call('memory_sync', {})).toMatchObject({ stats: { active: saved.length + facts + 1 } });
  expect(queryHome(home.folder, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  checkKeywordIndex(home.folder);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  // SQLite and vectors agree after the next start, which embeds what could not be stored
  const again = connectTo(home);
  await untilEmbedded(again, 60_000);
  expect(await again.call('run_job', { name: 'reconcile' })).toMatchObject({ outcome: 'ok' });
}, 180_000);

it('B45 a data folder that cannot be used refuses the start in one clear sentence', async () => {
  const folder = tempFolder();
  const home = homeIn(folder);
  writeFileSync(join(folder, 'data'), 'not a folder');
  const onFile = startProcess(locid, home.env);
  expect(await onFile.exited).toBe(78);
  expect(onFile.stderr()).toMatch(/^error: .*data.*\n$/);
  rmSync(join(folder, 'data'));
  mkdirSync(join(folder, 'data', 'locid.lock'), { recursive: true });
  const onLock = startProcess(locid, home.env);
  expect(await onLock.exited).toBe(78);
  expect(onLock.stderr()).toMatch(/^error: .*locid\.lock.*\n$/);
});
