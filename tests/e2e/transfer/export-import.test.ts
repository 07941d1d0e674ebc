// The built program against real daemons: out of one home into another, through pipes, and through kills.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ImportStatus } from '#shared/contract/transfer.ts';
import { type Home, homeIn, pidOf } from '../../support/daemon-process.ts';
import { checkKeywordIndex, queryHome } from '../../support/open-store-file.ts';
import { connectTo } from '../../support/real-daemon.ts';
import { runLoci } from '../../support/run-program.ts';
import { sendSignal } from '../../support/send-signal.ts';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const at = '2026-01-05T08:00:00.000Z';

/** A file of so many memories, with a link from each to the next, as an export is. */
function bundle(folder: string, count: number): string {
  const uids = Array.from({ length: count }, () => randomUUID());
  const records = uids.flatMap((uid, index) => {
    const stamps = { created_at: at, updated_at: at, occurred_at: at };
    const memory = { kind: 'memory', uid, content: `statement number ${index} of the bundle`, ...stamps };
    const next = uids[index + 1];
    const ends = { from: { kind: 'memory', uid }, to: { kind: 'memory', uid: next } };
    return next === undefined ? [memory] : [memory, { kind: 'link', ...ends, origin: 'manual', created_at: at }];
  });
  const counts = { memory: count, link: count - 1 };
  const head = { kind: 'loci_export', format: 1, loci_version: '0.1.0', exported_at: at, counts };
  const file = join(folder, 'bundle.jsonl');
  writeFileSync(file, [head, ...records].map((record) => JSON.stringify(record)).join('\n'));
  return file;
}

const memoriesIn = ({ folder }: Home): number =>
  queryHome<{ n: number }>(folder, 'SELECT count(*) AS n FROM memories')[0]?.n ?? -1;

describe('loci export and loci import', () => {
  it('move everything from one home to another, say what there was, and do it twice without harm', async () => {
    const [first, second] = [homeIn(tempFolder()), homeIn(tempFolder())];
    const loci = ({ env }: Home, ...args: string[]) => runLoci(args, { env, cwd: '/' });
    await loci(first, 'add', 'the gateway restarts at four', '--project', 'network');
    await loci(first, 'add', 'an old statement', '--on-duplicate', 'keep');
    await loci(first, 'archive', '2');
    const file = join(first.folder, 'out.jsonl');

    const live = await loci(first, 'export', file);
    expect(live).toMatchObject({ code: 0, stdout: `Exported 1 project, 1 memory to ${file}.\n` });
    expect(live.stderr).toMatch(/1 archived, obsolete or expired memories were left out/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await loci(first, 'export', file, '--include-obsolete');
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(4);

    const dry = await loci(second, 'import', file, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: 'Would import 1 project, 2 memories from loci.\n', stderr: '' });
    expect(await loci(second, 'import', file)).toMatchObject({
      code: 0,
      stdout: 'Imported 1 project, 2 memories from loci.\n',
    });
    const again = await loci(second, 'import', file);
    expect(again).toMatchObject({
      code: 0,
      stdout: 'Imported nothing from loci.\nUnchanged: 1 project, 2 memories.\n',
    });
    expect((await loci(second, 'search', 'gateway', '--json')).stdout).toContain('restarts at four');
    const piped = await runLoci(['import', '-'], { env: second.env, cwd: '/', stdin: readFileSync(file, 'utf8') });
    expect(piped.stdout).toContain('Imported nothing');

    writeFileSync(file, readFileSync(file, 'utf8').replace('"importance":5', '"importance":50'));
    const bad = await loci(second, 'import', file);
    expect(bad).toMatchObject({ code: 2, stdout: expect.stringMatching(/Nothing was imported: 1 record is bad/) });
    expect(bad.stderr).toMatch(/line 3, memory: `importance`/);
    expect(await loci(second, 'import', join(first.folder, 'none.jsonl'))).toMatchObject({ code: 3 });
    writeFileSync(file, 'a letter to nobody');
    const letter = await loci(second, 'import', file);
    expect(letter).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^error: .*say what wrote it/) });
  }, 180_000);

  it('B39 piped to `head -c 10` ends cleanly, and the daemon goes on', async () => {
    const home = homeIn(tempFolder());
    await runLoci(['import', bundle(home.folder, 5_000), '--quiet'], { env: home.env, cwd: '/' });
    const pid = await pidOf(home);
    const program = JSON.stringify(join(root, 'dist/loci.cjs'));
    const script = `${JSON.stringify(process.execPath)} ${program} export - | head -c 10; echo " \${PIPESTATUS[0]}"`;
    for (let round = 0; round < 10; round += 1) {
      const run = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
        const child = spawn('bash', ['-c', script], { env: home.env, cwd: '/' });
        let [stdout, stderr] = ['', ''];
        child.stdout.on('data', (chunk) => (stdout += chunk));
        child.stderr.on('data', (chunk) => (stderr += chunk));
        child.on('close', () => resolve({ stdout, stderr }));
      });
      expect(run).toEqual({ stdout: expect.stringMatching(/^\{"kind":"l (0|141)\n$/), stderr: '' });
    }
    expect(await pidOf(home)).toBe(pid);
    const whole = await runLoci(['export', '-', '--quiet'], { env: home.env, cwd: '/' });
    expect(whole.stdout.trim().split('\n')).toHaveLength(1 + 5_000 + 4_999);
  }, 180_000);
});

