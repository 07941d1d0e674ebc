const span = /(?<!`)<private>[\s\S]*?(?:<\/private>|$)/gi;

/** The text without what stands between `<private>` and `</private>`; one that is not closed ends with the text. In backticks it is only a word. */
export function withoutPrivateSpans(text: string): string {
  return /<private>/i.test(text) ? text.replace(span, '') : text;
}
