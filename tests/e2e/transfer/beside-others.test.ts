// An import is a guest: whoever saves and searches meanwhile hardly notices it, however long its texts are.
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ImportStatus } from '#shared/contract/transfer.ts';
import { type Home, homeIn } from '../../support/daemon-process.ts';
import { sendTo } from '../../support/http-surface.ts';
import { connectTo } from '../../support/real-daemon.ts';
import { runLoci } from '../../support/run-program.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const at = '2026-01-05T08:00:00.000Z';
const windowMs = 500;
/** What the event loop may be blocked for in three of four half seconds, and four times that in the others. */
const maxBlockedMs = 50;
/** What saves alone block it for on a machine that has nothing else to do. Where others fight for its cores, every limit is so much wider. */
const usualBlockedMs = 12;
const quietWindows = 6;

it('of 20 documents of 3 MB blocks the event loop for no more than 50 ms, and saves go between them', async () => {
  const home = homeIn(tempFolder());
  const text = createText();
  const file = exportOf(home, 'document', 20, (index) => ({
    title: `report ${index}`,
    description: 'a long one',
    document_type: 'text',
    filename: null,
    content: text(3e6),
  }));
  const { state, counts, blockedMs, savesMs, slowness } = await importBeside(home, file);
  expect({ state, document: counts?.document?.added }).toEqual({ state: 'done', document: 20 });
  expect(share(blockedMs, 0.75), `blocked for ${shown(blockedMs)} ms, slowness ${slowness}`).toBeLessThan(
    slowness * maxBlockedMs,
  );
  expect(share(blockedMs, 1), `blocked for ${shown(blockedMs)} ms`).toBeLessThan(slowness * 4 * maxBlockedMs);
  // a save waits for one document at most, whose words are filed in one statement
  expect(share(savesMs, 0.5), `saved in ${shown(savesMs)} ms`).toBeLessThan(slowness * 150);
  expect(share(savesMs, 1), `saved in ${shown(savesMs)} ms`).toBeLessThan(slowness * 1_500);
});

it('of 1,000 memories makes nobody wait until it has ended', async () => {
  const home = homeIn(tempFolder());
  const text = createText();
  const file = exportOf(home, 'memory', 1_000, () => ({ content: text(500), occurred_at: at }));
  const { state, counts, blockedMs, savesMs, slowness } = await importBeside(home, file);
  expect({ state, memory: counts?.memory?.added }).toEqual({ state: 'done', memory: 1_000 });
  expect(share(blockedMs, 0.75), `blocked for ${shown(blockedMs)} ms`).toBeLessThan(slowness * maxBlockedMs);
  expect(share(savesMs, 0.9), `saved in ${shown(savesMs)} ms`).toBeLessThan(slowness * 200);
  expect(share(savesMs, 1), `saved in ${shown(savesMs)} ms`).toBeLessThan(slowness * 600);
});

/** Imports a file while another client saves; how long the event loop was blocked in each half second, and how long each save took. */
async function importBeside(home: Home, file: string) {
  const connection = connectTo(home);
  const save = (content: string) => connection.call('memory_save', { content, on_duplicate: 'keep' });
  await save('the first words load the model');
  await connection.call('memory_search', { query: 'the first words' });
  await sleep(1_500);
  await loopBlockedMs(home);
  const [blockedMs, savesMs]: [number[], number[]] = [[], []];
  let isOver = false;
  const saving = (async () => {
    for (let index = 0; !isOver; index += 1) {
      const startedMs = performance.now();
      await save(`said beside the import, number ${index}`);
      savesMs.push(performance.now() - startedMs);
      await sleep(20);
    }
  })();
  const looking = (async () => {
    while (!isOver) {
      await sleep(windowMs);
      blockedMs.push(await loopBlockedMs(home));
    }
  })();
  while (blockedMs.length < quietWindows) await sleep(windowMs);
  const slowness = Math.max(1, share(blockedMs, 0.75) / usualBlockedMs);
  blockedMs.length = 0;
  savesMs.length = 0;
  const run = await runLoci(['import', file, '--json'], { env: home.env, cwd: '/' });
  isOver = true;
  await Promise.all([saving, looking]);
  const { state, report } = JSON.parse(run.stdout) as ImportStatus;
  return { state, counts: report?.counts, blockedMs, savesMs, slowness };
}

async function loopBlockedMs(home: Home): Promise<number> {
  const { text } = await sendTo({ socketPath: home.paths.httpSocket }, { path: '/metrics' });
  return Number(/loci_event_loop_delay_seconds\{quantile="1"\} (\S+)/.exec(text)?.[1]) * 1_000;
}

function exportOf(home: Home, kind: string, count: number, fields: (index: number) => object): string {
  const file = join(home.folder, 'bundle.jsonl');
  const descriptor = openSync(file, 'w');
  const head = { kind: 'loci_export', format: 1, loci_version: '0.1.0', exported_at: at, counts: { [kind]: count } };
  writeSync(descriptor, JSON.stringify(head));
  for (let index = 0; index < count; index += 1) {
    const record = { kind, uid: randomUUID(), ...fields(index), created_at: at, updated_at: at };
    writeSync(descriptor, `\n${JSON.stringify(record)}`);
  }
  closeSync(descriptor);
  return file;
}

/** Different words each time, and the same ones in each run. */
function createText(): (length: number) => string {
  let state = 12_345;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % below;
  };
  const words = ['deploy', 'gateway', 'restarts', 'billing', 'monday', 'cache', 'because', 'cold'];
  return (length) => {
    const parts: string[] = [];
    for (let size = 0; size < length; size += (parts.at(-1)?.length ?? 0) + 1)
      parts.push(`${words[next(words.length)]}${next(5_000)}`);
    return parts.join(' ');
  };
}

function share(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
}

const shown = (values: readonly number[]): string =>
  [0.5, 0.75, 0.9, 1].map((part) => share(values, part).toFixed(0)).join(', ');
