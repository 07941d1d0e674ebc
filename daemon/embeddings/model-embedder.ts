// What every provider has in common: turns, the memory of queries, and the check of each vector. A provider brings a `Model`.
import { setMaxListeners } from 'node:events';
import { checkedVector } from './checked-vector.ts';
import {
  type Embedder,
  type EmbedderState,
  type EmbeddingPurpose,
  type EmbedOptions,
  splitThenEmbed,
} from './embedder.ts';
import { createQueryCache } from './query-cache.ts';
import { createQueue } from './queue.ts';

export type Model = {
  readonly modelId: string;
  /** Length of the vectors; null until the model has told. */
  readonly dimensions: number | null;
  /** Texts a run takes at most; 1 where a batch would change the vectors. */
  readonly batchSize: number;
  /** Runs under way at once. */
  readonly concurrency: number;
  /** One vector for each text, in order, as the model gives them. */
  run(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<ArrayLike<number>[]>;
  split(text: string): Promise<string[]>;
  /** The passages of a text and the first one's vector in one run, where the model itself splits texts. */
  first?(text: string): Promise<{ readonly passages: readonly string[]; readonly values: ArrayLike<number> }>;
  warm(): Promise<void>;
  state(): EmbedderState;
  close(): Promise<void>;
};

/** An `Embedder` over a model. `dimensions` is 0 until an unknown model has given its first vector (after `warm` at the latest). */
export function createModelEmbedder(model: Model): Embedder {
  const queue = createQueue({ concurrency: model.concurrency });
  const cache = createQueryCache();
  let dimensions = model.dimensions ?? 0;

  const embedder: Embedder = {
    modelId: model.modelId,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, options) {
      options.signal?.throwIfAborted();
      if (options.purpose === 'query') return Promise.all(texts.map((text) => embedQuery(text, options)));
      if (texts.length <= model.batchSize) return embedBatch(texts, options);
      return allOrNone(inBatches(texts, model.batchSize), options);
    },
    split: (text) => model.split(text),
    async embedFirst(text, lane) {
      const { first } = model;
      if (first === undefined) return splitThenEmbed(embedder, text, lane);
      const { passages, values } = await queue.add(lane, () => first(text));
      return { passages, vector: checked(values) };
    },
    async warm() {
      await model.warm();
      if (dimensions === 0) await embedBatch(['warm'], { lane: 'save', purpose: 'passage' });
    },
    state: () => model.state(),
    async close() {
      queue.close();
      await model.close();
    },
  };
  return embedder;

  async function embedQuery(text: string, options: EmbedOptions): Promise<Float32Array | null> {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const [vector = null] = await embedBatch([text], options);
    if (vector !== null) cache.set(text, vector);
    return vector;
  }

  /** The first batch that fails takes its waiting neighbours out of the queue: their vectors would be thrown away. */
  async function allOrNone(batches: string[][], options: EmbedOptions): Promise<(Float32Array | null)[]> {
    const failed = new AbortController();
    const signal = options.signal === undefined ? failed.signal : AbortSignal.any([options.signal, failed.signal]);
    setMaxListeners(0, signal); // one for each text that waits
    const parts = batches.map((batch) =>
      embedBatch(batch, { ...options, signal }).catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    );
    return (await Promise.all(parts)).flat();
  }

  async function embedBatch(texts: readonly string[], options: EmbedOptions): Promise<(Float32Array | null)[]> {
    const { lane, purpose, signal } = options;
    const vectors = await queue.add(lane, () => model.run(texts, purpose, signal), signal);
    return vectors.map(checked);
  }

  function checked(values: ArrayLike<number>): Float32Array | null {
    if (dimensions === 0) dimensions = values.length;
    return checkedVector(values, dimensions);
  }
}

function inBatches(texts: readonly string[], size: number): string[][] {
  const batches: string[][] = [];
  for (let start = 0; start < texts.length; start += size) batches.push(texts.slice(start, start + size));
  return batches;
}
