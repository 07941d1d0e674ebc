// Ollama: a model server on the user's machine or network.

import { urlBelow } from './base-url.ts';
import type { Embedder } from './embedder.ts';
import { createHttpModel, type HttpLimits, type HttpModelDeps, toVectors } from './http-model.ts';
import { createModelEmbedder } from './model-embedder.ts';

export type OllamaOptions = {
  readonly model?: string | undefined;
  /** `http://127.0.0.1:11434` unless given. */
  readonly baseUrl?: string | undefined;
  readonly limits?: HttpLimits | undefined;
};

export const defaultOllamaModel = 'nomic-embed-text';
const defaultOllamaUrl = 'http://127.0.0.1:11434';

/** Vectors from `POST /api/embed`. Throws `invalid_input` at once for a bad base URL, `unavailable` later for a bad server. */
export function createOllamaEmbedder(deps: HttpModelDeps, options: OllamaOptions = {}): Embedder {
  const model = options.model ?? defaultOllamaModel;
  const base = options.baseUrl ?? defaultOllamaUrl;
  const url = urlBelow(base, 'api/embed');
  const where = `Ollama at ${url.host}`;
  return createModelEmbedder(
    createHttpModel(deps, {
      provider: 'ollama',
      model,
      url,
      headers: () => ({}),
      vectorsOf: (answer) => toVectors((answer as { embeddings?: unknown } | null)?.embeddings),
      concurrency: 1, // it runs one text after another anyway, and so a query waits for one batch at most
      limits: options.limits,
      says: {
        unreachable: `${where} cannot be reached: start it with 'ollama serve', or correct 'embedding.base_url'.`,
        slow: `${where} gave no answer in time: see whether it is overloaded, or take a smaller model.`,
        'unknown model': `${where} does not have the model '${model}': run 'ollama pull ${model}'.`,
        refused: `${where} refused the request: check that it may be used from this machine.`,
        busy: `${where} is too busy: the text is tried again later.`,
        failing: `${where} failed: see its log, and whether '${model}' fits into its memory.`,
        'bad answer': `${where} gave no vectors: check that '${model}' is an embedding model and that Ollama is 0.3 or newer.`,
        'no key': `${where} needs no key.`,
      },
    }),
  );
}

/** The base URL that `OLLAMA_HOST` means: it may lack the scheme or the port, and an address to listen on is not one to call. */
export function ollamaHostToUrl(host: string | undefined): string | undefined {
  const given = host?.trim();
  if (given === undefined || given === '') return undefined;
  const hasScheme = /^https?:\/\//i.test(given);
  const text = hasScheme ? given : `http://${given.startsWith(':') ? `127.0.0.1${given}` : given}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  if (url.port === '' && !/:\d+\/*$/.test(text) && !hasScheme) url.port = '11434';
  return url.href.replace(/\/+$/, '');
}

/** True when a server answers like Ollama; never throws. */
export async function isOllamaRunning(baseUrl = defaultOllamaUrl, timeoutMs = 1_000): Promise<boolean> {
  try {
    const response = await fetch(urlBelow(baseUrl, 'api/version'), {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer: unknown = response.ok ? await response.json() : null;
    return typeof (answer as { version?: unknown } | null)?.version === 'string';
  } catch {
    return false;
  }
}
