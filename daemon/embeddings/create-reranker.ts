import { LociError } from '#shared/errors.ts';
import type { SettingValues } from '#shared/settings.ts';
import { createHttpReranker } from './http-reranker.ts';
import { createLocalReranker } from './local-reranker.ts';
import type { Reranker, RerankerDeps } from './reranker.ts';

/** The reranker of the settings, or null for none. Nothing is loaded or asked yet. Throws `invalid_input` for settings that cannot work. */
export function createReranker(
  deps: RerankerDeps,
  settings: SettingValues,
  { modelsFolder }: { readonly modelsFolder: string },
): Reranker | null {
  const model = settings['rerank.model'];
  switch (settings['rerank.provider']) {
    case 'off':
      return null;
    case 'local':
      if (model === null) throw missing('rerank.model', "a model folder for the reranker 'local'");
      return createLocalReranker(deps, { model, modelsFolder });
    case 'http': {
      const url = settings['rerank.url'];
      if (url === null) throw missing('rerank.url', "the address of the reranker 'http'");
      return createHttpReranker(deps, { url, model, key: settings['rerank.api_key'] });
    }
  }
}

function missing(key: string, what: string): LociError {
  return new LociError('invalid_input', `'${key}' must name ${what}.`, { [key]: 'must be set' });
}