describe('the daemon killed under an import', () => {
  it('B30 of 500 memories: whoever asks the next daemon finds all of them or none', async () => {
    const home = homeIn(tempFolder());
    const file = bundle(home.folder, 500);
    for (const delayMs of [5, 60, 150, 300]) {
      await connectTo(home).call('memory_sync', {});
      const pid = (await pidOf(home)) ?? 0;
      const run = startImport(home, file);
      await run.isRunning;
      await sleep(delayMs);
      sendSignal(pid, 'SIGKILL');
      run.child.kill('SIGKILL');
      await run.ended;
      // what was cut is finished before the next daemon answers anybody
      await connectTo(home).call('memory_sync', {});
      expect([0, 500]).toContain(memoriesIn(home));
    }
    const last = await runLoci(['import', file, '--json'], { env: home.env, cwd: '/' });
    expect(JSON.parse(last.stdout) as ImportStatus).toMatchObject({ state: 'done' });
    expect(memoriesIn(home)).toBe(500);
    expect(queryHome(home.folder, 'SELECT count(*) AS n FROM memory_links')).toEqual([{ n: 499 }]);
  }, 180_000);

  it('B28 of many more, at half of it: the client starts it again and it goes on to the end, nothing twice', async () => {
    const home = homeIn(tempFolder());
    const file = bundle(home.folder, 4_000);
    const run = runLoci(['import', file, '--json'], { env: home.env, cwd: '/' });
    await expect.poll(() => tryCount(home), { timeout: 60_000, interval: 20 }).toBeGreaterThan(1_000);
    sendSignal(await pidOf(home), 'SIGKILL');
    const { code, stdout, stderr } = await run;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { state, report } = JSON.parse(stdout) as ImportStatus;
    expect({ state, memory: report?.counts.memory, link: report?.counts.link }).toEqual({
      state: 'done',
      memory: { added: 4_000, updated: 0, unchanged: 0, skipped: 0 },
      link: { added: 3_999, updated: 0, unchanged: 0, skipped: 0 },
    });
    expect(memoriesIn(home)).toBe(4_000);
    checkKeywordIndex(home.folder);
    const again = await runLoci(['import', file, '--json'], { env: home.env, cwd: '/' });
    expect((JSON.parse(again.stdout) as ImportStatus).report?.counts.memory).toMatchObject({
      added: 0,
      unchanged: 4_000,
    });
  }, 240_000);
});

function tryCount(home: Home): number {
  try {
    return memoriesIn(home);
  } catch {
    return 0;
  }
}

/** Runs `loci import` and tells when the daemon has been asked to run it. */
function startImport(home: Home, file: string) {
  const child = spawn(process.execPath, [join(root, 'dist/loci.cjs'), 'import', file], { env: home.env, cwd: '/' });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const isRunning = expect
    .poll(
      () => {
        try {
          return (
            queryHome<{ n: number }>(home.folder, "SELECT count(*) AS n FROM imports WHERE state <> 'uploading'")[0]
              ?.n ?? 0
          );
        } catch {
          return 0;
        }
      },
      { timeout: 30_000, interval: 3 },
    )
    .toBeGreaterThan(0);
  return { child, ended, isRunning };
}
