// A connection for a thread that only asks: SQLite's own, or PostgreSQL's behind the same methods.
import Sqlite from 'better-sqlite3';
import { foldCase } from './fold-case.ts';
import { openBlockingDatabase } from './postgres/blocking-database.ts';
import type { ReaderSource } from './reader-messages.ts';
import type { ReaderDatabase } from './reader-query.ts';

/** Blocks its thread while it is asked: never for the main one. */
export function openReadOnly(source: ReaderSource): ReaderDatabase {
  if ('postgres' in source) return openBlockingDatabase(source.postgres);
  const db = new Sqlite(source.file, { readonly: true, fileMustExist: true });
  db.pragma('query_only = ON');
  db.pragma('busy_timeout = 5000');
  db.function('fold_case', { deterministic: true }, foldCase);
  return db;
}
