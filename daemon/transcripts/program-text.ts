// A prompt or an answer holds more than was said: notes of the agent's program, results of hooks (our own recalls among them), private parts,
// code. None of it may be taken for anybody's word, neither when a transcript is swept nor when memories are looked for that fit.

import { withoutPrivateSpans } from '#daemon/secrets/private-spans.ts';

/** `<system-reminder>`, `<command-name>`, `<loci-memory-abcdef>`, `<environment_context>`: what programs put between opens so. */
const opening = /<([a-z]+(?:[-_][\w-]+)+|INSTRUCTIONS|function_calls|thinking|analysis)(?:\s[^<>]{0,500})?>/gi;
const fences = /^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm;

/** What a person typed or an agent said, without what programs put between and without code. A tag that is never closed is only a word. */
export function withoutProgramText(text: string): string {
  return withoutTagged(withoutPrivateSpans(text)).replace(fences, '\n');
}

/** By hand, because a pattern for it would read on to the end of the text at each tag that is not closed. */
function withoutTagged(text: string): string {
  const unclosed = new Set<string>();
  let kept = '';
  let from = 0;
  for (const { 0: tag, 1: name = '', index } of text.matchAll(opening)) {
    if (index < from || unclosed.has(name)) continue;
    const close = text.indexOf(`</${name}>`, index + tag.length);
    if (close === -1) unclosed.add(name);
    else {
      kept += `${text.slice(from, index)}\n`;
      from = close + name.length + 3;
    }
  }
  return kept + text.slice(from);
}
