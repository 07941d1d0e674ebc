// Orders the first hits of a search once more by a model that reads question and text together: slower than comparing two vectors and
// better at telling which of twenty near texts answers. Nothing is ordered so unless the settings name a model; when it fails the order
// stays as it was, and the answer says so.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { LociError } from '#shared/errors.ts';
import type { SettingValues } from '#shared/settings.ts';
import { createHttpReranker } from './http-reranker.ts';
import { createLocalReranker } from './local-reranker.ts';

export type Reranker = {
  /** A score for each text, in order; the higher, the better it answers. Throws `unavailable`. */
  score(query: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]>;
  close(): Promise<void>;
};

export type RerankerDeps = { readonly clock: Clock; readonly logger: Logger };

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
