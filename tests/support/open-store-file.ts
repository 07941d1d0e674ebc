// Looks at a store from outside, as no part of the product does: through a connection of its own, table by table, and byte by byte.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

export type Row = Record<string, unknown>;

/** Answers what a query finds in the database of a home, over a read-only connection that lives for this call. */
export function queryHome<R = Row>(home: string, sql: string, ...parameters: readonly unknown[]): R[] {
  const database = new Sqlite(join(home, 'data', 'loci.db'), { readonly: true });
  try {
    return database.prepare(sql).all(...parameters) as R[];
  } finally {
    database.close();
  }
}

/** Every row of every table, the keyword index's own tables included, by table name. */
export function allTables(home: string): Map<string, Row[]> {
  const names = queryHome<{ name: string }>(home, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  return new Map(
    names
      .filter(({ name }) => name !== 'search_words' && name !== 'search_terms')
      .map(({ name }) => [name, queryHome(home, `SELECT * FROM "${name}"`)]),
  );
}

/** Names of the tables of which some value holds `text`. */
export function tablesHolding(home: string, text: string): string[] {
  const isHolding = (value: unknown): boolean =>
    (typeof value === 'string' && value.includes(text)) ||
    (value instanceof Uint8Array && Buffer.from(value).includes(text));
  return [...allTables(home)]
    .filter(([, rows]) => rows.some((row) => Object.values(row).some(isHolding)))
    .map(([name]) => name);
}

/** Throws where the keyword index and the rows that it indexes do not agree. */
export function checkKeywordIndex(home: string): void {
  const database = new Sqlite(join(home, 'data', 'loci.db'));
  try {
    database.prepare("INSERT INTO search_words(search_words, rank) VALUES ('integrity-check', 1)").run();
  } finally {
    database.close();
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
