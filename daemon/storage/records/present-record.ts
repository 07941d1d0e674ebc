// What an import finds here, asked inside the transaction that writes, so that it sees what the transaction has written. Records are read by
// one text that takes its answers at once, as SQLite gives them. A connection to PostgreSQL gives them later: a question whose answer is not
// there yet ends the reading, is asked, and the reading begins again with the answer; a record takes a handful of questions.
import type Sqlite from 'better-sqlite3';
import { CompiledQuery } from 'kysely';
import { translateQuery } from '../postgres/translate-query.ts';
import type { Database, Queries, SqliteDatabase } from '../sqlite.ts';
import type { ExportRecord } from './fields.ts';
import type { RowKind } from './kinds.ts';
import { ownerOf, recordByUid } from './read-record.ts';

/** Where an import asks: the transaction that writes, or the database outside of one. */
export type Asked = { readonly database: Database; readonly queries: Queries; readonly userId: number };

/** The user's thing of a uid as a record, with its id; null where there is none. */
export function presentRecord(
  asked: Asked,
  kind: RowKind,
  uid: string,
): Promise<{ readonly id: number; readonly record: ExportRecord } | null> {
  return read(asked, (db) => recordByUid(db, kind, uid, asked.userId));
}

/** The id of the user's thing of a uid, or null. */
export function idOfUid(asked: Asked, kind: RowKind, uid: string): Promise<number | null> {
  return read(asked, (db) => {
    const owner = ownerOf(db, kind, uid);
    return owner?.userId === asked.userId ? owner.id : null;
  });
}

/** The ids of those uids that are the user's, in their order. */
export async function idsOfUids(asked: Asked, kind: RowKind, uids: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const uid of uids) {
    const id = await idOfUid(asked, kind, uid);
    if (id !== null) ids.push(id);
  }
  return ids;
}

async function read<T>({ database, queries }: Asked, reading: (db: Sqlite.Database) => T): Promise<T> {
  if ('raw' in database) return reading((database as SqliteDatabase).raw);
  const answers = new Map<string, readonly Row[]>();
  for (;;) {
    try {
      return reading(answering(answers));
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      const { text, values } = error;
      const { rows } = await queries.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
      answers.set(error.message, rows);
    }
  }
}

type Row = Readonly<Record<string, unknown>>;

class Unanswered extends Error {
  readonly text: string;
  readonly values: readonly unknown[];

  constructor(key: string, text: string, values: readonly unknown[]) {
    super(key);
    this.text = text;
    this.values = values;
  }
}

/** The few methods of better-sqlite3 that records are read by, over answers that are there. Throws `Unanswered` for one that is not. */
function answering(answers: ReadonlyMap<string, readonly Row[]>): Sqlite.Database {
  return {
    prepare(sql: string) {
      const { text, parameters } = translateQuery(sql);
      let isPlucked = false;
      const all = (...given: unknown[]): unknown[] => {
        const values = parameters.map((parameter) => given[parameter as number]);
        const key = JSON.stringify([text, values]);
        const rows = answers.get(key);
        if (rows === undefined) throw new Unanswered(key, text, values);
        return isPlucked ? rows.map((row) => Object.values(row)[0]) : [...rows];
      };
      const statement = {
        all,
        get: (...given: unknown[]) => all(...given)[0],
        pluck() {
          isPlucked = true;
          return statement;
        },
      };
      return statement;
    },
  } as unknown as Sqlite.Database;
}
