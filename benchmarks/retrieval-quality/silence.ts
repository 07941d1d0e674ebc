// Whether nothing is said where nothing fits: small stores of a developer's notes, asked the 500 questions of CoSQA, which none of them answers,
// and their own, whose right finds must still be told.
import { createRetrieval } from '#daemon/retrieval/retrieve.ts';
import { isWorthTelling } from '#daemon/retrieval/silence.ts';
import type { CachedEmbedder } from './cached-embedder.ts';
import { readDataSet } from './data-sets.ts';
import { createBenchStore } from './in-process.ts';

/** `silent`: share of the unrelated prompts that nothing is told to. `kept`: share of the right finds in the top five that are told. */
export type SilenceRow = {
  readonly set: string;
  readonly silent: number;
  readonly kept: number;
  readonly finds: number;
};

const told = 5;

export async function measureSilence(bench: string, embedder: CachedEmbedder): Promise<SilenceRow[]> {
  const prompts = readDataSet(bench, 'cosqa').queries.map(({ text }) => text);
  const rows: SilenceRow[] = [];
  for (const name of ['devbench', 'codinglife', 'agentmem240']) {
    const { memories, queries } = readDataSet(bench, name);
    const store = await createBenchStore(memories, embedder);
    const { retrieve } = createRetrieval(store);
    const filter = store.filterOf(memories[0]?.scope ?? '');
    const ask = async (text: string) => {
      const { hits, noise } = await retrieve({ text, filter, mode: 'hybrid', limit: told });
      return hits.map((hit) => ({ docId: store.docIdOf(hit.id), worth: isWorthTelling(hit, embedder.modelId, noise) }));
    };
    let silent = 0;
    for (const text of prompts) if ((await ask(text)).every(({ worth }) => !worth)) silent += 1;
    let [finds, kept] = [0, 0];
    for (const { text, relevant } of queries) {
      const right = (await ask(text)).filter(({ docId }) => relevant.includes(docId));
      if (right.length > 0) finds += 1;
      if (right.some(({ worth }) => worth)) kept += 1;
    }
    rows.push({ set: name, silent: silent / prompts.length, kept: kept / finds, finds });
    await store.close();
  }
  console.log('\nSilence on 500 unrelated prompts');
  for (const { set, silent, kept, finds } of rows) {
    console.log(
      `${set.padEnd(14)}silent ${(100 * silent).toFixed(1)} %   kept ${(100 * kept).toFixed(1)} % of ${finds} finds`,
    );
  }
  const mean = (pick: (row: SilenceRow) => number): string =>
    (rows.reduce((sum, row) => sum + pick(row), 0) / rows.length).toFixed(3);
  console.log(`mean          silent ${mean(({ silent }) => silent)}   kept ${mean(({ kept }) => kept)}`);
  return rows;
}
