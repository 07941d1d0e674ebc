// What of a thing's text can be worked out before the transaction.
import { presentModel } from '#daemon/embeddings/active-embedder.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { EmbeddedText } from '#daemon/storage/file-thing.ts';
import { LociError } from '#shared/errors.ts';
import { type AnalysedWords, analyseWords } from './analyse-words.ts';
import { firstPassage, type Passage, type Piece } from './cut-pieces.ts';
import type { Columns, SearchRules, ThingRow } from './kind.ts';

export type PreparedText = AnalysedWords & {
  readonly embedded: EmbeddedText;
  /** Null where the model is away, and nothing could be cut. */
  readonly first: Passage | null;
};

/** Analyses the words of a thing and embeds its first passage. */
export async function prepareText<R extends ThingRow>(
  embedder: Embedder,
  search: SearchRules<R>,
  columns: Columns<R>,
): Promise<PreparedText> {
  const [analysed, embedded] = await Promise.all([
    analyseWords(search.words(columns)),
    embedFirst(embedder, search.pieces(columns)),
  ]);
  return { ...analysed, ...embedded };
}

/**
 * Embeds the first passage, which a save waits for; the others follow in the background. Without a usable model it answers `pending`
 * and no vector: saves work, vectors follow.
 */
async function embedFirst(
  active: Embedder,
  pieces: readonly Piece[],
): Promise<Pick<PreparedText, 'embedded' | 'first'>> {
  const embedder = presentModel(active);
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
