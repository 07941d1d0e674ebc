// How text becomes words, once for what is stored and once for what is asked, so that both always agree.
// The tokenizer of the keyword index (FTS5 `unicode61`) alone would lose three kinds of words:
// - scripts without spaces are one endless word to it, so their characters are set apart and asked for two at a time;
// - `std::vector`, `C++` or `2024-11-05` fall into parts that any text may hold, so each is also kept whole, its punctuation spelled in letters;
// - `parseHttpUrl` is one word to it, so its parts are added.

/** Scripts written without spaces between words. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー';
const unspacedCharacter = new RegExp(`[${unspaced}]`, 'gu');
const unspacedRun = new RegExp(`[${unspaced}]+`, 'gu');
const plainWord = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const identifierRun = /[\p{L}\p{N}\p{M}_#@.$~/\\:+-]+/gu;
const caseParts = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu;

/** Longer runs are data, not names: nobody asks for them whole. */
const maxIdentifierLength = 200;

/** NFKC with typographic apostrophes made plain: the one form in which texts are compared. Case is left to the caller, but for the letters that lower case alone does not bring together (ß, ς). */
export function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[ßẞ]/g, 'ss')
    .replaceAll('ς', 'σ');
}

/** Sets the characters of unspaced scripts apart: `再gen7後` becomes ` 再 gen7 後 `. */
export function spaced(text: string): string {
  return text.replace(unspacedCharacter, ' $& ');
}

/** Runs of unspaced script, each as its characters: at least one in each. */
export function unspacedRuns(text: string): string[][] {
  return (text.match(unspacedRun) ?? []).map((run) => [...run]);
}

/** Words as the tokenizer sees them, before its stemming, lower case; none of an unspaced script. */
export function plainWords(text: string): string[] {
  return text.replace(unspacedCharacter, ' ').toLowerCase().match(plainWord) ?? [];
}

/** Parts of words in camel case (`parseHttpUrl` gives parse, http, url), lower case; nothing for other words. */
export function camelParts(text: string): string[] {
  return (text.match(plainWord) ?? []).flatMap((word) => {
    if (!/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u.test(word)) return [];
    const parts = (word.match(caseParts) ?? []).filter((part) => part.length > 1);
    return parts.length < 2 ? [] : parts.map((part) => part.toLowerCase());
  });
}

/**
 * Identifiers that hold punctuation, each spelled as one word of letters and digits (`c++` as `cqarqarzq`).
 * A path comes with its last step, and `file.ts:42` without its line as well.
 */
export function exactWords(text: string): string[] {
  const found = new Set<string>();
  for (const run of spaced(text).toLowerCase().match(identifierRun) ?? []) {
    if (run.length > maxIdentifierLength) continue;
    const whole = run.replace(/^[:+]+|[.:\-/\\@$~]+$/g, '');
    const withoutLine = whole.replace(/(:\d+)+$/, '');
    for (const name of [whole, withoutLine, lastStep(whole), lastStep(withoutLine)]) {
      if (isIdentifier(name)) found.add(spelled(name));
    }
  }
  return [...found];
}

function lastStep(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}

function isIdentifier(name: string): boolean {
  return /[\p{L}\p{N}]/u.test(name) && /[^\p{L}\p{N}\p{M}]/u.test(name);
}

/** Every punctuation mark as `q` and two letters; `zq` at the end, which no stemmer cuts. */
function spelled(name: string): string {
  return `${name.replace(/[^\p{L}\p{N}\p{M}]/gu, (mark) => `q${letters(mark.codePointAt(0) ?? 0)}`)}zq`;
}

function letters(code: number): string {
  return String.fromCharCode(97 + Math.floor(code / 26), 97 + (code % 26));
}
