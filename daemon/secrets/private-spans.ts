// What somebody put between `<private>` and `</private>` is not kept. They may nest it, break a line inside the tag or paste it with characters
// that are not seen: what was meant to stay private must not depend on how neatly it was marked.

const unseen = '\\p{Default_Ignorable_Code_Point}{0,8}';
const word = [...'private'].join(unseen);
/** A tag of either kind; in backticks it is only a word. */
const tag = new RegExp(`(?<!\`)<\\s{0,8}(${unseen}/?)\\s{0,8}${unseen}${word}${unseen}(?:\\s[^<>]{0,200})?>`, 'giu');

/** The text without what stands between `<private>` and its `</private>`, inner ones included; one that is not closed ends with the text. */
export function withoutPrivateSpans(text: string): string {
  if (!text.includes('<')) return text;
  let kept = '';
  let from = 0;
  let depth = 0;
  for (const match of text.matchAll(tag)) {
    const isEnd = match[1]?.endsWith('/') === true;
    if (depth === 0 && isEnd) continue;
    if (depth === 0) kept += text.slice(from, match.index);
    depth += isEnd ? -1 : 1;
    if (depth === 0) from = match.index + match[0].length;
  }
  return depth === 0 ? kept + text.slice(from) : kept;
}
