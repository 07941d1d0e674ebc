// Files as large as years make them: the daemon keeps within its memory and answers everybody meanwhile.
import { createWriteStream, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportStatus } from '#shared/contract/transfer.ts';
import { type Home, homeIn, pidOf } from '../support/daemon-process.ts';
import { queryHome } from '../support/open-store-file.ts';
import { connectTo } from '../support/real-daemon.ts';
import { runLoci } from '../support/run-program.ts';
import { tempFolder } from '../support/temp-folder.ts';

const maxRssMb = 400;
const maxHealthMs = 1_000;
const words =
  'the deploy of the gateway restarts every night because billing runs on monday and the cache is cold'.split(' ');

/** Different words each time, and the same ones in each run. */
function createText(): (length: number) => string {
  let state = 12_345;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % below;
  };
  return (length) => {
    const parts: string[] = [];
    for (let at = 0; at < length; at += (parts.at(-1)?.length ?? 0) + 1)
      parts.push(`${words[next(words.length)]}${next(5_000)}`);
    return parts.join(' ');
  };
}

async function writeLines(file: string, lines: Iterable<object>): Promise<number> {
  const out = createWriteStream(file);
  for (const line of lines) {
    if (!out.write(`${JSON.stringify(line)}\n`))
      await new Promise<void>((resolve) => out.once('drain', () => resolve()));
  }
  await new Promise<void>((resolve) => out.end(resolve));
  return out.bytesWritten;
}

/** Looks at the daemon's memory and at how fast it answers until told to stop. */
async function watch(home: Home) {
  const pid = await pidOf(home);
  let [maxRss, maxHealth, isOver] = [0, 0, false];
  const work = (async () => {
    while (!isOver) {
      const startedMs = performance.now();
      await new Promise<void>((resolve, reject) => {
        const sent = request({ socketPath: home.paths.httpSocket, path: '/health' }, (answer) =>
          answer.resume().on('end', () => resolve()),
        );
        sent.on('error', reject).end();
      });
      maxHealth = Math.max(maxHealth, performance.now() - startedMs);
      const rssKb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
      maxRss = Math.max(maxRss, rssKb / 1024);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return async () => {
    isOver = true;
    await work;
    return { maxRss, maxHealth };
  };
}

async function importWatched(home: Home, file: string, ...flags: string[]) {
  await connectTo(home).call('memory_sync', {});
  const end = await watch(home);
  const run = await runLoci(['import', file, '--json', ...flags], { env: home.env, cwd: '/' });
  const { maxRss, maxHealth } = await end();
  expect(maxRss).toBeLessThan(maxRssMb);
  expect(maxHealth).toBeLessThan(maxHealthMs);
  return JSON.parse(run.stdout) as ImportStatus;
}

describe.runIf(process.platform === 'linux')('a large import', () => {
  it('B27 of 100,000 lines (120 MB, one line of 8 MB) ends within the memory, and the daemon answers meanwhile', async () => {
    const home = homeIn(tempFolder());
    const [file, count] = [join(home.folder, 'large.jsonl'), 100_000];
    const textOf = createText();
    const entities = function* () {
      for (let at = 0; at < count; at += 1) {
        yield {
          type: 'entity',
          name: `entity ${at}`,
          entityType: 'person',
          observations: [textOf(at === 50_000 ? 8e6 : 1_050)],
        };
      }
    };
    expect(await writeLines(file, entities())).toBeGreaterThan(110e6);
    const { state, report } = await importWatched(home, file);
    expect({ state, problems: report?.problem_count }).toEqual({ state: 'done', problems: 0 });
    expect(report?.counts).toMatchObject({
      entity: { added: count },
      memory: { added: count - 1 },
      document: { added: 1 },
    });
    expect(queryHome(home.folder, 'SELECT count(*) AS n FROM memories')).toEqual([{ n: count - 1 }]);
  });

  it('B27 of 600 MB ends within the memory too', async () => {
    const home = homeIn(tempFolder());
    const [file, count, at] = [join(home.folder, 'larger.jsonl'), 100_000, '2026-01-05T08:00:00.000Z'];
    const textOf = createText();
    const records = function* () {
      const head = { kind: 'loci_export', format: 1, loci_version: '0.1.0', exported_at: at };
      yield { ...head, counts: { memory: count } };
      for (let index = 0; index < count; index += 1) {
        const uid = `01920000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;
        yield { kind: 'memory', uid, content: textOf(5_800), created_at: at, updated_at: at, occurred_at: at };
      }
    };
    expect(await writeLines(file, records())).toBeGreaterThan(590e6);
    const { state, report } = await importWatched(home, file);
    expect({ state, added: report?.counts.memory?.added }).toEqual({ state: 'done', added: count });
  });
});
