// What the daemon keeps of the machine when it has worked for a while.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { limitFinding } from '../figures.ts';
import { residentMb, residentMbWithChildren } from '../processes/process-facts.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';

const searches = 300;

export const memoryBenches: readonly Bench[] = [
  {
    name: 'memory',
    async run(workshop) {
      const daemon = await workshop.daemon(await workshop.filledHome(10_000));
      const texts = createDeveloperTexts(4);
      await daemon.call('memory_save', texts.memory());
      for (let round = 0; round < searches; round += 1) await daemon.call('memory_search', { query: texts.question() });
      const own: number[] = [];
      const withChildren: number[] = [];
      for (let sample = 0; sample < 5; sample += 1) {
        await sleep(1_000);
        own.push(residentMb(daemon.pid));
        withChildren.push(residentMbWithChildren(daemon.pid));
      }
      const what = 'daemon RSS, 10,000 memories, 300 searches';
      return [
        limitFinding({ what, atMost: 380, values: own, unit: 'MB' }),
        limitFinding({
          what: `${what} (goal; its child processes too)`,
          atMost: 250,
          values: withChildren,
          unit: 'MB',
        }),
      ];
    },
  },
];
