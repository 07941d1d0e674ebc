// What is written into the keyword index for a thing, and what a query asks of it. Both sides use words.ts.
// A query never reaches FTS5 as text: it is cut into words here, and each is quoted, so that `AND`, `col:`, `"` or `*` are what they say.

import { stopWords } from './keywords/stop-words.ts';
import { camelParts, exactWords, normalised, plainWords, spaced, unspacedRuns } from './keywords/words.ts';

/** The texts of a thing, as given: nothing derived (a derived title is never indexed). */
export type IndexSource = {
  readonly title: string | null;
  /** Content, context, problem, solution. */
  readonly texts: readonly (string | null)[];
  /** Concepts, tags, files, category, key. */
  readonly labels: readonly (string | null)[];
  /** Authors, and whatever else it is known by. */
  readonly names: readonly (string | null)[];
  /** When it was said or happened, milliseconds; written as `2026-11-30` and as `30 November 2026` in the daemon's zone. */
  readonly dates: readonly (number | null)[];
};

/** The four columns of the keyword index, analysed. */
export type IndexText = {
  readonly title: string;
  readonly body: string;
  readonly labels: string;
  readonly meta: string;
};

/** One thing to look up. `match` is a quoted FTS5 expression, safe to join with others by ` OR `. */
export type QueryWord = {
  readonly word: string;
  readonly match: string;
  /** An identifier asked for with its punctuation. */
  readonly exact: boolean;
};

/** More words than this are read in no query: rarity is looked up for each. */
const maxQueryWords = 64;

export function indexTextOf(source: IndexSource): IndexText {
  return {
    title: analysed([source.title]),
    body: analysed(source.texts),
    labels: analysed(source.labels),
    meta: analysed([...source.names, ...source.dates.map((ms) => (ms === null ? null : dateWords(ms)))]),
  };
}

/**
 * The words of a query, at most 64, each once, stop words left out unless there is nothing else.
 * Empty for a text without a letter or digit.
 */
export function queryWords(text: string): QueryWord[] {
  const asked = normalised(text);
  const plain = [...new Set([...plainWords(asked), ...camelParts(asked)])];
  const telling = plain.filter((word) => !stopWords.has(word));
  const exact = exactWords(asked);
  const unspaced = unspacedRuns(asked).flatMap(pairs);
  const words = telling.length + exact.length + unspaced.length > 0 ? telling : plain;
  const found = new Map<string, QueryWord>();
  for (const word of exact) found.set(word, { word, match: quoted(word), exact: true });
  for (const word of [...unspaced, ...words])
    if (!found.has(word)) found.set(word, { word, match: quoted(word), exact: false });
  return [...found.values()].slice(0, maxQueryWords);
}

function analysed(texts: readonly (string | null)[]): string {
  const text = normalised(texts.filter((part) => part !== null && part !== '').join('\n'));
  if (text === '') return '';
  return [spaced(text), ...camelParts(text), ...exactWords(text)].join(' ');
}

/** Neighbouring characters, two by two, as phrases of the index; a single character alone. */
function pairs(run: readonly string[]): string[] {
  if (run.length < 2) return [...run];
  return run.slice(1).map((character, index) => `${run[index]} ${character}`);
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function dateWords(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return '';
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  const iso = [String(year).padStart(4, '0'), String(month + 1).padStart(2, '0'), String(day).padStart(2, '0')].join(
    '-',
  );
  return `${iso} ${day} ${months[month]} ${year}`;
}
