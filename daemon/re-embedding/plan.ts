// What embedding everything anew would take, measured on a few of the texts that are stored.
import { statfsSync } from 'node:fs';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { askNamedModel } from './ask-named-model.ts';
import type { ReEmbeddingDeps } from './deps.ts';

export type Plan = {
  readonly passages: number;
  readonly dimensions: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly free_bytes: number;
};

const sampleSize = 8;
/** What a row costs beside its vector, in SQLite and in LanceDB. */
const rowOverheadBytes = 120;
/** In SQLite and, once searches use it, in LanceDB. */
const copies = 2;

/** Throws `conflict` where the model cannot be used. */
export function planReEmbedding(deps: ReEmbeddingDeps, model: Embedder): Promise<Plan> {
  return askNamedModel(() => measure(deps, model));
}

async function measure(deps: ReEmbeddingDeps, model: Embedder): Promise<Plan> {
  await model.warm();
  const { passages } = await deps.reader.ask('reembedCount', { modelId: model.modelId });
  const texts = await sampleTexts(deps);
  const startedMs = performance.now();
  if (texts.length > 0) await model.embed(texts, { lane: 'bulk', purpose: 'passage' });
  const eachMs = texts.length === 0 ? 0 : (performance.now() - startedMs) / texts.length;
  const { bavail, bsize } = statfsSync(deps.dataFolder);
  return {
    passages,
    dimensions: model.dimensions,
    seconds: Math.ceil((passages * eachMs) / 1_000),
    bytes: passages * (model.dimensions * Float32Array.BYTES_PER_ELEMENT + rowOverheadBytes) * copies,
    free_bytes: bavail * bsize,
  };
}

async function sampleTexts(deps: ReEmbeddingDeps): Promise<string[]> {
  const { rows } = await deps.reader.ask('reembedPage', { modelId: '', after: 0, limit: sampleSize });
  const texts: string[] = [];
  for (const { kind, id } of rows) {
    const thing = await deps.texts[kind]?.(id);
    if (thing === null || thing === undefined) continue;
    const [first] = thing.cut === undefined ? [thing.text] : (await thing.cut(async (text) => [text])).texts;
    if (first !== undefined) texts.push(first);
  }
  return texts;
}
