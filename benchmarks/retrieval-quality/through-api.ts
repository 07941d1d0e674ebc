// The product measured as its users have it: a built daemon on a throw-away home, memories saved in batches, searches over its socket.
// One project for each scope; every text is kept, however near to another it is.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningDaemon, startDaemon } from '../processes/running-daemon.ts';
import type { BenchMemory, BenchQuery, DataSet } from './data-sets.ts';

export type SearchModeName = 'hybrid' | 'keyword' | 'vector';

export type ApiStore = {
  /** Document ids, best first, at most 50 memories deep. */
  search(query: BenchQuery, mode: SearchModeName): Promise<string[]>;
  /** Document ids that the prompt hook would inject. */
  recall(prompt: string, scope?: string): Promise<string[]>;
  /** Names the memories that each of these replaces: `[newer, older]`, by document. */
  supersede(pairs: readonly (readonly [string, string])[]): Promise<void>;
  close(): Promise<void>;
};

type SaveAnswer = { results: { id?: number; outcome: string }[] };
type SearchAnswer = { results: { id: number }[] };

const batchSize = 200;
const deepest = 50;

export async function openApiStore(set: DataSet): Promise<ApiStore> {
  const home = mkdtempSync(join(tmpdir(), 'loci-eval-home-'));
  const daemon = await startDaemon(home);
  const documents = new Map<number, string[]>();
  const ids = new Map<string, number>();
  for (let first = 0; first < set.memories.length; first += batchSize) {
    const batch = set.memories.slice(first, first + batchSize);
    const { results } = await daemon.call<SaveAnswer>('memory_save_many', { memories: batch.map(toSave) });
    for (const [index, { id }] of results.entries()) {
      const docId = batch[index]?.docId ?? '';
      if (id === undefined) throw new Error(`${docId} was not stored: ${JSON.stringify(results[index])}`);
      ids.set(docId, id);
      documents.set(id, [...(documents.get(id) ?? []), docId]);
    }
  }
  await untilEmbedded(daemon);

  return {
    async search({ text, scope }, mode) {
      const asked = new URLSearchParams({ q: text, project: scope, mode, limit: String(deepest), depth: '1' });
      const answer = JSON.parse(await daemon.get(`/memories/search?${asked}`)) as SearchAnswer;
      return answer.results.flatMap(({ id }) => documents.get(id) ?? []);
    },
    async recall(prompt, scope) {
      const project = scope === undefined ? {} : { project: scope };
      const { memories } = await daemon.call<{ memories: { id: number }[] }>('memory_recall', { prompt, ...project });
      return memories.flatMap(({ id }) => documents.get(id) ?? []);
    },
    async supersede(pairs) {
      for (const [newer, older] of pairs) {
        await daemon.call('memory_update', { id: ids.get(newer), supersedes: [ids.get(older)] });
      }
    },
    async close() {
      await daemon.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function toSave(memory: BenchMemory): Record<string, unknown> {
  const { docId: _, scope, occurredAtMs, ...fields } = memory;
  const occurredAt = occurredAtMs === undefined ? {} : { occurred_at: new Date(occurredAtMs).toISOString() };
  return { ...fields, ...occurredAt, project: scope, on_duplicate: 'keep' };
}

async function untilEmbedded(daemon: RunningDaemon): Promise<void> {
  for (;;) {
    const { vectors } = await daemon.call<{ vectors: { pending: number } }>('memory_stats');
    if (vectors.pending === 0) return;
    await sleep(200);
  }
}
