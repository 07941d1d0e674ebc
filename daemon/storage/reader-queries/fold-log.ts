// To empty the write-ahead log, its pages are written into the database file and synced: 40 to 100 ms for the 4 MB that it usually holds.
// Done here first, without a lock, it stops neither the event loop nor whoever writes meanwhile.
import Sqlite from 'better-sqlite3';
import type { ReaderQuery } from '../reader-query.ts';

/** By a connection for the moment: the reader's own can change nothing. */
export const foldLog: ReaderQuery<'foldLog'> = ({ name }) => {
  const db = new Sqlite(name, { fileMustExist: true, timeout: 0 });
  try {
    db.pragma('wal_checkpoint(PASSIVE)');
    return null;
  } finally {
    db.close();
  }
};
