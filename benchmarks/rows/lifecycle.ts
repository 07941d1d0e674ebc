// Upkeep is work that nobody asked for, so it must not be felt: little CPU, a loop that is never blocked, and searches that go on.
// Consolidation and clean-up of a store that has lived, while one client searches as fast as it is answered.

import type { Bench } from '../bench.ts';
import { type Finding, limitFinding, median, percentile, ratioFinding } from '../figures.ts';
import { cpuMs } from '../processes/process-facts.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';
import { copyFadedHome } from '../store/faded-home.ts';
import { newSearches } from '../tasks/new-searches.ts';
import type { Workshop } from '../workshop.ts';

const rounds = 60;
/** A passage of the length that the store cuts texts to. */
const passage = 'the payments team deploys every service through the pipeline after review on tuesday mornings '.repeat(
  14,
);

export const lifecycleBenches: readonly Bench[] = [
  { name: 'lifecycle-10000', run: (workshop) => upkeep(workshop, 10_000) },
];

async function upkeep(workshop: Workshop, memories: number): Promise<Finding[]> {
  const home = workshop.emptyHome();
  await copyFadedHome(memories, home, workshop.say);
  const daemon = await workshop.daemon(home);
  const texts = createDeveloperTexts(memories + 5);
  await daemon.call('memory_search', { query: 'wait until the store is open and the model is loaded', mode: 'vector' });
  const cpuAtStart = cpuMs(daemon.pid);
  const { values: idle } = await newSearches(workshop, daemon, texts, rounds);
  const cpuOfSearch = (cpuMs(daemon.pid) - cpuAtStart) / rounds;
  const passageMs = await timePassage(workshop);

  await loopBlockedMs(daemon);
  const cpuBefore = cpuMs(daemon.pid);
  const during: number[] = [];
  let isOver = false;
  const jobs = runJobs(daemon, workshop).finally(() => {
    isOver = true;
  });
  const blocked: number[] = [];
  while (!isOver) {
    during.push(await daemon.time('memory_search', { query: texts.question() }));
    if (during.length % 20 === 0) blocked.push(await loopBlockedMs(daemon));
  }
  await jobs;
  blocked.push(await loopBlockedMs(daemon));
  const cpu = cpuMs(daemon.pid) - cpuBefore - during.length * cpuOfSearch;

  const bar = (of: number): number => 2 * of + passageMs;
  const what = `upkeep of ${memories} memories`;
  return [
    limitFinding({ what: `${what}, CPU without the searches`, atMost: 60_000, values: [cpu] }),
    limitFinding({ what: `${what}, event loop blocked`, atMost: 50, values: blocked, of: 'max' }),
    ratioFinding({
      what: `search during it, median of ${during.length}`,
      atMost: 1,
      values: [median(during)],
      yardstick: { name: '(2 × idle + one passage)', values: [bar(median(idle))] },
    }),
    ratioFinding({
      what: 'search during it, p95',
      atMost: 1,
      values: [percentile(during, 0.95)],
      yardstick: { name: '(2 × idle p95 + one passage)', values: [bar(percentile(idle, 0.95))] },
    }),
  ];
}

async function runJobs(daemon: RunningDaemon, workshop: Workshop): Promise<void> {
  for (const name of ['consolidate', 'clean']) {
    const run = await daemon.call<{ outcome: string; counts: object; duration_ms: number }>('run_job', { name });
    workshop.say(`${name}: ${run.outcome} ${JSON.stringify(run.counts)} in ${run.duration_ms} ms`);
    if (run.outcome !== 'ok') throw new Error(`the job ${name} ended as ${run.outcome}`);
  }
}

async function timePassage({ model }: Workshop): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const startedMs = performance.now();
    await model.embed([passage], { lane: 'bulk', purpose: 'passage' });
    times.push(performance.now() - startedMs);
  }
  return median(times);
}

/** The longest delay of the loop since the last question. */
async function loopBlockedMs(daemon: RunningDaemon): Promise<number> {
  const text = await daemon.get('/metrics');
  return Number(/loci_event_loop_delay_seconds\{quantile="1"\} (\S+)/.exec(text)?.[1] ?? 0) * 1000;
}
