/** A painter that sets off every word of the query in a text; the query is text, never a pattern. */
export function emphasise(query: string, paint: (text: string) => string): (text: string) => string {
  const words = (query.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1);
  if (words.length === 0) return (text) => text;
  // longest first, so that of `car` and `cargo` the whole of `cargo` is set off; letters and digits need no escaping
  const pattern = new RegExp(words.sort((a, b) => b.length - a.length).join('|'), 'giu');
  return (text) => text.replace(pattern, (match) => paint(match));
}
