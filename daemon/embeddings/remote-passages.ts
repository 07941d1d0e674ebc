import { type CountTokens, isSurelyShort, maxPassageTokens, splitIntoPassages } from './passages.ts';

/** Words of a language the tokenizer knows are about four letters a token; what it does not know is one token a character. */
const lettersPerToken = 3;

/** An estimate from above, for models whose tokenizer is out of reach: the same text always gives the same passages. */
const estimateTokens: CountTokens = (text) => {
  let tokens = 0;
  for (const [piece] of text.matchAll(/[a-z]+|[^\s]/giu)) tokens += Math.ceil(piece.length / lettersPerToken);
  return tokens;
};

/** Passages for a model on a server: by the one rule of `passages.ts`, with estimated counts. */
export function splitByEstimate(text: string): string[] {
  return isSurelyShort(text) ? [text] : splitIntoPassages(text, estimateTokens, maxPassageTokens);
}
