// A statement of SQLite runs to its end on the thread that asked for it: filing a text of some megabytes in the keyword index would stop
// the event loop for tenths of a second. Such writes are done by a worker thread with a connection of its own. Two connections that
// write wait for each other inside SQLite, so the worker writes only while this thread's connection is lent: whoever wants to write
// meanwhile waits in the usual queue, where the event loop goes on.
import { insideTransaction } from './guarded-dialect.ts';
import type { Database } from './sqlite.ts';

/** Runs `work`, in which another thread writes, while nobody else of this process does. Nothing of this thread's database may be awaited in it. */
export function lendWrites<T>({ db }: Pick<Database, 'db'>, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(() => insideTransaction(work));
}
