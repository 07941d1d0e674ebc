// A model that runs in this process, in a thread of its own.
import { LociError } from '#shared/errors.ts';
import type { Embedder } from './embedder.ts';
import { builtWorkerFile } from './installed-files.ts';
import { createModelEmbedder } from './model-embedder.ts';
import { createModelThread, type ModelThreadDeps, type ModelThreadOptions } from './model-thread.ts';
import { isSurelyShort } from './passages.ts';

export type LocalModelOptions = Omit<ModelThreadOptions, 'workerFile'> & {
  readonly modelId: string;
  readonly dimensions: number | null;
  /** The built thread, where it is not the installed one. */
  readonly workerFile?: string | undefined;
};

/** An embedder over a thread; nothing is loaded before the first text. */
export function createLocalEmbedder(deps: ModelThreadDeps, options: LocalModelOptions): Embedder {
  const thread = createModelThread(deps, { ...options, workerFile: options.workerFile ?? builtWorkerFile() });
  return createModelEmbedder({
    modelId: options.modelId,
    dimensions: options.dimensions,
    batchSize: 1,
    concurrency: 1,
    async run([text = ''], purpose) {
      const answer = await thread.ask({ kind: 'embed', text, purpose });
      return answer.kind === 'vector' ? [answer.vector] : [];
    },
    async split(text) {
      if (isSurelyShort(text)) return [text];
      const answer = await thread.ask({ kind: 'split', text });
      return answer.kind === 'passages' ? [...answer.passages] : [text];
    },
    async first(text) {
      const answer = await thread.ask({ kind: 'first', text });
      if (answer.kind !== 'first') throw new LociError('unavailable', 'The embedding model did not answer.');
      return { passages: answer.passages, values: answer.vector };
    },
    warm: () => thread.warm(),
    state: () => thread.state(),
    close: () => thread.close(),
  });
}
