// Four hundred days of a store, driven by the scheduler itself on a fake clock: what is used stays, what is not fades, what repeats is
// united, and nothing is erased. What happened stands in docs/how-memory-works.md as a table and a plot; after a change of the rules
// write them anew with `UPDATE_GOLDEN=1 npx vitest run tests/integration/memories/four-hundred-days.test.ts`, and look at them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { look, save, unlike } from '../../support/fading-store.ts';
import { createFakeClock, dayMs } from '../../support/fake-clock.ts';
import { createFakeTimers } from '../../support/fake-timers.ts';
import { decayPlot, type Life, lifeTable } from '../../support/life-plot.ts';
import { root } from '../../support/source-tree.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';
import { useTimeZone } from '../../support/time-zone.ts';

const days = 400;
const page = join(root, 'docs/how-memory-works.md');
const plot = join(root, 'docs/four-hundred-days.svg');

/** Which jobs run when; the others are off, because they touch no memory. */
const env = {
  LOCI_JOBS_FLUSH_ACCESSES_CRON: '0 4 * * *',
  LOCI_JOBS_CONSOLIDATE_CRON: '10 4 * * *',
  LOCI_JOBS_CLEAN_CRON: '30 4 * * *',
  ...Object.fromEntries(
    ['REEMBED', 'RECONCILE', 'OPTIMISE', 'PRUNE', 'BACKUP', 'REHEARSE_RESTORE'].map((job) => [
      `LOCI_JOBS_${job}_ENABLED`,
      'false',
    ]),
  ),
};
const jobMinutes = [240, 250, 270];

it('of a store leave what is used, fade what is not, unite what repeats and erase nothing', {
  timeout: 240_000,
}, async () => {
  useTimeZone('UTC');
  const clock = createFakeClock(Date.UTC(2026, 0, 1, 12));
  const timers = createFakeTimers(clock);
  const store = await openTestStore({ clock, timers, env });
  const lives = await settle(store);
  const startMs = clock.now();

  for (let day = 0; day <= days; day += 1) {
    for (const life of lives) await record(store, life, day);
    if (day === 10) lives.push(await secondCopy(store));
    for (const life of lives)
      if (life.readEveryDays !== null && day % life.readEveryDays === 0) await read(store, life);
    await timers.advanceTo(startMs + (day + 1) * dayMs, async () => {
      if (jobMinutes.includes(Math.floor((clock.now() % dayMs) / 60_000))) await idle(store);
    });
    await noteUnions(store, lives, day + 1);
  }

  const stats = await store.call<{ memories: Record<string, number> }>('memory_stats');
  const table = lifeTable(lives, days);
  const svg = decayPlot(lives, days);
  if (process.env.UPDATE_GOLDEN === '1') {
    writeFileSync(page, between(readFileSync(page, 'utf8'), table));
    writeFileSync(plot, svg);
  }
  expect(readFileSync(page, 'utf8')).toContain(table);
  expect(readFileSync(plot, 'utf8')).toBe(svg);

  const end = Object.fromEntries(lives.map((life) => [life.key, [life.endedOnDay, life.why]]));
  expect(end).toEqual({
    weekly: [null, null],
    quarterly: [null, null],
    save: [200, 'faded: not used for long'],
    checkpoint: [286, 'faded: not used for long'],
    debate: [null, null],
    human: [null, null],
    pinned: [null, null],
    fact: [null, null],
    expiring: [91, 'expired'],
    repeated: [105, expect.stringMatching(/^united into memory/)],
    copy: [11, expect.stringMatching(/^says the same as memory/)],
    united: [305, 'faded: not used for long'],
  });
  // twelve notes became one, and every one of them can still be read
  expect(stats.memories).toEqual({ active: 6, archived: 12 + 5, obsolete: 0 });
});

const note = 'the payments team deploys every service through the argo pipeline after review on tuesday mornings';

async function settle(store: TestStore): Promise<Life[]> {
  const life = async (
    key: string,
    what: string,
    number: number,
    more: object = {},
    readEveryDays: number | null = null,
  ) => newLife({ key, what, id: await save(store, unlike(number), more), readEveryDays });
  const lives = [
    await life('weekly', 'a save that is read every week', 1, {}, 7),
    await life('quarterly', 'a save that is read every 90 days', 2, {}, 90),
    await life('save', 'a save that nobody reads', 3),
    await life('checkpoint', 'a checkpoint that nobody reads', 4, { provenance: 'checkpoint' }),
    await life('debate', 'the outcome of a debate (core)', 5, { provenance: 'debate' }),
    await life('human', 'what a person said (core)', 6, { provenance: 'human' }),
    await life('pinned', 'a pinned save', 7, { pinned: true }),
    await life('expiring', 'a save that expires after 90 days', 8, { expires_days: 90 }),
  ];
  const fact = await store.call<{ id: number }>('memory', {
    action: 'save',
    category: 'technical',
    key: 'ci_host',
    value: unlike(9),
  });
  lives.push(newLife({ key: 'fact', what: 'a keyed fact', id: fact.id, readEveryDays: null }));
  const ends = ['then lunch', 'if calm', 'by hand', 'when asked', 'with care', 'for safety', 'in turn'];
  ends.push('no later', 'at nine', 'two abreast', 'all year', 'since spring');
  const ids: number[] = [];
  for (const end of ends) ids.push(await save(store, `${note} ${end}`));
  lives.push(
    newLife({
      key: 'repeated',
      what: 'twelve notes that say nearly the same',
      id: ids[0] as number,
      readEveryDays: null,
    }),
  );
  return lives;
}

function newLife(given: Pick<Life, 'key' | 'what' | 'id' | 'readEveryDays'>): Life {
  return { ...given, fromDay: 0, decays: [], endedOnDay: null, why: null };
}

/** The same text as the pinned save's neighbour, said again on day 10. */
async function secondCopy(store: TestStore): Promise<Life> {
  const id = await save(store, unlike(1), { tags: ['again'] });
  return {
    ...newLife({ key: 'copy', what: 'a copy of the first, saved on day 10', id, readEveryDays: null }),
    fromDay: 10,
  };
}

/** Where the twelve notes went. */
async function noteUnions(store: TestStore, lives: Life[], day: number): Promise<void> {
  const repeated = lives.find((life) => life.key === 'repeated');
  if (repeated === undefined || lives.some((life) => life.key === 'united')) return;
  const { superseded_by: id } = await look(store, repeated.id);
  if (id === null) return;
  lives.push({
    ...newLife({ key: 'united', what: 'the memory that unites them', id, readEveryDays: null }),
    fromDay: day,
  });
}

async function record(store: TestStore, life: Life, day: number): Promise<void> {
  if (life.endedOnDay !== null) return;
  const memory = await look(store, life.id);
  if (memory.status === 'active') life.decays.push(memory.decay as number);
  else Object.assign(life, { endedOnDay: day, why: memory.obsolete_reason });
}

async function read(store: TestStore, life: Life): Promise<void> {
  await store.call('memory_get', { id: life.id });
}

async function idle(store: TestStore): Promise<void> {
  for (;;) {
    const { jobs } = await store.call<{ jobs: { running: boolean }[] }>('list_jobs');
    if (jobs.every(({ running }) => !running)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const begin = '<!-- four hundred days: begin -->';
const end = '<!-- four hundred days: end -->';

function between(text: string, table: string): string {
  const [before = '', rest = ''] = text.split(begin);
  return `${before}${begin}\n\n${table}\n\n${end}${rest.split(end)[1] ?? ''}`;
}
