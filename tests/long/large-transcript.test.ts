// B27: a transcript of any size is read in the memory of a small one, while the daemon answers everybody else.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createWire } from '#clients/connect/wire.ts';
import { homeIn, startProcess, untilUp } from '../support/daemon-process.ts';
import { root } from '../support/source-tree.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { assistant, claudeLines, claudeToolResult, user } from '../support/transcripts.ts';

const mega = 2 ** 20;

async function writeLarge(file: string, sizeBytes: number): Promise<void> {
  const stream = createWriteStream(file);
  const filling = claudeLines([
    assistant(`I'll read the next file. ${'const value = compute(input); '.repeat(35)}`),
  ])[0];
  const wide = claudeToolResult('x'.repeat(4 * mega));
  const wish = claudeLines([user('From now on we use Vitest instead of Jest, because Jest cannot load ESM.')])[0];
  for (let written = 0, line = 0; written < sizeBytes; line += 1) {
    const text = line === 30_000 ? wide : line === 60_000 ? wish : filling;
    written += Buffer.byteLength(text ?? '') + 1;
    if (!stream.write(`${text}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}

const residentMb = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;

it.each([120, 600])(
  'B27 a transcript of %i MB is swept within 64 MB above idle, and health answers meanwhile',
  async (megabytes) => {
    const folder = tempFolder();
    const file = join(folder, 'session.jsonl');
    await writeLarge(file, megabytes * mega);
    const home = homeIn(folder);
    startProcess(join(root, 'dist', 'locid.js'), home.env);
    const pid = await untilUp(home);
    const wire = createWire();
    const target = { kind: 'socket', path: home.paths.httpSocket } as const;
    const post = async (operation: string, input: object) => {
      const body = JSON.stringify(input);
      const answer = await wire.send(target, {
        method: 'POST',
        path: `/operations/${operation}`,
        body,
        timeoutMs: 600_000,
      });
      return JSON.parse(answer.body) as Record<string, unknown>;
    };
    await post('memory_save', { content: 'Something, so that model and threads are loaded.' });
    await post('memory_recall', { prompt: 'something that loads the rest' });
    await sleep(1_000);
    const idleMb = residentMb(pid);

    let [peakMb, slowestMs, isDone] = [idleMb, 0, false];
    const sweeping = post('memory_sweep', { transcript_path: file }).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const startedMs = performance.now();
      await wire.send(target, { method: 'GET', path: '/health', timeoutMs: 5_000 });
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      peakMb = Math.max(peakMb, residentMb(pid));
      await sleep(25);
    }
    expect(await sweeping).toMatchObject({
      format: 'claude-code',
      skipped: 0,
      saved: [{ type: 'decision', line: 60_001 }],
    });
    console.info(
      `${megabytes} MB: idle ${idleMb.toFixed(0)} MB, peak ${peakMb.toFixed(0)} MB, slowest health ${slowestMs.toFixed(0)} ms`,
    );
    expect(peakMb - idleMb).toBeLessThan(64);
    expect(peakMb).toBeLessThan(400);
    expect(slowestMs).toBeLessThan(1_000);
    wire.close();
  },
);
