// The model that comes with the program, so that a fresh machine needs no network and no account.
import type { Embedder } from './embedder.ts';
import { bundledModelsFolder } from './installed-files.ts';
import { prefixVersion, traitsOf } from './known-models.ts';
import { createLocalEmbedder } from './local-model.ts';
import type { ModelThreadDeps } from './model-thread.ts';

export const bundledModel = 'bge-small-en-v1.5';

/** The first digits of the SHA-256 of the weights: other weights under the same name give vectors that are not comparable. */
export const bundledWeights = '6c9c6101';

export type BundledOptions = { readonly modelsFolder?: string | undefined; readonly workerFile?: string | undefined };

/** The bundled bge-small-en-v1.5: 384 dimensions, English, offline. */
export function createBundledEmbedder(deps: ModelThreadDeps, options: BundledOptions = {}): Embedder {
  const { pooling, queryPrefix, passagePrefix, dimensions } = traitsOf(bundledModel);
  return createLocalEmbedder(deps, {
    modelId: `bundled:${bundledModel}:${bundledWeights}:${prefixVersion}`,
    dimensions,
    workerFile: options.workerFile,
    fix: 'put the file back by installing Loci again; memories saved meanwhile are kept and embedded afterwards.',
    config: {
      modelsFolder: options.modelsFolder ?? bundledModelsFolder(),
      name: bundledModel,
      dtype: 'q8',
      pooling,
      queryPrefix,
      passagePrefix,
      allowDownload: false,
    },
  });
}
