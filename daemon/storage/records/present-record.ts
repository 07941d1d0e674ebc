// What an import finds here, asked on the writing connection: inside a transaction it sees what the transaction has written.
import type Sqlite from 'better-sqlite3';
import type { Database, SqliteDatabase } from '../sqlite.ts';
import type { ExportRecord } from './fields.ts';
import type { RowKind } from './kinds.ts';
import { ownerOf, recordByUid } from './read-record.ts';

/** The user's thing of a uid as a record, with its id; null where there is none. */
export function presentRecord(
  database: Database,
  kind: RowKind,
  uid: string,
  userId: number,
): { readonly id: number; readonly record: ExportRecord } | null {
  return recordByUid(rawOf(database), kind, uid, userId);
}

/** The id of the user's thing of a uid, or null. */
export function idOfUid(database: Database, kind: RowKind, uid: string, userId: number): number | null {
  const owner = ownerOf(rawOf(database), kind, uid);
  return owner?.userId === userId ? owner.id : null;
}

/** An import is refused before it begins where the store is no file (daemon/transfer/imports.ts). */
function rawOf(database: Database): Sqlite.Database {
  return (database as SqliteDatabase).raw;
}
