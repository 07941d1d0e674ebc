// One daemon owns a data folder. The lock stands in the data folder, not in the run folder, because a desktop, an ssh session
// and a container may share one home and have three run folders; it is a SQLite lock because the kernel drops it on kill -9
// and a pid file outlives its process. Nothing in this process may open the lock or the database by `fs` while it is held:
// closing any descriptor of a file drops every POSIX lock that the process has on it.
import { chmodSync, lstatSync, statSync, truncateSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { LociError } from '#shared/errors.ts';

export type DataLock = {
  /** Calls `onLost` once when the file is gone or another stands in its place: two daemons could then write. */
  watch(onLost: () => void, everyMs: number): void;
  release(): void;
};

/** Takes the lock at once or answers null: another process holds it. Throws `unavailable` when the file cannot be a lock. */
export function takeDataLock(file: string): DataLock | null {
  refuseLink(file);
  const lock = lockExclusively(file);
  if (lock === null) return null;
  chmodSync(file, 0o600);
  const taken = statSync(file);
  let timer: NodeJS.Timeout | null = null;

  return {
    watch(onLost, everyMs) {
      timer = setInterval(() => {
        const now = statSync(file, { throwIfNoEntry: false });
        if (now !== undefined && now.ino === taken.ino && now.dev === taken.dev) return;
        if (timer !== null) clearInterval(timer);
        onLost();
      }, everyMs);
      timer.unref();
    },
    release() {
      if (timer !== null) clearInterval(timer);
      lock.close();
    },
  };
}

function lockExclusively(file: string): Sqlite.Database | null {
  try {
    return beginExclusive(file);
  } catch (error) {
    const code = error instanceof Sqlite.SqliteError ? error.code : null;
    if (code?.startsWith('SQLITE_BUSY') === true) return null;
    if (code !== 'SQLITE_NOTADB') throw cannotLock(file, code);
  }
  // Something else was written into it (an editor, a pid). Emptied in place it is a lock again, and stays the same file for
  // a starter who does this at the same instant. This process holds no lock yet that closing it could drop.
  truncateSync(file);
  try {
    return beginExclusive(file);
  } catch (error) {
    const code = error instanceof Sqlite.SqliteError ? error.code : null;
    if (code?.startsWith('SQLITE_BUSY') === true) return null;
    throw cannotLock(file, code);
  }
}

function beginExclusive(file: string): Sqlite.Database {
  const lock = new Sqlite(file, { timeout: 0 });
  try {
    lock.pragma('journal_mode = MEMORY'); // nothing is ever written: no journal file beside it, open to all
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

function refuseLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new LociError('unavailable', `The lock ${file} is a symbolic link; remove it and start again.`);
}

function cannotLock(file: string, code: string | null): LociError {
  return new LociError(
    'unavailable',
    `The lock ${file} cannot be taken (${code ?? 'unknown error'}); check its folder.`,
  );
}
