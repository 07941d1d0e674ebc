// Looks at a database that no daemon has open. A connection that can write folds the write-ahead log into the file when it closes, so this
// one cannot; and what only a writer can ask (whether the keyword index agrees with its text) is asked of a copy.
import { chmodSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { LociError } from '#shared/errors.ts';
import { foldCase } from '../fold-case.ts';
import { schemaVersion } from '../migrate.ts';

export type DatabaseCheck = {
  readonly schema: { readonly found: number; readonly known: number };
  readonly integrity: string | null;
  /** `ok` or what is wrong with it; null where it could not be looked at. */
  readonly keywordIndex: string | null;
  /** Null for a database without the table of facts, an empty one. */
  readonly vectors: {
    readonly stored: number;
    readonly pending: number;
    /** Name of the LanceDB table in use. */
    readonly table: string | null;
  } | null;
};

/** Checks the file at `file`; `copy` is a path for the copy, gone at the end. Throws `unavailable` for a file that is no database. */
export function checkDatabase(file: string, copy: string): DatabaseCheck {
  const database = open(file, { readonly: true });
  try {
    const found = database.pragma('user_version', { simple: true }) as number;
    const schema = { found, known: schemaVersion };
    if (found > schemaVersion || found === 0) return { schema, integrity: null, keywordIndex: null, vectors: null };
    const integrity = firstComplaint(database);
    return {
      schema,
      integrity,
      keywordIndex: integrity === 'ok' ? keywordComplaint(database, copy) : null,
      vectors: integrity === 'ok' ? vectorCounts(database) : null,
    };
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) throw unreadable(error.code);
    throw error;
  } finally {
    database.close();
  }
}

function open(file: string, options: Sqlite.Options): Sqlite.Database {
  try {
    const database = new Sqlite(file, options);
    database.function('fold_case', { deterministic: true }, foldCase);
    return database;
  } catch (error) {
    throw unreadable(error instanceof Sqlite.SqliteError ? error.code : 'unknown error');
  }
}

function unreadable(code: string): LociError {
  return new LociError('unavailable', `The database cannot be read (${code}).`);
}

function firstComplaint(database: Sqlite.Database): string {
  return String(database.pragma('integrity_check(1)', { simple: true }));
}

/** A disk that is full or may not be written. */
const noRoom = /^SQLITE_(?:FULL|IOERR|CANTOPEN|READONLY)/;

/** Null where a copy cannot be made, which says nothing of the index. */
function keywordComplaint(database: Sqlite.Database, copy: string): string | null {
  rmSync(copy, { force: true });
  try {
    database.prepare('VACUUM INTO ?').run(copy);
    chmodSync(copy, 0o600);
    const writer = open(copy, {});
    try {
      writer.prepare("INSERT INTO search_words(search_words, rank) VALUES ('integrity-check', 1)").run();
      return 'ok';
    } finally {
      writer.close();
    }
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && noRoom.test(error.code)) return null;
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(copy, { force: true });
  }
}

function vectorCounts(database: Sqlite.Database): DatabaseCheck['vectors'] {
  const fact = database.prepare("SELECT value FROM store_facts WHERE key = 'vectors.table'").get() as
    | { value: string }
    | undefined;
  const inUse = fact === undefined ? null : (JSON.parse(fact.value) as { table: string; modelId: string });
  const count = (sql: string, ...values: readonly string[]) =>
    (database.prepare(sql).get(...values) as { rows: number }).rows;
  const current = `SELECT COUNT(*) AS rows FROM vectors v
    JOIN searchables s ON s.kind = v.kind AND s.thing_id = v.thing_id AND s.rev = v.rev`;
  return {
    stored: inUse === null ? count(current) : count(`${current} WHERE v.model_id = ?`, inUse.modelId),
    pending: count('SELECT COUNT(*) AS rows FROM outbox'),
    table: inUse?.table ?? null,
  };
}
