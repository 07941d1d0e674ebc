// Everything about a text that can be worked out before the transaction: passages, the first passage's vector, words for the index.
// A save waits for the first passage alone (at most 256 tokens); the others follow in the background.
import { presentModel } from '#daemon/embeddings/active-embedder.ts';
import type { Embedder, Lane } from '#daemon/embeddings/embedder.ts';
import { LociError } from '#shared/errors.ts';
import { embeddedText, type MemoryText } from './memory.ts';

export type PreparedText = {
  readonly modelId: string;
  readonly passages: readonly string[];
  /** The first passage's vector; null where the model gave zeros or is away. */
  readonly vector: Float32Array | null;
  /** `complete`: every passage has its vector; `pending`: some must follow; `directionless`: the model gave zeros. */
  readonly state: 'complete' | 'pending' | 'directionless';
};

/** Splits and embeds a memory's text. Without a usable model it answers `pending` and no vector: saves work, vectors follow. */
export function prepareText(embedder: Embedder, text: MemoryText, lane: Lane): Promise<PreparedText> {
  return prepareWhole(embedder, embeddedText(text), lane);
}

/** The same for the text of any thing. */
export async function prepareWhole(active: Embedder, whole: string, lane: Lane): Promise<PreparedText> {
  const embedder = presentModel(active);
  try {
    const { passages, vector } = await embedder.embedFirst(whole, lane);
    const state = passages.length > 1 ? 'pending' : vector === null ? 'directionless' : 'complete';
    return { modelId: embedder.modelId, passages, vector, state };
  } catch (error) {
    if (!(error instanceof LociError) || error.code !== 'unavailable') throw error;
    return { modelId: embedder.modelId, passages: [whole], vector: null, state: 'pending' };
  }
}
