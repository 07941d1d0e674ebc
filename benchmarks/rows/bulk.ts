// An import must not be slower than the model: what the store does for one text happens while the next is embedded.
import type { Bench } from '../bench.ts';
import { ratioFinding } from '../figures.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';

const rounds = 4;
const batch = 100;

export const bulkBenches: readonly Bench[] = [
  {
    name: 'bulk',
    async run(workshop) {
      const daemon = await workshop.daemon(await workshop.filledHome(1_000));
      const texts = createDeveloperTexts(3);
      await workshop.model.warm();
      await daemon.call('memory_save', { content: 'The model is loaded by the first save.' });
      const [values, alone]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        const memories = Array.from({ length: batch }, () => texts.memory());
        const startedMs = performance.now();
        for (const { content, tags, files } of memories) {
          const text = [content, tags.join(', '), files.join(', ')].filter(Boolean).join('\n');
          await workshop.model.embed([text], { lane: 'bulk', purpose: 'passage' });
        }
        alone.push(performance.now() - startedMs);
        values.push(await daemon.time('memory_save_many', { memories }));
      }
      const yardstick = { name: 'the model (85 % of its throughput)', values: alone };
      return [ratioFinding({ what: 'bulk save of 100', atMost: 1.18, values, yardstick })];
    },
  },
];
