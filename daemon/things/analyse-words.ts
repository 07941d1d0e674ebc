// What the keyword index and ranking keep of a text. For 5 MB that is most of a second of work on the main thread, so it is done block
// by block, before the transaction, with a turn of the event loop between: nobody else waits for one large document.
import { type IndexSource, type IndexText, indexTextOf } from '#daemon/storage/keyword-index.ts';
import { featuresOf, type TextFeatures } from '#daemon/storage/keywords/text-features.ts';
import { blocksOf } from './cut-pieces.ts';

export type AnalysedWords = { readonly words: IndexText; readonly features: TextFeatures };

/** About 5 ms of work. */
const blockLength = 50_000;

/** The same as `indexTextOf` and `featuresOf` give for the whole, but that an identifier may be indexed once for each block. */
export async function analyseWords(source: IndexSource): Promise<AnalysedWords> {
  const text = source.texts.filter((part) => part !== null && part !== '').join('\n');
  const [first = { text: '' }, ...rest] = blocksOf(text, blockLength);
  const words = indexTextOf({ ...source, texts: [first.text] });
  const features = featuresOf({ text: first.text });
  if (rest.length === 0) return { words, features };
  const bodies = [words.body];
  let count = features.words;
  for (const block of rest) {
    await new Promise((resolve) => setImmediate(resolve));
    bodies.push(indexTextOf({ title: null, texts: [block.text], labels: [], names: [], dates: [] }).body);
    count += featuresOf({ text: block.text }).words;
  }
  return { words: { ...words, body: bodies.join(' ') }, features: { ...features, words: count } };
}
