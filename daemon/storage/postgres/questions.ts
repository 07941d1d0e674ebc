// The questions that PostgreSQL answers by statements of its own: what a search asks for hundreds of rows of, one by one, would cost a round
// trip each, and the keyword index is another one. The scores are those of FTS5's bm25, from the same numbers.

import { queryWords } from '../keyword-index.ts';
import {
  type FoundRow,
  fts5IdfOf,
  type KeywordRequest,
  type Matches,
  rankKeywords,
} from '../keywords/keyword-ranking.ts';
import { sharedTableKey } from '../lance/lance-facts.ts';
import { prepared } from '../prepared.ts';
import type { KeywordCandidates } from '../reader.ts';
import { cosinesBy } from '../reader-queries/cosines.ts';
import { featuresOfThings } from '../reader-queries/features.ts';
import { rankCandidatesBy } from '../reader-queries/rank-candidates.ts';
import { recentAnswer } from '../reader-queries/recent-answers.ts';
import { scopeClause, storeCounts } from '../reader-queries/scope.ts';
import type { ReaderDatabase, ReaderTable } from '../reader-query.ts';
import type { ScopeFilter } from '../search-types.ts';
import { readThingsAtOnce } from './things-at-once.ts';
import { tokenOf } from './tokens.ts';

/** What of the reader's table is answered otherwise here. */
export const postgresQuestions: Partial<ReaderTable> = {
  keywordCandidates(db, request) {
    // the version of the store comes along with what is looked up first: a round trip for both
    const lookedUp = lookUp(db, queryWords(request.text).map(tokenOf));
    return recentAnswer(db, request, () => findKeywords(db, request, lookedUp), lookedUp.version);
  },
  features: (db, question) => featuresOfThings(db, question, readFeatures),
  countVectors(db, { modelId }) {
    const count = (sql: string, ...values: string[]): number =>
      prepared(db, sql)
        .pluck()
        .get(...values) as number;
    return {
      rows: count('SELECT count(*) FROM vectors WHERE model_id = ?', modelId),
      pending: count('SELECT count(*) FROM searchables WHERE embedded = 0'),
      // the outbox is what other daemons follow, and waits for nothing but a shared vector table
      unflushed: count(`SELECT count(*) FROM (${unflushedThings}) AS waiting WHERE EXISTS (${sharedTable})`),
    };
  },
  rankCandidates: (db, argument, state) => rankCandidatesBy(readThingsAtOnce, db, argument, state),
  cosines: (db, argument, state) => cosinesBy(readThingsAtOnce, db, argument, state),
};

const sharedTable = `SELECT 1 FROM store_facts WHERE key = '${sharedTableKey}'`;

/** What the shared vector table does not have yet; everything where there is none. */
export const unflushedThings = `SELECT kind, thing_id AS id, rev FROM outbox WHERE seq > coalesce(
  (SELECT CAST(CAST(value AS json) ->> 'seq' AS BIGINT) FROM store_facts WHERE key = '${sharedTableKey}'), 0)`;

type Totals = { readonly rows: number; readonly length: number };
type LookedUp = { readonly version: string; readonly totals: Totals; readonly terms: ReadonlyMap<string, Term> };
type Term = { readonly token: string; readonly lexeme: string; readonly holders: number };

/** Parameters of bm25 as FTS5 has them (fts5_aux.c). */
const k1 = 1.2;
const b = 0.75;

function findKeywords(
  db: ReaderDatabase,
  request: KeywordRequest,
  { version, totals, terms }: LookedUp,
): KeywordCandidates {
  return rankKeywords(request, {
    rows: totals.rows,
    scopeRows: storeCounts(db, { rows: totals.rows, version }).scopeRows(request.filter),
    holders: (words) => words.map((word) => terms.get(tokenOf(word))?.holders ?? 0),
    matches: (words) =>
      matchesOf(
        db,
        words.flatMap((word) => terms.get(tokenOf(word)) ?? []),
        request.filter,
        totals,
      ),
    rowsOf: (ids) => rowsOf(db, ids),
  });
}

