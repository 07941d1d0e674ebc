// OpenAI, and any server that speaks its `/embeddings`. The only provider that sends memories to a company: it is never taken
// unless the settings name it (or `auto` and a key do), and its key leaves for no address that can be overheard.
import { LociError } from '#shared/errors.ts';
import { isLoopback, urlBelow } from './base-url.ts';
import type { Embedder } from './embedder.ts';
import { createHttpModel, type HttpLimits, type HttpModelDeps, toVectors } from './http-model.ts';
import { createModelEmbedder } from './model-embedder.ts';

export type OpenaiOptions = {
  readonly model?: string | undefined;
  /** `https://api.openai.com/v1` unless given. */
  readonly baseUrl?: string | undefined;
  /** Name of the environment variable that holds the key. */
  readonly keyName?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly limits?: HttpLimits | undefined;
};

export const defaultOpenaiModel = 'text-embedding-3-small';
const defaultOpenaiUrl = 'https://api.openai.com/v1';

/** Vectors from `POST <base>/embeddings`. Throws `invalid_input` at once for a bad base URL, `unavailable` later for a bad server. */
export function createOpenaiEmbedder(deps: HttpModelDeps, options: OpenaiOptions): Embedder {
  const model = options.model ?? defaultOpenaiModel;
  const keyName = options.keyName ?? 'OPENAI_API_KEY';
  const url = urlBelow(options.baseUrl ?? defaultOpenaiUrl, 'embeddings');
  const isOwnServer = options.baseUrl !== undefined && isLoopback(url);
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new LociError(
      'invalid_input',
      "'embedding.base_url' must begin with https:// unless the server is on this machine: the key would travel in the clear.",
    );
  }
  const where = `The embedding server ${url.host}`;
  return createModelEmbedder(
    createHttpModel(deps, {
      provider: 'openai',
      model,
      url,
      headers() {
        const key = options.env[keyName]?.trim();
        if (key !== undefined && key !== '') return { authorization: `Bearer ${key}` };
        return isOwnServer ? {} : null; // servers of one's own mostly want no key
      },
      vectorsOf: (answer) => toVectors(inOrder((answer as { data?: unknown } | null)?.data)),
      concurrency: 2,
      limits: options.limits,
      says: {
        unreachable: `${where} cannot be reached: check the network and 'embedding.base_url'.`,
        slow: `${where} gave no answer in time: the text is tried again later.`,
        'unknown model': `${where} does not know '${model}': correct 'embedding.model' or 'embedding.base_url'.`,
        refused: `${where} refused the key: check ${keyName} and what it permits.`,
        busy: `${where} limits the rate or the quota of this key: the text is tried again later.`,
        failing: `${where} failed: the text is tried again later.`,
        'bad answer': `${where} gave no vectors: check that '${model}' is an embedding model.`,
        'no key': `The provider needs a key: set 'embedding.openai_api_key' in the settings file, or ${keyName} where the daemon is started, and start it again.`,
      },
    }),
  );
}

/** The embeddings of `data`, sorted by the index that each item carries. */
function inOrder(data: unknown): unknown {
  if (!Array.isArray(data)) return null;
  return [...data]
    .sort((a, b) => Number(a?.index ?? 0) - Number(b?.index ?? 0))
    .map((item: { embedding?: unknown } | null) => item?.embedding);
}
