// Best keyword hits of a text within a scope. FTS5 knows the statistics of the whole table only, but bm25 is a sum over words:
// asked for one word at a time, each word's scores can be scaled by idf(scope) / idf(all), and a project ranks as if it had a table of its own.
// The filter stands in the same statement, before the top-k, so that a small project is never starved by a large one.
import type Sqlite from 'better-sqlite3';
import type { QueryWord } from '../keyword-index.ts';
import { type FoundRow, type KeywordRequest, type Matches, rankKeywords } from '../keywords/keyword-ranking.ts';
import { prepared } from '../prepared.ts';
import type { KeywordCandidates } from '../reader.ts';
import type { ReaderDatabase } from '../reader-query.ts';
import type { ScopeFilter } from '../search-types.ts';
import { recentAnswer } from './recent-answers.ts';
import { scopeClause, storeCounts } from './scope.ts';

/** bm25 weights of title, body, labels, meta: measured with `npm run eval`. */
const columnWeights = '3.0, 1.0, 1.0, 2.0';

export function keywordCandidates(db: ReaderDatabase, request: KeywordRequest): KeywordCandidates {
  return recentAnswer(db, request, () => {
    const counts = storeCounts(db);
    return rankKeywords(request, {
      rows: counts.rows,
      scopeRows: counts.scopeRows(request.filter),
      holders: (words) => words.map(({ match }) => counts.holders(match)),
      matches: (words) => words.map((word) => matchesOf(db, word, request.filter)),
      rowsOf: (ids) => ids.map((id) => rowOf(db, id)),
    });
  });
}

function matchesOf(db: Sqlite.Database, { match }: QueryWord, filter: ScopeFilter): Matches {
  const { sql, parameters } = scopeClause(filter);
  // CROSS JOIN keeps the order: the word's rows first, each then held against the filter
  const statement = prepared(
    db,
    `SELECT s.id, bm25(search_words, ${columnWeights}) FROM search_words
      CROSS JOIN searchables s ON s.id = search_words.rowid
      WHERE search_words MATCH ? AND ${sql}`,
  );
  return statement.raw().all(match, ...parameters) as Matches;
}

function rowOf(db: Sqlite.Database, id: number): FoundRow {
  return prepared(db, 'SELECT kind, thing_id, rev, session, features FROM searchables WHERE id = ?').get(
    id,
  ) as FoundRow;
}
