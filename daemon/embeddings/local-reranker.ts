// A cross-encoder in the layout of transformers.js, in a thread of its own, beside that of the embedding model.
import { basename, dirname, isAbsolute, join } from 'node:path';
import { LociError } from '#shared/errors.ts';
import { builtWorkerFile } from './installed-files.ts';
import { dtypeOf } from './model-files.ts';
import { createModelThread, type ModelThreadDeps } from './model-thread.ts';
import type { Reranker } from './reranker.ts';

export type LocalRerankerOptions = {
  /** An absolute folder, or a name below `modelsFolder`. */
  readonly model: string;
  readonly modelsFolder: string;
  /** The built thread, where it is not the installed one. */
  readonly workerFile?: string | undefined;
};

export function createLocalReranker(deps: ModelThreadDeps, options: LocalRerankerOptions): Reranker {
  const place = isAbsolute(options.model)
    ? { modelsFolder: dirname(options.model), name: basename(options.model) }
    : { modelsFolder: options.modelsFolder, name: options.model };
  const thread = createModelThread(deps, {
    workerFile: options.workerFile ?? builtWorkerFile(),
    what: 'reranking model',
    fix: "put the model's files back (config.json, tokenizer.json, tokenizer_config.json, onnx/model_quantized.onnx), or name another folder in 'rerank.model'.",
    config: {
      ...place,
      task: 'rank',
      dtype: dtypeOf(join(place.modelsFolder, place.name)),
      pooling: 'cls',
      queryPrefix: '',
      passagePrefix: '',
      allowDownload: false,
    },
  });
  return {
    async score(query, texts, signal) {
      const scores: number[] = [];
      // one text a request, so that a question that nobody waits for any more stops between two
      for (const text of texts) {
        signal?.throwIfAborted();
        const answer = await thread.ask({ kind: 'rank', query, text });
        if (answer.kind !== 'score') throw new LociError('unavailable', 'The reranking model did not answer.');
        scores.push(answer.score);
      }
      return scores;
    },
    close: () => thread.close(),
  };
}
