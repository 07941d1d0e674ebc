import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { EmbeddedText } from '#daemon/storage/file-thing.ts';
import { LociError } from '#shared/errors.ts';
import { firstPassage, type Passage, type Piece } from './cut-pieces.ts';

export type PreparedPieces = { readonly embedded: EmbeddedText; readonly first: Passage | null };

/**
 * Embeds the first passage, which a save waits for; the others follow in the background. Without a usable model it answers `pending`
 * and no vector: saves work, vectors follow.
 */
export async function preparePieces(embedder: Embedder, pieces: readonly Piece[]): Promise<PreparedPieces> {
  const { modelId } = embedder;
  try {
    const { passage, isOnly } = await firstPassage(pieces, (text) => embedder.split(text));
    const [vector = null] = await embedder.embed([passage.text], { lane: 'save', purpose: 'passage' });
    const state = !isOnly ? 'pending' : vector === null ? 'directionless' : 'complete';
    // exactly how many there are is known once the background has cut the rest
    return { embedded: { modelId, passages: isOnly ? 1 : Math.max(2, pieces.length), vector, state }, first: passage };
  } catch (error) {
    if (!(error instanceof LociError) || error.code !== 'unavailable') throw error;
    return { embedded: { modelId, passages: 1, vector: null, state: 'pending' }, first: null };
  }
}
