// Two real models one after the other over the same store, through the built daemon, while it is searched: how long it takes, whether a
// search ever came back empty or degraded, and whether each memory is found by its own meaning under each model.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningDaemon, startDaemon } from '../processes/running-daemon.ts';
import { createDeveloperTexts } from '../store/developer-texts.ts';

type Status = { state: string; model: string; things: number; done: number; why: string | null };
type Search = { results: { id: number }[]; degraded: string[] };

export type ReEmbeddingRow = {
  readonly model: string;
  readonly plannedSeconds: number;
  readonly seconds: number;
  readonly searchesMeanwhile: number;
  readonly degradedMeanwhile: number;
  /** Share of the memories that a search by meaning for their own text ranks first. */
  readonly hitAt1: number;
};

const memories = 300;
const asked = 60;
const lookEveryMs = 50;

/** Models are folders below `modelsFolder`; the first and the last are of the same length. */
export async function measureReEmbedding(modelsFolder: string): Promise<ReEmbeddingRow[]> {
  const home = mkdtempSync(join(tmpdir(), 'loci-eval-home-'));
  const daemon = await startDaemon(home);
  try {
    const texts = createDeveloperTexts(11);
    const saved = Array.from({ length: memories }, () => ({ ...texts.memory(), on_duplicate: 'keep' }));
    for (let first = 0; first < memories; first += 100)
      await daemon.call('memory_save_many', { memories: saved.slice(first, first + 100) });
    await until(daemon);
    const contents = saved.map(({ content }) => content);
    console.log(
      `\nRe-embedding ${memories} memories\n${'model'.padEnd(44)}planned    took  searches  degraded    hit@1`,
    );
    const rows: ReEmbeddingRow[] = [];
    for (const choice of [
      { provider: 'huggingface', model: join(modelsFolder, 'all-MiniLM-L6-v2') },
      { provider: 'huggingface', model: join(modelsFolder, 'e5-small-v2') },
      { provider: 'bundled' },
    ]) {
      const row = await measure(daemon, choice, contents);
      console.log(
        `${row.model.padEnd(44)}${`${row.plannedSeconds} s`.padStart(7)}${`${row.seconds.toFixed(1)} s`.padStart(8)}${String(row.searchesMeanwhile).padStart(10)}${String(row.degradedMeanwhile).padStart(10)}${row.hitAt1.toFixed(3).padStart(9)}`,
      );
      rows.push(row);
    }
    return rows;
  } finally {
    await daemon.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function measure(daemon: RunningDaemon, choice: object, contents: readonly string[]): Promise<ReEmbeddingRow> {
  const { plan } = await daemon.call<{ plan: { seconds: number } }>('re_embed', { ...choice, dry_run: true });
  const startedMs = performance.now();
  await daemon.call('re_embed', choice);
  let [searchesMeanwhile, degradedMeanwhile] = [0, 0];
  let status = await daemon.call<Status>('get_re_embedding');
  while (status.state === 'running' || status.state === 'waiting') {
    const { results, degraded } = await search(daemon, contents[searchesMeanwhile % contents.length] ?? '');
    searchesMeanwhile += 1;
    if (degraded.length > 0 || results.length === 0) degradedMeanwhile += 1;
    await sleep(lookEveryMs);
    status = await daemon.call<Status>('get_re_embedding');
  }
  if (status.state !== 'done') throw new Error(`the re-embedding ${status.state}: ${status.why}`);
  const seconds = (performance.now() - startedMs) / 1_000;
  let hits = 0;
  const step = Math.floor(contents.length / asked);
  for (let at = 0; at < asked; at += 1) {
    const { results } = await search(daemon, contents[at * step] ?? '');
    if (results[0]?.id === at * step + 1) hits += 1;
  }
  return {
    model: status.model,
    plannedSeconds: plan.seconds,
    seconds,
    searchesMeanwhile,
    degradedMeanwhile,
    hitAt1: hits / asked,
  };
}

function search(daemon: RunningDaemon, query: string): Promise<Search> {
  return daemon.call<Search>('memory_search', { query, mode: 'vector', depth: 1, limit: 5 });
}

async function until(daemon: RunningDaemon): Promise<void> {
  for (;;) {
    const { vectors } = await daemon.call<{ vectors: { pending: number } }>('memory_stats');
    if (vectors.pending === 0) return;
    await sleep(200);
  }
}
