// 5,000 saves, one after the other, are 5,000 versions of a table that nobody cleans. What is left on disk is held against what is alive,
// and a search of what they left against one of the same rows when the table has been put in order.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { type Finding, ratioFinding } from '../figures.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { createDeveloperTexts, type DeveloperTexts } from '../store/developer-texts.ts';
import type { Workshop } from '../workshop.ts';

const saves = 5_000;
const firstMemories = 1_000;
const searches = 60;
/** A vector of 384 float32, and the ids and keys beside it. */
const liveBytesPerRow = 384 * 4 + 100;

export const vectorTableBenches: readonly Bench[] = [
  { name: 'vector-table', run: (workshop) => saveAndSearch(workshop, 'exact search', {}) },
  {
    name: 'vector-table-lance',
    run: (workshop) => saveAndSearch(workshop, 'LanceDB search', { LOCI_VECTORS_EXACT_LIMIT: '0' }),
  },
];

async function saveAndSearch(workshop: Workshop, served: string, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const home = await workshop.filledHome(firstMemories);
  const daemon = await workshop.daemon(home, env);
  const texts = createDeveloperTexts(5);
  const folder = join(home, 'data', 'vectors');
  let mostBytes = 0;
  for (let saved = 0; saved < saves; saved += 1) {
    // short texts: it is the table that is measured here, not the model
    await daemon.call('memory_save', { content: texts.question(), on_duplicate: 'keep' });
    if (saved % 250 === 0) mostBytes = Math.max(mostBytes, bytesOf(folder));
  }
  await untilFlushed(daemon);
  mostBytes = Math.max(mostBytes, bytesOf(folder));
  const left = await searchesByMeaning(daemon, texts);
  await daemon.call('run_job', { name: 'optimise' });
  const ordered = await searchesByMeaning(daemon, texts);
  const live = ((firstMemories + saves) * liveBytesPerRow) / 2 ** 20;
  const what = `after ${saves} single saves, ${served}`;
  return [
    ratioFinding({
      what: `vector table on disk ${what}`,
      atMost: 5,
      values: [mostBytes / 2 ** 20],
      yardstick: { name: 'live data', values: [live] },
      unit: 'MB',
    }),
    ratioFinding({
      what: `search by meaning ${what}`,
      atMost: 1.25,
      values: left,
      yardstick: { name: 'the table in order', values: ordered },
    }),
  ];
}

/** Milliseconds of searches whose queries are embedded already, so that little else is measured. */
async function searchesByMeaning(daemon: RunningDaemon, texts: DeveloperTexts): Promise<number[]> {
  const queries = Array.from({ length: searches }, () => texts.question());
  for (const query of queries) await daemon.call('memory_search', { query, mode: 'vector', depth: 1 });
  const times: number[] = [];
  for (const query of queries) times.push(await daemon.time('memory_search', { query, mode: 'vector', depth: 1 }));
  return times;
}

/** The last saves reach the table within a minute. */
async function untilFlushed(daemon: RunningDaemon): Promise<void> {
  await daemon.call('run_job', { name: 'reconcile' });
  await sleep(500);
}

function bytesOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    // files of a version that is being dropped vanish under the count
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
