// A backup must not be felt by those who write, and bringing one back must be a matter of seconds: vectors come from the backup, not from
// the model. Twenty writes a second go on, spread evenly, while a backup of 100,000 memories is made; they are small, so that what is
// measured is waiting and not the model.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { countFinding, type Finding, limitFinding, percentile } from '../figures.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';
import { compareIds } from '../store/restored-ids.ts';
import type { Workshop } from '../workshop.ts';

const writeEveryMs = 50;
const idleMs = 15_000;
/** Each of so many is asked for, by its words and by its meaning; whether all are where searches look is read from the file. */
const sampled = 1_000;

export const backupBenches: readonly Bench[] = [
  { name: 'backup-10000', run: (workshop) => backup(workshop, 10_000) },
  { name: 'backup-100000', isLong: true, run: (workshop) => backup(workshop, 100_000) },
];

type Made = { name: string; bytes: number; memories: number };
type Stats = { memories: { active: number }; vectors: { rows: number; pending: number } };

async function backup(workshop: Workshop, memories: number): Promise<Finding[]> {
  const home = await workshop.filledHome(memories);
  const daemon = await workshop.daemon(home);
  await daemon.call('memory_search', {
    query: 'wait until the store is open and its vectors are held',
    mode: 'vector',
  });
  const meant = await saveWithMeaning(daemon, memories);
  const before = await daemon.call<Stats>('memory_stats');
  const foundBefore = await findByWords(daemon, memories);
  const meantBefore = await findByMeaning(daemon, meant);
  const idle = await writeUntil(daemon, sleep(idleMs));

  const startedMs = performance.now();
  const making = daemon.call<Made>('create_backup');
  const during = await writeUntil(daemon, making);
  const { name, bytes } = await making;
  const backupMs = performance.now() - startedMs;
  const spread = (values: readonly number[]): string =>
    [0.5, 0.95, 0.99, 1].map((share) => percentile(values, share).toFixed(0)).join(' / ');
  workshop.say(`writes in ms, median / p95 / p99 / most: ${spread(idle)} before, ${spread(during)} during`);
  workshop.say(`${Math.round(bytes / 1e6)} MB in ${(backupMs / 1000).toFixed(1)} s; ${during.length} writes meanwhile`);

  const lost = await daemon.call<{ id: number }>('memory_save', { content: 'saved after the backup and gone with it' });
  const restoreMs = await daemon.time('restore_backup', { name });
  const searchMs = await daemon.time('memory_search', { query: 'the first search after the restore', mode: 'vector' });
  const after = await daemon.call<Stats>('memory_stats');
  const found = await findByWords(daemon, memories);
  const meantAfter = await findByMeaning(daemon, meant);
  const isGone = !(await isThere(daemon, lost.id));
  await daemon.stop();
  const ids = compareIds(join(home, 'data', 'loci.db'));
  return [
    limitFinding({ what: `write while ${memories} memories are backed up`, atMost: 200, values: during, of: 'max' }),
    limitFinding({ what: `restore of ${memories} memories`, atMost: 60_000, values: [restoreMs] }),
    limitFinding({ what: 'first search by meaning after it', atMost: 5_000, values: [searchMs] }),
    countFinding('memories and vectors after it', countsOf(before), countsOf(after)),
    countFinding(
      'ids of memories against ids in the indexes after it',
      `${memories + sampled} memories, 0 without words, 0 without a vector, sound`,
      `${ids.memories} memories, ${ids.withoutWords} without words, ${ids.withoutVector} without a vector, ${ids.isKeywordIndexSound ? 'sound' : 'unsound'}`,
    ),
    countFinding('memories found by their words after it', `${foundBefore} of ${sampled}`, `${found} of ${sampled}`),
    countFinding('memories found by meaning after it', `${meantBefore} of ${sampled}`, `${meantAfter} of ${sampled}`),
    countFinding('what was saved after the backup', 'gone', isGone ? 'gone' : 'there'),
  ];
}

/** Small writes at a steady pace until `end`; how long each took. */
async function writeUntil(daemon: RunningDaemon, end: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const over = end.finally(() => {
    isOver = true;
  });
  const taken: number[] = [];
  for (let at = 0; !isOver; at += 1) {
    const dueMs = performance.now() + writeEveryMs;
    taken.push(await daemon.time('memory_update', { id: (at % 1_000) + 1, importance: 1 + (at % 10) }));
    await sleep(Math.max(0, dueMs - performance.now()));
  }
  await over;
  return taken;
}

type Meant = { readonly id: number; readonly content: string };
type Found = { readonly results: readonly { readonly id: number }[] };

/** The quick embedder of the filled home knows no meaning: these have vectors of the model itself. */
async function saveWithMeaning(daemon: RunningDaemon, memories: number): Promise<Meant[]> {
  const texts = createDeveloperTexts(memories + 1);
  const meant: Meant[] = [];
  while (meant.length < sampled) {
    const batch = Array.from({ length: 100 }, () => ({ content: texts.memory().content, on_duplicate: 'keep' }));
    const { results } = await daemon.call<Found>('memory_save_many', { memories: batch });
    for (const [index, { id }] of results.entries()) meant.push({ id, content: batch[index]?.content ?? '' });
  }
  while ((await daemon.call<Stats>('memory_stats')).vectors.pending > 0) await sleep(250);
  return meant;
}

async function findByMeaning(daemon: RunningDaemon, meant: readonly Meant[]): Promise<number> {
  return countFound(daemon, 'vector', meant);
}

async function findByWords(daemon: RunningDaemon, memories: number): Promise<number> {
  const texts = createDeveloperTexts(memories);
  const all = Array.from({ length: memories }, (_, index) => ({ id: index + 1, content: texts.memory().content }));
  const some = Array.from({ length: sampled }, (_, at) => all[Math.floor((at * memories) / sampled)]);
  return countFound(
    daemon,
    'keyword',
    some.flatMap((one) => one ?? []),
  );
}

async function countFound(daemon: RunningDaemon, mode: string, asked: readonly Meant[]): Promise<number> {
  let found = 0;
  for (const { id, content } of asked) {
    const query = content.slice(0, 2_000);
    const { results } = await daemon.call<Found>('memory_search', { query, mode, limit: 20, depth: 1 });
    if (results.some((hit) => hit.id === id)) found += 1;
  }
  return found;
}

async function isThere(daemon: RunningDaemon, id: number): Promise<boolean> {
  return daemon.call('memory_get', { id }).then(
    () => true,
    () => false,
  );
}

function countsOf({ memories, vectors }: Stats): string {
  return `${memories.active} active, ${vectors.rows} vectors, ${vectors.pending} pending`;
}
