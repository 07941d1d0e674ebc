// What each question of the reader thread is answered with: the connection, what outlives a question, and the shape of an answer.
import type Sqlite from 'better-sqlite3';
import type { ReaderQueries } from './reader.ts';
import type { HeldVectors } from './vectors/held-vectors.ts';

/** The read-only connection of the reader thread: SQLite's, or PostgreSQL's behind the same few methods (postgres/blocking-database.ts). */
export type ReaderDatabase = Sqlite.Database & {
  /** Changes with every write; SQLite is asked by a pragma instead. */
  readonly storeVersion?: () => string;
  /** Another connection that sees the store as it is now until it is closed; SQLite opens its file once more instead. */
  readonly openSnapshot?: () => Sqlite.Database;
};

/** What outlives a question in the worker. */
export type ReaderState = {
  readonly held: HeldVectors;
  /** The answers of this engine. */
  readonly queries: ReaderTable;
};

/** A question that must wait (for vectors being loaded) answers by a promise; the next one is served meanwhile. */
export type ReaderQuery<Name extends keyof ReaderQueries> = (
  db: ReaderDatabase,
  argument: ReaderQueries[Name][0],
  state: ReaderState,
) => ReaderQueries[Name][1] | Promise<ReaderQueries[Name][1]>;

export type ReaderTable = { readonly [Name in keyof ReaderQueries]: ReaderQuery<Name> };
