// Texts taken apart into sentences and put together again without saying anything twice. A sentence is dropped only when an
// earlier one reads the same (case, white space and the full stop aside) and asserts the same numbers, names, quotations and
// negations: what differs in any of these is another statement, however near. Code and indented blocks are never taken apart.
import { distinctions } from './duplicates/guard.ts';

/** The texts in order, each sentence once; a text all of whose sentences were said before adds nothing. */
export function uniteSentences(texts: readonly string[]): string {
  const said = new Set<string>();
  const kept = texts.map((text) => {
    const pieces = piecesOf(text).filter((piece) => {
      const key = keyOf(piece);
      if (key === null) return true;
      if (said.has(key)) return false;
      said.add(key);
      return true;
    });
    return pieces.some((piece) => keyOf(piece) !== null) ? pieces.join('').trim() : '';
  });
  return kept.filter((text) => text !== '').join('\n');
}

/** A text without the sentences that are in `erased` and in none of `kept`. */
export function withoutSentences(text: string, erased: readonly string[], kept: readonly string[]): string {
  const keysOf = (texts: readonly string[]) => new Set(texts.flatMap(piecesOf).map(keyOf));
  const [gone, left] = [keysOf(erased), keysOf(kept)];
  const pieces = piecesOf(text).filter((piece) => {
    const key = keyOf(piece);
    return key === null || !gone.has(key) || left.has(key);
  });
  return pieces.some((piece) => keyOf(piece) !== null) ? pieces.join('').trim() : '';
}

/** How many sentences a text has. */
export function countSentences(text: string): number {
  return piecesOf(text).filter((piece) => keyOf(piece) !== null).length;
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const fence = /^\s*(```|~~~)/;

/** Sentences with the white space behind them; a fenced or indented block is one piece. Joined they are the text. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let block = '';
  let isFenced = false;
  for (const line of text.split(/(?<=\n)/)) {
    const isFence = fence.test(line);
    if (isFenced || isFence || /^( {4}|\t)/.test(line)) {
      block += line;
      if (isFence) isFenced = !isFenced;
      continue;
    }
    if (block !== '') pieces.push(block);
    block = '';
    for (const { segment } of sentences.segment(line)) pieces.push(segment);
  }
  if (block !== '') pieces.push(block);
  return pieces;
}

/** Equal for pieces that say the same; null for one without a word, which is form and not a statement. */
function keyOf(piece: string): string | null {
  if (!/[\p{L}\p{N}]/u.test(piece)) return null;
  const words = piece
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[.!。!]+$/u, '');
  return `${words}\n${distinctions(piece).join('\n')}`;
}
