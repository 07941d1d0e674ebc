// How much age may say in ranking: nDCG on dated data at each `ranking.decay_strength`, every memory as old as it says, never accessed, asked
// on the day after the last. The default is the largest strength that costs no set more than .005 nDCG.
import { createRetrieval } from '#daemon/retrieval/retrieve.ts';
import { scoreOf } from '#daemon/retrieval/score.ts';
import type { CachedEmbedder } from './cached-embedder.ts';
import { readDataSet } from './data-sets.ts';
import { createBenchStore } from './in-process.ts';
import { measure } from './measures.ts';

const strengths = [0, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1];
const datedSets = ['locomo', 'devbench', 'codinglife'];
const affordable = 0.005;
const dayMs = 24 * 60 * 60 * 1000;
const scored = 50;

export type StrengthRow = { readonly set: string; readonly strength: number; readonly ndcg10: number };

export async function measureStrengths(bench: string, embedder: CachedEmbedder): Promise<StrengthRow[]> {
  const rows: StrengthRow[] = [];
  for (const name of datedSets) {
    const { memories, queries } = readDataSet(bench, name);
    const store = await createBenchStore(memories, embedder);
    const { retrieve } = createRetrieval(store);
    const dates = new Map(memories.map(({ docId, occurredAtMs }) => [docId, occurredAtMs ?? 0]));
    const sums = strengths.map(() => 0);
    for (const { text, scope, relevant } of queries) {
      const scopeDates = memories
        .filter((memory) => memory.scope === scope)
        .map(({ occurredAtMs }) => occurredAtMs ?? 0);
      const nowMs = Math.max(...scopeDates) + dayMs;
      const { hits } = await retrieve({ text, filter: store.filterOf(scope), mode: 'hybrid', limit: scored });
      for (const [index, strength] of strengths.entries()) {
        const ranked = hits.map((hit) => {
          const docId = store.docIdOf(hit.id);
          const lived = { confidence: 0.5, accessCount: 0, createdAtMs: dates.get(docId) ?? 0, lastAccessedAtMs: null };
          return {
            docId,
            score: scoreOf(hit.relevance, lived, { decayStrength: strength, halfLifeDays: 30 }, nowMs).score,
          };
        });
        ranked.sort((a, b) => b.score - a.score);
        const order = ranked.map(({ docId }) => docId);
        sums[index] = (sums[index] ?? 0) + measure(order, relevant).ndcg10 / queries.length;
      }
    }
    rows.push(...strengths.map((strength, index) => ({ set: name, strength, ndcg10: sums[index] ?? 0 })));
    await store.close();
  }
  print(rows);
  return rows;
}

function print(rows: readonly StrengthRow[]): void {
  const at = (set: string, strength: number): number =>
    rows.find((row) => row.set === set && row.strength === strength)?.ndcg10 ?? 0;
  console.log(
    `\nnDCG@10 by ranking.decay_strength\n${'strength'.padEnd(10)}${datedSets.map((set) => set.padStart(12)).join('')}`,
  );
  for (const strength of strengths) {
    const figures = datedSets.map((set) => at(set, strength).toFixed(4).padStart(12));
    console.log(`${String(strength).padEnd(10)}${figures.join('')}`);
  }
  const best = strengths.findLast((strength) => datedSets.every((set) => at(set, 0) - at(set, strength) <= affordable));
  console.log(`largest strength that costs no set more than ${affordable}: ${best}`);
}
