// A backup must not be felt by those who write, and bringing one back must be a matter of seconds: vectors come from the backup, not from
// the model. Twenty writes a second go on, spread evenly, while a backup of 100,000 memories is made; they are small, so that what is
// measured is waiting and not the model.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { countFinding, type Finding, limitFinding, percentile } from '../figures.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';
import type { Workshop } from '../workshop.ts';

const writeEveryMs = 50;
const idleMs = 15_000;
const sampled = 100;

export const backupBenches: readonly Bench[] = [
  { name: 'backup-10000', run: (workshop) => backup(workshop, 10_000) },
  { name: 'backup-100000', isLong: true, run: (workshop) => backup(workshop, 100_000) },
];

type Made = { name: string; bytes: number; memories: number };
type Stats = { memories: { active: number }; vectors: { rows: number; pending: number } };

async function backup(workshop: Workshop, memories: number): Promise<Finding[]> {
  const daemon = await workshop.daemon(await workshop.filledHome(memories));
  await daemon.call('memory_search', {
    query: 'wait until the store is open and its vectors are held',
    mode: 'vector',
  });
  const before = await daemon.call<Stats>('memory_stats');
  const foundBefore = await findThemselves(daemon, memories);
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
  const found = await findThemselves(daemon, memories);
  return [
    limitFinding({ what: `write while ${memories} memories are backed up`, atMost: 200, values: during, of: 'max' }),
    limitFinding({ what: `restore of ${memories} memories`, atMost: 60_000, values: [restoreMs] }),
    limitFinding({ what: 'first search by meaning after it', atMost: 5_000, values: [searchMs] }),
    countFinding('memories and vectors after it', countsOf(before), countsOf(after)),
    countFinding('memories found by their words after it', `${foundBefore} of ${sampled}`, `${found} of ${sampled}`),
    countFinding('what was saved after the backup', 'gone', (await isThere(daemon, lost.id)) ? 'there' : 'gone'),
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

/** The quick embedder of the filled home knows no meaning, so each is asked for by its words; its vector is counted. */
async function findThemselves(daemon: RunningDaemon, memories: number): Promise<number> {
  const texts = createDeveloperTexts(memories);
  const contents = Array.from({ length: memories }, () => texts.memory().content);
  let found = 0;
  for (let at = 0; at < sampled; at += 1) {
    const index = Math.floor((at * memories) / sampled);
    const query = (contents[index] ?? '').slice(0, 2_000);
    const { results } = await daemon.call<{ results: { id: number }[] }>('memory_search', {
      query,
      mode: 'keyword',
      limit: 20,
      depth: 1,
    });
    if (results.some(({ id }) => id === index + 1)) found += 1;
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
