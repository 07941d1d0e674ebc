// How keyword hits are scored, whichever index found them: bm25 summed over the words, each scaled from the statistics of the whole store
// to those of the scope.
import { type QueryWord, queryWords } from '../keyword-index.ts';
import type { KeywordCandidates } from '../reader.ts';
import type { ScopeFilter, ThingHit } from '../search-types.ts';
import { hitFeaturesOf } from './text-features.ts';

export type KeywordRequest = { readonly text: string; readonly filter: ScopeFilter; readonly limit: number };

/** Rows of the scope that hold a word, with the word's bm25 in the whole store (smaller is better, as FTS5 has it). */
export type Matches = readonly (readonly [id: number, bm25: number])[];

export type FoundRow = {
  readonly kind: string;
  readonly thing_id: number;
  readonly rev: number;
  readonly session: string | null;
  readonly features: string;
};

/** An index of words, as a search of one scope needs it. */
export type KeywordSource = {
  /** Rows of the store, of every user and kind. */
  readonly rows: number;
  readonly scopeRows: number;
  /** Rows of the store that hold each word. */
  holders(words: readonly QueryWord[]): readonly number[];
  matches(words: readonly QueryWord[]): readonly Matches[];
  rowsOf(ids: readonly number[]): readonly (FoundRow | undefined)[];
};

type Found = { id: number; score: number; idf: number; rarest: number; matched: number };
type Counted = { readonly word: QueryWord; readonly holders: number };

/** Rarer words say more: the others are not asked for. */
const maxWords = 10;
/**
 * Rows read for one query, over all words: what keeps it behind the embedding of the query. The rarest word is always read. Commoner words
 * than these say little: with 5,000 rows CoSQA and Cranfield are found no better (`npm run eval`), and a search takes 2 ms longer.
 */
const maxRowsRead = 2_000;

export function rankKeywords({ text, limit }: KeywordRequest, source: KeywordSource): KeywordCandidates {
  const words = queryWords(text);
  const rows = source.scopeRows;
  if (words.length === 0 || rows === 0) return { hits: [], rows, words: [], noise: { mean: 0, deviation: 0 } };

  const asked = worthReading(rarestFirst(words, source.holders(words)));
  const held = asked.filter(({ holders }) => holders > 0);
  const matches = source.matches(held.map(({ word }) => word));
  const found = new Map<number, Found>();
  const looked = asked.map(({ word, holders }, index) => {
    const ofWord = holders === 0 ? [] : (matches[held.findIndex((one) => one.word === word)] ?? []);
    const idf = idfOf(rows, ofWord.length);
    add(found, ofWord, { idf, bit: 2 ** index, scale: idf / fts5IdfOf(source.rows, holders) });
    return { word: word.word, idf, rows: ofWord.length, exact: word.exact };
  });

  const whole = looked.reduce((sum, { idf }) => sum + idf, 0);
  const best = [...found.values()].sort(byScore).slice(0, limit);
  const rowsOfBest = source.rowsOf(best.map(({ id }) => id));
  const hits = best.flatMap((hit, index) => {
    const row = rowsOfBest[index];
    return row === undefined ? [] : [toHit(row, hit, whole)];
  });
  return { hits: hits.sort(byScore), rows, words: looked, noise: noiseOf(found, rows) };
}

function byScore(
  a: { readonly score: number; readonly id: number },
  b: { readonly score: number; readonly id: number },
) {
  return b.score - a.score || a.id - b.id;
}

/** The ten rarest of the words that any thing holds, rarest first, and those that none holds (they count as asked for, and cost nothing). */
function rarestFirst(words: readonly QueryWord[], holders: readonly number[]): Counted[] {
  const counted = words.map((word, index) => ({ word, holders: holders[index] ?? 0 }));
  const held = counted.filter((one) => one.holders > 0).sort((a, b) => a.holders - b.holders);
  const missing = counted.filter((one) => one.holders === 0);
  return [...held.slice(0, maxWords), ...missing.slice(0, Math.max(0, maxWords - held.length))];
}

/** As many as there are rows to be read for; it ends at the first word that is too common. */
function worthReading(words: readonly Counted[]): Counted[] {
  let rowsRead = 0;
  const end = words.findIndex(({ holders }) => {
    if (rowsRead > 0 && rowsRead + holders > maxRowsRead) return true;
    rowsRead += holders;
    return false;
  });
  return end === -1 ? [...words] : words.slice(0, end);
}

function add(
  found: Map<number, Found>,
  matches: Matches,
  { idf, bit, scale }: { readonly idf: number; readonly bit: number; readonly scale: number },
): void {
  for (const [id, bm25] of matches) {
    const hit = found.get(id);
    const score = -bm25 * scale;
    if (hit === undefined) found.set(id, { id, score, idf, rarest: idf, matched: bit });
    else {
      hit.score += score;
      hit.idf += idf;
      hit.matched |= bit;
      if (idf > hit.rarest) hit.rarest = idf;
    }
  }
}

/** Always above zero, so that in a small scope even a word of most texts still orders them. */
function idfOf(rows: number, holders: number): number {
  const all = Math.max(rows, holders);
  return Math.log(1 + (all - holders + 0.5) / (holders + 0.5));
}

/** The idf that FTS5 multiplies into a score (fts5_aux.c): a word that over half of the rows hold counts next to nothing. */
export function fts5IdfOf(rows: number, holders: number): number {
  const all = Math.max(rows, holders);
  const idf = Math.log((all - holders + 0.5) / (holders + 0.5));
  return idf > 0 ? idf : 1e-6;
}

function toHit(row: FoundRow, { score, idf, rarest, matched }: Found, asked: number): ThingHit {
  return {
    kind: row.kind,
    id: row.thing_id,
    rev: row.rev,
    score,
    coverage: asked === 0 ? 0 : idf / asked,
    rarestIdf: rarest,
    matched,
    features: hitFeaturesOf(row.features, row.session),
  };
}

/** Mean and deviation of the score over every row of the scope, those without a word of the query counting 0. */
function noiseOf(found: ReadonlyMap<number, Found>, rows: number): { mean: number; deviation: number } {
  let sum = 0;
  let squares = 0;
  for (const { score } of found.values()) {
    sum += score;
    squares += score * score;
  }
  const mean = sum / rows;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / rows - mean * mean)) };
}
