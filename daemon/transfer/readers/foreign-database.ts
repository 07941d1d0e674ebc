// A database of another program, read row by row. Its schema differs from version to version, so columns are taken as they are found and a
// table that is missing is an empty one. A damaged page costs the rest of its table and is told; the other tables are read all the same.
import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { LociError } from '#shared/errors.ts';

export type ForeignRow = Readonly<Record<string, unknown>>;

export type ForeignDatabase = {
  readonly has: (table: string) => boolean;
  /** Rows in the order of the table; `problem` ends it. */
  rows(table: string): Generator<{ readonly row: ForeignRow } | { readonly problem: string }>;
  close(): void;
};

const pageRows = 200;

/** Throws `invalid_input` for a file that is no database. With a write-ahead log beside it, its newest rows are read too. */
export function openForeign(path: string): ForeignDatabase {
  const { db, tables } = opened(path);
  return {
    has: (table) => tables.has(table),
    *rows(table) {
      if (!tables.has(table)) return;
      for (let after = -(2 ** 52); ; ) {
        let page: (ForeignRow & { readonly loci_rowid: number })[];
        try {
          page = db
            .prepare<[number], ForeignRow & { loci_rowid: number }>(
              `SELECT rowid AS loci_rowid, * FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ${pageRows}`,
            )
            .all(after);
        } catch {
          yield { problem: `the table ${table} cannot be read to its end: the database is damaged` };
          return;
        }
        for (const row of page) yield { row };
        const last = page.at(-1);
        if (last === undefined || page.length < pageRows) return;
        after = last.loci_rowid;
      }
    },
    close: () => db.close(),
  };
}

function opened(path: string): { readonly db: Sqlite.Database; readonly tables: ReadonlySet<string> } {
  let db: Sqlite.Database | null = null;
  try {
    // the copy is ours: with a log it is opened to be written, which folds the log in
    db = new Sqlite(
      path,
      existsSync(`${path}-wal`) ? { fileMustExist: true } : { readonly: true, fileMustExist: true },
    );
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    db.pragma('cache_size = -4000');
    const names = db
      .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .pluck()
      .all() as string[];
    return { db, tables: new Set(names) };
  } catch {
    db?.close();
    throw new LociError('invalid_input', 'The file is no SQLite database that can be read.');
  }
}
