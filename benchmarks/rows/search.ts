// A search with new words is measured against the embedding of its query alone; a repeated one needs no model at all.
import type { Bench } from '../bench.ts';
import { limitFinding, ratioFinding } from '../figures.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';
import { newSearches } from '../tasks/new-searches.ts';
import type { Workshop } from '../workshop.ts';

const rounds = 60;
const repeats = 100;

export const searchBenches: readonly Bench[] = [
  { name: 'search-1000', run: (workshop) => searches(workshop, 1_000) },
  { name: 'search-10000', run: (workshop) => searches(workshop, 10_000) },
];

async function searches(workshop: Workshop, memories: number) {
  const daemon = await workshop.daemon(await workshop.filledHome(memories));
  const texts = createDeveloperTexts(memories + 2);
  const { values, alone } = await newSearches(workshop, daemon, texts, rounds);
  const repeated: number[] = [];
  const query = texts.question();
  for (let round = 0; round <= repeats; round += 1) repeated.push(await daemon.time('memory_search', { query }));
  const yardstick = { name: 'embedding alone', values: alone };
  return [
    ratioFinding({ what: `search, new query, ${memories} memories`, atMost: 1.6, values, yardstick }),
    limitFinding({ what: `search, repeated query, ${memories} memories`, atMost: 10, values: repeated.slice(1) }),
  ];
}
