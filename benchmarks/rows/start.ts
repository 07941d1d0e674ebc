// From nothing to the first answer, and to the first search by meaning, on a store of 1,000 memories.
import type { Bench } from '../bench.ts';
import { limitFinding, ratioFinding } from '../figures.ts';
import { timeEmptyNode } from '../processes/process-facts.ts';

const rounds = 9;

export const startBenches: readonly Bench[] = [
  {
    name: 'start',
    async run(workshop) {
      const home = await workshop.filledHome(1_000);
      const [answer, meaning, node]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < rounds; round += 1) {
        node.push(await timeEmptyNode());
        const daemon = await workshop.daemon(home);
        answer.push(daemon.firstAnswerMs);
        await searchedByMeaning(() =>
          daemon.call('memory_search', { query: `who drops batch ${round}`, mode: 'vector' }),
        );
        meaning.push(performance.now() - daemon.spawnedAtMs);
        await daemon.stop();
      }
      const yardstick = { name: '`node -e 0`', values: node };
      return [
        ratioFinding({ what: '`locid` → first answer on the socket', atMost: 8, values: answer, yardstick }),
        limitFinding({ what: '`locid` → first search by meaning', atMost: 3_000, values: meaning }),
      ];
    },
  },
];

/** Searches until an answer comes that is not of keywords alone. */
async function searchedByMeaning(search: () => Promise<Record<string, unknown>>): Promise<void> {
  for (;;) {
    const { degraded } = await search();
    if (Array.isArray(degraded) && degraded.length === 0) return;
  }
}
