// Looks at a store from outside, as no part of the product does: through a connection of its own, table by table, and byte by byte.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { executeSync, querySync } from './postgres/query-sync.ts';
import { databaseOf, onPostgres, urlOf } from './storage-under-test.ts';

export type Row = Record<string, unknown>;

/** Answers what a query finds in the database of a home, over a read-only connection that lives for this call. */
export function queryHome<R = Row>(home: string, sql: string, ...parameters: readonly unknown[]): R[] {
  if (onPostgres) return querySync<R>(urlOf(databaseOf(home)), sql, parameters);
  const database = new Sqlite(join(home, 'data', 'loci.db'), { readonly: true });
  try {
    return database.prepare(sql).all(...parameters) as R[];
  } finally {
    database.close();
  }
}

/** Changes a row of a home's database behind the daemon's back, as no part of the product does. */
export function changeHome(home: string, sql: string, ...parameters: readonly unknown[]): void {
  if (onPostgres) {
    executeSync(urlOf(databaseOf(home)), sql, parameters);
    return;
  }
  const database = new Sqlite(join(home, 'data', 'loci.db'));
  try {
    database.prepare(sql).run(...parameters);
  } finally {
    database.close();
  }
}

/** Every row of every table, the keyword index's own tables included, by table name. */
export function allTables(home: string): Map<string, Row[]> {
  const catalogue = onPostgres
    ? "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'loci'"
    : "SELECT name FROM sqlite_schema WHERE type = 'table'";
  const names = queryHome<{ name: string }>(home, `${catalogue} ORDER BY name`);
  return new Map(
    names
      .filter(({ name }) => name !== 'search_words' && (onPostgres || name !== 'search_terms'))
      .map(({ name }) => [name, queryHome(home, `SELECT * FROM "${name}"`)]),
  );
}

/** Names of the tables of which some value holds `text`. */
export function tablesHolding(home: string, text: string): string[] {
  const isHolding = (value: unknown): boolean =>
    (typeof value === 'string' && (value.includes(text) || value.includes(Buffer.from(text).toString('hex')))) ||
    (value instanceof Uint8Array && Buffer.from(value).includes(text));
  return [...allTables(home)]
    .filter(([, rows]) => rows.some((row) => Object.values(row).some(isHolding)))
    .map(([name]) => name);
}

/** Throws where the keyword index and the rows that it indexes do not agree. */
export function checkKeywordIndex(home: string): void {
  if (onPostgres) {
    checkTerms(home);
    return;
  }
  const database = new Sqlite(join(home, 'data', 'loci.db'));
  try {
    database.prepare("INSERT INTO search_words(search_words, rank) VALUES ('integrity-check', 1)").run();
  } finally {
    database.close();
  }
}

/** What PostgreSQL counts of its words in each write, against a recount. */
function checkTerms(home: string): void {
  const wrong = queryHome(
    home,
    `SELECT coalesce(k.word, c.word) AS word, k.holders, c.counted FROM search_terms k
      FULL JOIN (SELECT w AS word, count(*) AS counted FROM searchables, unnest(tsvector_to_array(words)) AS w GROUP BY w) AS c
        ON c.word = k.word
      WHERE k.holders IS DISTINCT FROM c.counted`,
  );
  const [totals] = queryHome<{ kept: number; counted: number }>(
    home,
    'SELECT t.rows AS kept, (SELECT count(*) FROM searchables) AS counted FROM search_totals t',
  );
  if (wrong.length > 0 || totals?.kept !== totals?.counted) {
    throw new Error(`the counts of words are wrong: ${JSON.stringify({ wrong, totals })}`);
  }
}

/** Files below a folder whose bytes hold `text`. */
export function filesHolding(folder: string, text: string): string[] {
  return filesBelow(folder).filter((file) => readFileSync(file).includes(text));
}

/** Files below a folder, sockets left out. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
