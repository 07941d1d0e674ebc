// The model of a store where it cannot be had on this machine: searches go by keyword and say so, and what is saved waits for a vector.
import { LociError } from '#shared/errors.ts';
import type { Embedder } from './embedder.ts';

export function createAbsentModel(modelId: string): Embedder {
  const why = `The memories are embedded with ${modelId}, which this daemon cannot make from the choice that the store names: install that model here, or restart with the same settings as the other daemons.`;
  const refuse = (): Promise<never> => Promise.reject(new LociError('unavailable', why, { model: modelId }));
  return {
    modelId,
    dimensions: 0,
    embed: refuse,
    split: async (text) => [text],
    embedFirst: refuse,
    warm: refuse,
    state: () => ({ status: 'down', why }),
    close: async () => undefined,
  };
}
