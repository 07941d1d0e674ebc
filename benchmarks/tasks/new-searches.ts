import type { RunningDaemon } from '../processes/running-daemon.ts';
import type { DeveloperTexts } from '../store/developer-texts.ts';
import type { Workshop } from '../workshop.ts';

const warmRounds = 8;

/** Searches for questions that nobody has asked, in turns with the embedding of the same question alone; milliseconds of both. */
export async function newSearches(
  workshop: Workshop,
  daemon: RunningDaemon,
  texts: DeveloperTexts,
  rounds: number,
): Promise<{ values: number[]; alone: number[] }> {
  const [values, alone]: [number[], number[]] = [[], []];
  await daemon.call('memory_search', { query: 'wait until the store is open and the model is loaded', mode: 'vector' });
  for (let round = -warmRounds; round < rounds; round += 1) {
    const query = texts.question();
    const startedMs = performance.now();
    await workshop.model.embed([query], { lane: 'query', purpose: 'query' });
    const aloneMs = performance.now() - startedMs;
    const searchMs = await daemon.time('memory_search', { query });
    if (round < 0) continue;
    alone.push(aloneMs);
    values.push(searchMs);
  }
  return { values, alone };
}
