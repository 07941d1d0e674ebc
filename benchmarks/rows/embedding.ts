// The model by itself, at the lengths that matter: a question, a short memory, a whole passage. No release is held to these; they tell
// a slow machine from a slow program. Run by name alone.
import type { EmbedOptions } from '#daemon/embeddings/embedder.ts';
import type { Bench } from '../bench.ts';
import { limitFinding } from '../figures.ts';
import type { Workshop } from '../workshop.ts';

const rounds = 60;
const query = { lane: 'query', purpose: 'query' } as const;
const passage = { lane: 'save', purpose: 'passage' } as const;

export const embeddingBenches: readonly Bench[] = [
  {
    name: 'embedding',
    isLong: true,
    async run(workshop) {
      await workshop.model.warm();
      return [
        limitFinding({ what: 'embedding a question', atMost: 15, values: await timeTexts(workshop, 8, query) }),
        limitFinding({ what: 'embedding 40 tokens', atMost: 30, values: await timeTexts(workshop, 40, passage) }),
        limitFinding({ what: 'embedding 200 tokens', atMost: 100, values: await timeTexts(workshop, 200, passage) }),
      ];
    },
  },
];

const words = ['lock', 'socket', 'memory', 'search', 'daemon', 'vector', 'agent', 'index', 'branch', 'release', 'test'];

/** Milliseconds of each run; every text is new, so that none is remembered. The words are one token each. */
async function timeTexts({ model }: Workshop, tokens: number, options: EmbedOptions): Promise<number[]> {
  const values: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pick = (index: number): string => words[(index * (round + 1) + round) % words.length] ?? 'word';
    const text = Array.from({ length: tokens - 2 }, (_, index) => pick(index)).join(' ');
    const startedMs = performance.now();
    await model.embed([`${text} ${round}`], options);
    values.push(performance.now() - startedMs);
  }
  return values.slice(1);
}
