// Where the two engines differ in what is written: the few pieces of SQL and data that depend on the one under a store. Everything else that
// storage and the rooms say is understood by both: standard SQL, and of SQLite's own functions those that `postgres/schema-parts.ts` makes
// there too (`instr`, `json_each`, `json_extract`, `fold_case`, `max` and `min` of two). tests/architecture.test.ts holds the rooms to it.
import { PostgresAdapter } from 'kysely';
import type { IndexText } from './keyword-index.ts';
import { tokenLines } from './postgres/tokens.ts';
import type { Queries, Trx } from './sqlite.ts';

export type Dialect = 'sqlite' | 'postgres';

export function dialectOf(db: Queries): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** The text columns of a searchable row: FTS5 finds the words in them itself, PostgreSQL is given them besides. */
export function wordColumns(trx: Trx, words: IndexText): IndexText {
  return dialectOf(trx) === 'sqlite' ? words : ({ ...words, tokens: tokenLines(words) } as IndexText);
}
