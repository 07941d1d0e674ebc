// How many tokens a text is to a model, without the model's tokenizer: counted so that it errs upwards for every common one, because
// a budget that is kept by the wrong model's count is not kept.

/** An upper estimate: words by length, digits in threes, signs one each, and at least a quarter of the characters. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(/[A-Za-z]+|\d+|\n|[^\sA-Za-z\d]/gu)) {
    const first = run.codePointAt(0) ?? 0;
    if (/^[A-Za-z]/.test(run)) tokens += Math.ceil(run.length / 5);
    else if (/^\d/.test(run)) tokens += Math.ceil(run.length / 3);
    else tokens += first > 0xffff ? 3 : 1;
  }
  return Math.max(tokens, Math.ceil(text.length / 4));
}
