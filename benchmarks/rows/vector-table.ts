// 5,000 saves, one after the other, are 5,000 versions of a table that nobody cleans. What is left on disk is held against what is alive,
// and a search afterwards against one before, both in units of the embedding of its query.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { type Finding, limitFinding, median } from '../figures.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';
import { newSearches } from '../tasks/new-searches.ts';
import type { Workshop } from '../workshop.ts';

const saves = 5_000;
const firstMemories = 1_000;
const searches = 40;
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
  const before = await newSearches(workshop, daemon, texts, searches);
  const folder = join(home, 'data', 'vectors');
  let mostBytes = 0;
  for (let saved = 0; saved < saves; saved += 1) {
    // short texts: it is the table that is measured here, not the model
    await daemon.call('memory_save', { content: texts.question(), on_duplicate: 'keep' });
    if (saved % 250 === 0) mostBytes = Math.max(mostBytes, bytesOf(folder));
  }
  await untilFlushed(daemon);
  mostBytes = Math.max(mostBytes, bytesOf(folder));
  const rows = firstMemories + saves;
  const liveMb = (rows * liveBytesPerRow) / 2 ** 20;
  const after = await newSearches(workshop, daemon, texts, searches);
  const costOf = ({ values, alone }: typeof after): number[] => values.map((ms, at) => ms - (alone[at] ?? 0));
  const what = `after ${saves} single saves, ${served}`;
  const slower = median(costOf(after)) - median(costOf(before));
  return [
    {
      ...limitFinding({
        what: `vector table on disk ${what} (at most)`,
        atMost: 5 * liveMb,
        values: [mostBytes / 2 ** 20],
        unit: 'MB',
      }),
      yardstick: `${liveMb.toFixed(1)} MB live`,
      ratio: mostBytes / 2 ** 20 / liveMb,
    },
    {
      ...limitFinding({ what: `search ${what}`, atMost: 1.6 * median(after.alone), values: after.values }),
      yardstick: `${median(before.values).toFixed(2)} ms before; ${slower.toFixed(2)} ms more beside the model`,
      ratio: median(after.values.map((ms, at) => ms / (after.alone[at] ?? Number.NaN))),
    },
  ];
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
