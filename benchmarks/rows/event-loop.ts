// Every socket of the daemon waits while its event loop is blocked. The delay is measured inside the daemon, where /metrics reads it,
// under two clients that search and one that saves.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { type Finding, limitFinding } from '../figures.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';
import type { Workshop } from '../workshop.ts';

const scrapeEveryMs = 2_000;

export const eventLoopBenches: readonly Bench[] = [
  { name: 'event-loop-10000', run: (workshop) => underLoad(workshop, 10_000, 20_000) },
  { name: 'event-loop-100000', isLong: true, run: (workshop) => underLoad(workshop, 100_000, 60_000) },
];

async function underLoad(workshop: Workshop, memories: number, forMs: number): Promise<Finding[]> {
  const daemon = await workshop.daemon(await workshop.filledHome(memories));
  await daemon.call('memory_search', { query: 'the first search loads the vectors and the model' });
  await daemon.call('memory_search', { query: 'the second one finds them' });
  await loopDelaysMs(daemon);
  const longest: number[] = [];
  const usual: number[] = [];
  const endMs = performance.now() + forMs;
  const calls = [1, 2, 3].map((seed) => callUntil(daemon, seed, endMs));
  while (performance.now() < endMs) {
    await sleep(scrapeEveryMs);
    const { max, p99 } = await loopDelaysMs(daemon);
    longest.push(max);
    usual.push(p99);
  }
  const times = (await Promise.all(calls)).flat();
  const what = `event loop blocked, ${memories} memories`;
  return [
    limitFinding({ what: `${what}, under ${times.length} calls`, atMost: 50, values: longest, of: 'max' }),
    limitFinding({ what: `${what}, p99 of its delays`, atMost: 50, values: usual, of: 'max' }),
  ];
}

/** Two of three clients search, the third saves; each as fast as it is answered. */
async function callUntil(daemon: RunningDaemon, seed: number, endMs: number): Promise<number[]> {
  const texts = createDeveloperTexts(seed * 7_919);
  const times: number[] = [];
  while (performance.now() < endMs) {
    times.push(
      seed === 3
        ? await daemon.time('memory_save', texts.memory())
        : await daemon.time('memory_search', { query: texts.question() }),
    );
  }
  return times;
}

/** The longest delay since the last question, and the 99th percentile. */
async function loopDelaysMs(daemon: RunningDaemon): Promise<{ max: number; p99: number }> {
  const text = await daemon.get('/metrics');
  const ofQuantile = (quantile: string): number =>
    Number(new RegExp(`loci_event_loop_delay_seconds\\{quantile="${quantile}"\\} (\\S+)`).exec(text)?.[1] ?? 0) * 1000;
  return { max: ofQuantile('1'), p99: ofQuantile('0.99') };
}
