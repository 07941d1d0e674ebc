// Which model a daemon uses. The choice is made once, from the settings; no provider is ever swapped for another because it fails:
// vectors of two models do not compare, so a silent change would empty every search by meaning.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { LociError } from '#shared/errors.ts';
import { bundledModel, createBundledEmbedder } from './bundled.ts';
import type { Embedder } from './embedder.ts';
import { createHuggingfaceEmbedder } from './huggingface.ts';
import { createOllamaEmbedder, isOllamaRunning, ollamaHostToUrl } from './ollama.ts';
import { createOpenaiEmbedder } from './openai.ts';

export type Provider = 'bundled' | 'huggingface' | 'ollama' | 'openai';

export type EmbedderOptions = {
  readonly provider: Provider;
  /** The provider's own default unless given; the bundled provider has one model alone. */
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Where `huggingface` looks for named models and keeps fetched ones. */
  readonly modelsFolder: string;
  /** Permits `huggingface` to fetch a model from the hub. */
  readonly allowDownload?: boolean | undefined;
  /** Name of the environment variable that holds the key of `openai`. */
  readonly keyName?: string | undefined;
  /** Where keys and `OLLAMA_HOST` are looked up. */
  readonly env: NodeJS.ProcessEnv;
};

export type EmbedderDeps = { readonly clock: Clock; readonly logger: Logger };

/** The embedder of the settings. Loads and asks nothing yet. Throws `invalid_input` for settings that cannot work. */
export function createEmbedder(deps: EmbedderDeps, options: EmbedderOptions): Embedder {
  const { provider, model, baseUrl, modelsFolder, allowDownload, keyName, env } = options;
  switch (provider) {
    case 'bundled':
      if (model !== undefined && model !== bundledModel)
        deps.logger.warn({ model }, 'the bundled model is used instead');
      return createBundledEmbedder(deps);
    case 'huggingface':
      if (model === undefined)
        throw new LociError(
          'invalid_input',
          "'embedding.model' must name a model folder for the provider 'huggingface'.",
        );
      return createHuggingfaceEmbedder(deps, { model, modelsFolder, allowDownload, source: baseUrl });
    case 'ollama':
      return createOllamaEmbedder(deps, { model, baseUrl: baseUrl ?? ollamaHostToUrl(env.OLLAMA_HOST) });
    case 'openai':
      return createOpenaiEmbedder(deps, { model, baseUrl, keyName, env });
  }
}

/** What `auto` means here and now: Ollama if it answers, else OpenAI if there is a key, else the bundled model. The caller keeps the answer for the life of the store. */
export async function settleProvider(options: Pick<EmbedderOptions, 'baseUrl' | 'keyName' | 'env'>): Promise<Provider> {
  const { baseUrl, env, keyName = 'OPENAI_API_KEY' } = options;
  if (await isOllamaRunning(baseUrl ?? ollamaHostToUrl(env.OLLAMA_HOST))) return 'ollama';
  return (env[keyName] ?? '').trim() === '' ? 'bundled' : 'openai';
}
