// Best keyword hits of a text within a scope. FTS5 knows the statistics of the whole table only, but bm25 is a sum over words:
// asked for one word at a time, each word's scores can be scaled by idf(scope) / idf(all), and a project ranks as if it had a table of its own.
// The filter stands in the same statement, before the top-k, so that a small project is never starved by a large one.
import type Sqlite from 'better-sqlite3';
import { type QueryWord, queryWords } from '../keyword-index.ts';
import { prepared } from '../prepared.ts';
import type { KeywordCandidates } from '../reader.ts';
import type { ReaderDatabase } from '../reader-queries.ts';
import type { ScopeFilter, ThingHit } from '../search-types.ts';
import { hitFeaturesOf } from '../text-features.ts';
import { recentAnswer } from './recent-answers.ts';
import { type StoreCounts, scopeClause, storeCounts } from './scope.ts';

type Request = { readonly text: string; readonly filter: ScopeFilter; readonly limit: number };
type Found = { id: number; score: number; idf: number; rarest: number; matched: number };

/** Rarer words say more: the others are not asked for. */
const maxWords = 10;
/**
 * Rows read for one query, over all words: what keeps it behind the embedding of the query. The rarest word is always read. Commoner words
 * than these say little: with 5,000 rows CoSQA and Cranfield are found no better (`npm run eval`), and a search takes 2 ms longer.
 */
const maxRowsRead = 2_000;
/** bm25 weights of title, body, labels, meta: measured with `npm run eval`. */
const columnWeights = '3.0, 1.0, 1.0, 2.0';

export function keywordCandidates(db: ReaderDatabase, request: Request): KeywordCandidates {
  return recentAnswer(db, request, () => findKeywords(db, request));
}

function findKeywords(db: ReaderDatabase, { text, filter, limit }: Request): KeywordCandidates {
  const words = queryWords(text);
  const counts = storeCounts(db);
  const rows = counts.scopeRows(filter);
  if (words.length === 0 || rows === 0) return { hits: [], rows, words: [], noise: { mean: 0, deviation: 0 } };

  const found = new Map<number, Found>();
  const looked: { word: string; idf: number; rows: number; exact: boolean }[] = [];
  let rowsRead = 0;
  for (const { word, holders } of rarestFirst(words, counts)) {
    if (rowsRead > 0 && rowsRead + holders > maxRowsRead) break;
    const matches = holders === 0 ? [] : matchesOf(db, word, filter);
    rowsRead += holders;
    const idf = idfOf(rows, matches.length);
    looked.push({ word: word.word, idf, rows: matches.length, exact: word.exact });
    add(found, matches, { idf, bit: 2 ** (looked.length - 1), scale: idf / fts5IdfOf(counts.rows, holders) });
  }

  const asked = looked.reduce((sum, { idf }) => sum + idf, 0);
  const best = [...found.values()].sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
  const hits = best.map((hit) => toHit(db, hit, asked)).sort((a, b) => b.score - a.score || a.id - b.id);
  return { hits, rows, words: looked, noise: noiseOf(found, rows) };
}

/** The ten rarest of the words that any thing holds, rarest first, and those that none holds (they count as asked for, and cost nothing). */
function rarestFirst(words: readonly QueryWord[], counts: StoreCounts): { word: QueryWord; holders: number }[] {
  const counted = words.map((word) => ({ word, holders: counts.holders(word.match) }));
  const held = counted.filter(({ holders }) => holders > 0).sort((a, b) => a.holders - b.holders);
  const missing = counted.filter(({ holders }) => holders === 0);
  return [...held.slice(0, maxWords), ...missing.slice(0, Math.max(0, maxWords - held.length))];
}

function matchesOf(db: Sqlite.Database, { match }: QueryWord, filter: ScopeFilter): [id: number, bm25: number][] {
  const { sql, parameters } = scopeClause(filter);
  // CROSS JOIN keeps the order: the word's rows first, each then held against the filter
  const statement = prepared(
    db,
    `SELECT s.id, bm25(search_words, ${columnWeights}) FROM search_words
      CROSS JOIN searchables s ON s.id = search_words.rowid
      WHERE search_words MATCH ? AND ${sql}`,
  );
  return statement.raw().all(match, ...parameters) as [number, number][];
}

function add(
  found: Map<number, Found>,
  matches: readonly [number, number][],
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
function fts5IdfOf(rows: number, holders: number): number {
  const all = Math.max(rows, holders);
  const idf = Math.log((all - holders + 0.5) / (holders + 0.5));
  return idf > 0 ? idf : 1e-6;
}

function toHit(db: Sqlite.Database, { id, score, idf, rarest, matched }: Found, asked: number): ThingHit {
  const row = prepared(db, 'SELECT kind, thing_id, rev, session, features FROM searchables WHERE id = ?').get(id) as {
    kind: string;
    thing_id: number;
    rev: number;
    session: string | null;
    features: string;
  };
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
