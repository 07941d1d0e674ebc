// A save is mostly its embedding; what the daemon adds is measured against the same text embedded alone, in turns.
import type { Bench } from '../bench.ts';
import { ratioFinding } from '../figures.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';
import type { Workshop } from '../workshop.ts';

const rounds = 40;
const warmRounds = 5;

export const saveBenches: readonly Bench[] = [
  { name: 'save-100', run: (workshop) => saves(workshop, 100) },
  { name: 'save-10000', run: (workshop) => saves(workshop, 10_000) },
];

async function saves(workshop: Workshop, memories: number) {
  const daemon = await workshop.daemon(await workshop.filledHome(memories));
  const texts = createDeveloperTexts(memories + 1);
  const [values, alone]: [number[], number[]] = [[], []];
  for (let round = -warmRounds; round < rounds; round += 1) {
    const { content, type, project } = texts.memory();
    const startedMs = performance.now();
    await workshop.model.embed([content], { lane: 'save', purpose: 'passage' });
    const aloneMs = performance.now() - startedMs;
    const saveMs = await daemon.time('memory_save', { content, type, project });
    if (round < 0) continue; // both models are being loaded
    alone.push(aloneMs);
    values.push(saveMs);
  }
  const yardstick = { name: 'embedding alone', values: alone };
  return [ratioFinding({ what: `save acknowledged, ${memories} memories`, atMost: 1.6, values, yardstick })];
}
