// A copy of the database that is one moment of it, made while others write: `VACUUM INTO` reads one snapshot and holds up nobody.
// Synchronous and slow by nature, so for a thread of its own. The copy is another file: once its connections are closed it may be read
// by `fs`, which the database itself never may (closing any descriptor of it would drop the daemon's locks).
import { chmodSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { LociError } from '#shared/errors.ts';
import { vectorTableFacts } from './lance/lance-facts.ts';
import { schemaVersion } from './migrate.ts';
import { sqliteProblem } from './sqlite-errors.ts';

export type DatabaseFacts = { readonly schema: number; readonly memories: number };

/** Writes the database as it is now to `target`, which must not exist. Throws `unavailable` where it cannot be read. */
export function takeSnapshot(database: string, target: string): void {
  try {
    reading(database, (db) => {
      db.pragma('busy_timeout = 5000');
      db.prepare('VACUUM INTO ?').run(target);
    });
    chmodSync(target, 0o600);
  } catch (error) {
    throw sqliteProblem(error);
  }
}

/** Reads every page and index of a database file that nobody else has open. Throws `conflict` with the first fault. */
export function checkDatabase(file: string): DatabaseFacts {
  try {
    return reading(file, (db) => {
      const fault = firstFault(db);
      if (fault !== null) throw damaged(fault);
      return readFacts(db);
    });
  } catch (error) {
    if (error instanceof LociError) throw error;
    throw damaged((error as { code?: string }).code ?? 'it cannot be read');
  }
}

/**
 * The first fault of a database that may be open elsewhere, or null: every page and index of it, and whether the keyword index agrees with
 * its rows (asked of `copy`, a path for a snapshot, because asking is a write).
 */
export function faultOfDatabase(database: string, copy: string): string | null {
  try {
    const fault = reading(database, firstFault);
    if (fault !== null) return fault;
    takeSnapshot(database, copy);
    const snapshot = new Sqlite(copy, { fileMustExist: true });
    try {
      snapshot.exec(`INSERT INTO search_words(search_words, rank) VALUES ('integrity-check', 1)`);
    } finally {
      snapshot.close();
    }
    return null;
  } catch (error) {
    const { code, details } = error as { code?: string; details?: { cause?: string } };
    return details?.cause ?? code ?? 'it cannot be read';
  }
}

/** Whether a database that nobody has open was written by an older version; counts nothing, because each start asks. */
export function isOlder(file: string): boolean {
  try {
    const schema = reading(file, (db) => db.pragma('user_version', { simple: true }) as number);
    return schema > 0 && schema < schemaVersion;
  } catch {
    return false; // whoever opens it next says why
  }
}

/** What is in a database that may be open elsewhere; null where there is none yet or it cannot be told. */
export function lookInto(file: string): DatabaseFacts | null {
  try {
    return reading(file, readFacts);
  } catch {
    return null;
  }
}

/** Makes a restored copy fit for this data folder: its facts about LanceDB's folder were about another one. */
export function forgetVectorTable(file: string): void {
  const db = new Sqlite(file, { fileMustExist: true });
  try {
    const forget = db.prepare('DELETE FROM store_facts WHERE key = ?');
    for (const key of vectorTableFacts) forget.run(key);
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/**
 * What `use` reads of a file. With 2 MB of pages instead of SQLite's usual 16: a whole file that is read once is read no faster with more, and the
 * daemon keeps for good some of what its threads once took.
 */
function reading<T>(file: string, use: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    db.pragma('cache_size = -2000');
    return use(db);
  } finally {
    db.close();
  }
}

function firstFault(db: Sqlite.Database): string | null {
  const [fault] = db.pragma('integrity_check(1)') as { integrity_check: string }[];
  return fault?.integrity_check === 'ok' ? null : (fault?.integrity_check ?? 'no answer');
}

function readFacts(db: Sqlite.Database): DatabaseFacts {
  const schema = db.pragma('user_version', { simple: true }) as number;
  if (schema > schemaVersion) {
    throw new LociError(
      'conflict',
      `It was made by a newer version of Loci (schema ${schema}, this one knows ${schemaVersion}): update Loci.`,
      { found: schema, known: schemaVersion },
    );
  }
  const hasMemories = db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'memories'`).get();
  if (hasMemories === undefined) return { schema, memories: 0 };
  const { n } = db.prepare('SELECT count(*) AS n FROM memories').get() as { n: number };
  return { schema, memories: n };
}

function damaged(why: string): LociError {
  return new LociError('conflict', `The database in it is damaged: ${why}.`);
}
