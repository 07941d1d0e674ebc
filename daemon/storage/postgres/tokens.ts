// Words as the FTS5 index has them, before stemming, for an engine whose own parser would cut them otherwise (`foo-bar`, `1.5`, addresses):
// runs of letters and digits, lower case, without diacritics. Neighbouring characters of unspaced scripts come as pairs besides, `再_世`,
// where FTS5 looks for a phrase.
import type { IndexText, QueryWord } from '../keyword-index.ts';

/** Longer runs are data; nobody asks for them whole, and PostgreSQL takes no word above 2 kB. */
const maxTokenLength = 200;
/** PostgreSQL keeps a megabyte of different words of one text; what comes after that is not found by keyword. */
const maxDistinctBytes = 600_000;

/** `unicode61` counts other marks (vowels of Thai or Devanagari) among what stands between words. */
const run = /(?:[\p{L}\p{N}\p{Co}]|[\u0300-\u036f])+/gu;
const withMarks = /^(.)[\u0300-\u036f]+$/su;
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]$/u;

/** The words of a searchable row as its trigger takes them: a line for each column, tokens between spaces. */
export function tokenLines({ title, body, labels, meta }: IndexText): string {
  return [title, body, labels, meta].map(tokenText).join('\n');
}

/** The token that a word of a query is looked up by; empty for one that no text can hold. */
export function tokenOf({ word }: Pick<QueryWord, 'word'>): string {
  return tokens(word).join('_');
}

function tokenText(text: string): string {
  const found: string[] = [];
  const known = new Set<string>();
  let sizeBytes = 0;
  let before: string | null = null;
  for (const token of tokens(text)) {
    const isCharacter = unspaced.test(token);
    const given = isCharacter && before !== null ? [token, `${before}_${token}`] : [token];
    before = isCharacter ? token : null;
    for (const one of given) {
      if (!known.has(one)) {
        sizeBytes += Buffer.byteLength(one);
        if (sizeBytes > maxDistinctBytes) return found.join(' ');
        known.add(one);
      }
      found.push(one);
    }
  }
  return found.join(' ');
}

function tokens(text: string): string[] {
  // JavaScript alone knows a lower case of its own for the last sigma of a word
  const runs = text.toLowerCase().replaceAll('ς', 'σ').match(run) ?? [];
  return runs.map((word) => folded(word).slice(0, maxTokenLength)).filter((word) => word !== '');
}

/** Without the marks of Latin, Greek and Cyrillic letters; those of other scripts make another letter (`で`). */
function folded(word: string): string {
  if (/^[a-z0-9]+$/.test(word)) return word;
  const bare = [...word].map((letter) => withMarks.exec(letter.normalize('NFD'))?.[1] ?? letter).join('');
  return bare.replace(/[\u0300-\u036f]/g, '');
}