/** What is counted of the whole store: its rows, and the holders of each word. */
function lookUp(db: ReaderDatabase, tokens: readonly string[]): LookedUp {
  const found = prepared<[string], Totals & { version: string } & { [Key in keyof Term]: Term[Key] | null }>(
    db,
    `SELECT pg_current_snapshot()::text AS version, w.rows, w.length, a.token, a.lexeme, coalesce(t.holders, 0) AS holders FROM search_totals w
      LEFT JOIN (SELECT value AS token, stem(value) AS lexeme FROM json_each(?)) AS a ON true
      LEFT JOIN search_terms t ON t.word = a.lexeme`,
  ).all(JSON.stringify(tokens.filter((token) => token !== '')));
  const terms = new Map<string, Term>();
  for (const { token, lexeme, holders } of found) {
    if (token !== null && lexeme !== null) terms.set(token, { token, lexeme, holders: holders ?? 0 });
  }
  const { version, rows, length } = found[0] ?? { version: '', rows: 0, length: 0 };
  return { version, totals: { rows, length }, terms };
}

/**
 * One statement for all words: a branch each, so that each is planned by how common its word is. A word's rows come as three lists: to make
 * and to read a row of an answer for each costs more than finding it.
 */
function matchesOf(db: ReaderDatabase, terms: readonly Term[], filter: ScopeFilter, totals: Totals): Matches[] {
  const matches: [number, number][][] = terms.map(() => []);
  if (terms.length === 0) return matches;
  const scope = scopeClause(filter);
  const branches = terms.map(
    ({ lexeme }, index) => `(SELECT ${index} AS word, array_agg(s.id),
      array_agg(coalesce((s.frequencies ->> '${lexeme}')::int, 1)), array_agg(s.length)
      FROM searchables s WHERE s.words @@ $$'${lexeme}'$$::tsquery AND ${scope.sql})`,
  );
  const averageLength = totals.length / Math.max(1, totals.rows);
  const statement = db.prepare(branches.join(' UNION ALL ')).raw();
  const found = statement.all(...terms.flatMap(() => scope.parameters)) as [number, ...(string | null)[]][];
  for (const [word, ...lists] of found) {
    const idf = fts5IdfOf(totals.rows, terms[word]?.holders ?? 0);
    const [ids = [], frequencies = [], lengths = []] = lists.map(numbersOf);
    matches[word] = ids.map((id, at) => {
      const frequency = frequencies[at] ?? 1;
      const weight = k1 * (1 - b + (b * (lengths[at] ?? 0)) / averageLength);
      return [id, (-idf * frequency * (k1 + 1)) / (frequency + weight)];
    });
  }
  return matches;
}

/** An array as PostgreSQL writes it: `{1,2}`; null where nothing was gathered. */
function numbersOf(list: string | null): number[] {
  return list === null ? [] : (JSON.parse(`[${list.slice(1, -1)}]`) as number[]);
}

function rowsOf(db: ReaderDatabase, ids: readonly number[]): (FoundRow | undefined)[] {
  if (ids.length === 0) return [];
  const rows = prepared<[string], FoundRow & { id: number }>(
    db,
    `SELECT s.id, s.kind, s.thing_id, s.rev, s.session, s.features
      FROM searchables s WHERE s.id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))`,
  ).all(JSON.stringify(ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

const readFeatures: NonNullable<Parameters<typeof featuresOfThings>[2]> = (db, things) => {
  const rows = prepared<[string], { kind: string; id: number; rev: number; features: string; session: string | null }>(
    db,
    `SELECT s.kind, s.thing_id AS id, s.rev, s.features, s.session FROM searchables s
      JOIN json_each(?) AS j ON s.kind = substr(j.value, instr(j.value, '_') + 1)
        AND s.thing_id = CAST(substr(j.value, 1, instr(j.value, '_') - 1) AS BIGINT)`,
  ).all(JSON.stringify(things.map(({ kind, id }) => `${id}_${kind}`)));
  const byKey = new Map(rows.map((row) => [`${row.kind}:${row.id}`, row]));
  return things.map(({ kind, id }) => byKey.get(`${kind}:${id}`) ?? null);
};
