// Secrets are copied out of pages, chats and PDFs, which put soft hyphens, zero-width and no-break spaces between letters, and out of
// keyboards that write `：` for `:`. The rules read the text as it is meant; what they find is told in the places of the text as given.

export type PlainText = {
  readonly text: string;
  /** Where a place of `text` lies in the text as given. */
  placeOf(index: number): number;
};

/** Characters that are not seen, full-width and mathematical twins of ASCII, and spaces other than the space. */
const odd =
  /[\p{Default_Ignorable_Code_Point}]+|[\uFF01-\uFF5E]|[\u{1D400}-\u{1D7FF}]|[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/gu;
const hasOdd = new RegExp(odd.source, 'u');

/** The text with such characters left out or written in ASCII. */
export function plainText(given: string): PlainText {
  if (!hasOdd.test(given)) return { text: given, placeOf: (index) => index };
  const shifts: { at: number; by: number }[] = [{ at: 0, by: 0 }];
  let text = '';
  let from = 0;
  for (const { 0: found, index } of given.matchAll(odd)) {
    text += given.slice(from, index) + inAscii(found);
    from = index + found.length;
    shifts.push({ at: text.length, by: from - text.length });
  }
  return { text: text + given.slice(from), placeOf: (index) => index + shiftAt(shifts, index) };
}

function inAscii(found: string): string {
  if (/\s/.test(found)) return ' ';
  return /^\p{Default_Ignorable_Code_Point}/u.test(found) ? '' : found.normalize('NFKC');
}

/** By halving, because a long text may hold many. */
function shiftAt(shifts: readonly { at: number; by: number }[], index: number): number {
  let [low, high] = [0, shifts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((shifts[middle]?.at ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return shifts[low]?.by ?? 0;
}
