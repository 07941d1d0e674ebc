// A model on a server. A server that is down must not make every save wait for its tries: after a failure that concerns the server
// the next texts are refused at once, until the back-off lets one try again.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { LociError } from '#shared/errors.ts';
import { createBackoff } from './backoff.ts';
import type { EmbedderState, EmbeddingPurpose } from './embedder.ts';
import { prefixVersion, traitsOf } from './known-models.ts';
import type { Model } from './model-embedder.ts';
import { type PostFailure, postJson } from './post-json.ts';
import { splitByEstimate } from './remote-passages.ts';

export type HttpModelDeps = { readonly clock: Clock; readonly logger: Logger };

export type HttpModelOptions = {
  readonly provider: 'ollama' | 'openai';
  readonly model: string;
  readonly url: URL;
  /** Asked at each request; null when the key that the server wants is not there. */
  readonly headers: () => Readonly<Record<string, string>> | null;
  /** Reads the vectors from an answer; null when it holds none. */
  readonly vectorsOf: (answer: unknown) => ArrayLike<number>[] | null;
  readonly concurrency: number;
  /** One sentence for each failure: what happened and what to do. */
  readonly says: Readonly<Record<PostFailure | 'no key', string>>;
  readonly limits?: HttpLimits | undefined;
};

export type HttpLimits = {
  /** Bounds each try. */
  readonly timeoutMs?: number;
  /** Waits before each further try. */
  readonly retryDelaysMs?: readonly number[];
};

/** A model behind HTTP; its state is how the last request went. */
export function createHttpModel(deps: HttpModelDeps, options: HttpModelOptions): Model {
  const traits = traitsOf(options.model);
  const closing = new AbortController();
  const backoff = createBackoff();
  let failure: { readonly kind: PostFailure | 'no key'; readonly error: LociError } | null = null;
  let asked = false;

  return {
    modelId: `${options.provider}:${options.model}:${prefixVersion}`,
    dimensions: traits.dimensions,
    batchSize: 8, // a query waits for the batch under way
    concurrency: options.concurrency,
    run,
    split: async (text) => splitByEstimate(text),
    warm: async () => void (await run(['warm'], 'passage')),
    state,
    async close() {
      closing.abort();
    },
  };

  async function run(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal) {
    if (failure !== null && backoff.remainingMs(deps.clock.now()) > 0) throw failure.error;
    const headers = options.headers();
    if (headers === null) throw remember('no key');
    const input = texts.map((text) => prefixOf(purpose) + text);
    const result = await post(headers, input, signal);
    asked = true;
    if ('failure' in result) throw remember(result.failure);
    const vectors = options.vectorsOf(result.answer);
    if (vectors === null || vectors.length !== texts.length) throw remember('bad answer');
    failure = null;
    backoff.succeeded();
    return vectors;
  }

  async function post(headers: Readonly<Record<string, string>>, input: readonly string[], signal?: AbortSignal) {
    const { url, model, limits = {} } = options;
    const { timeoutMs = 30_000, retryDelaysMs = [250, 1_000] } = limits;
    const stop = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
    try {
      return await postJson({ url, headers, body: { model, input }, timeoutMs, retryDelaysMs, signal: stop });
    } catch {
      // postJson rejects for nothing but an abort
      throw closing.signal.aborted ? new LociError('unavailable', stopping) : signal?.reason;
    }
  }

  function remember(kind: PostFailure | 'no key'): LociError {
    const error = new LociError('unavailable', options.says[kind]);
    failure = { kind, error };
    // an answer that does not fit may be the fault of one text; a key may be given at any moment
    if (kind !== 'bad answer' && kind !== 'no key') backoff.failed(deps.clock.now());
    deps.logger.warn({ provider: options.provider, model: options.model, failure: kind }, 'embedding failed');
    return error;
  }

  function state(): EmbedderState {
    if (closing.signal.aborted) return { status: 'down', why: stopping };
    if (failure === null && options.headers() === null) return { status: 'degraded', why: options.says['no key'] };
    if (failure === null) return asked ? { status: 'ok' } : { status: 'ok', why: 'The server has not been asked yet.' };
    return { status: failure.kind === 'no key' ? 'degraded' : 'down', why: failure.error.message };
  }

  function prefixOf(purpose: EmbeddingPurpose): string {
    return purpose === 'query' ? traits.queryPrefix : traits.passagePrefix;
  }
}

const stopping = 'The daemon is stopping; the text was not embedded.';

/** The list if it holds lists of numbers alone, else null. */
export function toVectors(list: unknown): number[][] | null {
  const isVector = (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && value.every((number) => typeof number === 'number');
  return Array.isArray(list) && list.every(isVector) ? (list as number[][]) : null;
}
