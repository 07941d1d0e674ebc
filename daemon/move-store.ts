// `locid --move-store`: all memories of this machine's file into the database that `storage.url` names, or from there into a new file.
// No daemon may run meanwhile on this machine, and on the way to the team none that writes there: the copy is one transaction.
// A rehearsal does all of it and undoes it at the end, so that it cannot promise what the move would not keep.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#daemon/kernel/clock.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { takeDataLock } from '#daemon/lifecycle/data-lock.ts';
import { lockClass, type PostgresSource, withClient, writeLock } from '#daemon/storage/postgres/connection.ts';
import { postgresEnd, sqliteEnd } from '#daemon/storage/postgres/copy-ends.ts';
import { type CopyProgress, copyTables, tablesInOrder } from '#daemon/storage/postgres/copy-tables.ts';
import { openPostgres } from '#daemon/storage/postgres/open-postgres.ts';
import { postgresProblem } from '#daemon/storage/postgres/postgres-errors.ts';
import { openDatabase } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import type { LociPaths } from '#shared/paths.ts';

export type MoveOptions = {
  readonly url: string | null;
  readonly direction: 'to-team' | 'from-team';
  readonly isRehearsal: boolean;
  readonly progress: CopyProgress;
};

export type Moved = { readonly rows: number; readonly kept: boolean };

/** Throws `conflict` where the target holds memories, or a daemon runs here; `unavailable` where the database cannot be reached. */
export async function moveStore(
  paths: Pick<LociPaths, 'data' | 'lock' | 'database'>,
  { url, ...options }: MoveOptions,
): Promise<Moved> {
  if (url === null) {
    throw new LociError('invalid_input', 'Set `storage.url` (or LOCI_STORAGE_URL) to the database of the team first.');
  }
  const lock = takeDataLock(paths.lock);
  if (lock === null) throw new LociError('conflict', 'A daemon runs on this data: end it with `loci stop` first.');
  try {
    const source = { url, name: 'loci move' };
    await (await openPostgres({ source, clock: systemClock, logger: silentLogger })).close(); // brings the schema up to date
    return options.direction === 'to-team'
      ? await toTeam(paths, source, options)
      : await fromTeam(paths, source, options);
  } catch (error) {
    throw postgresProblem(error);
  } finally {
    lock.release();
  }
}

type Options = Omit<MoveOptions, 'url'>;

async function toTeam(paths: Pick<LociPaths, 'database'>, source: PostgresSource, options: Options): Promise<Moved> {
  if (!existsSync(paths.database)) throw new LociError('not_found', 'There is no store on this machine to be moved.');
  // brings its schema up to date as well
  const file = await openDatabase({ file: paths.database, clock: systemClock });
  try {
    return await withClient(source, async (client) => {
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${lockClass}, ${writeLock})`);
      const target = postgresEnd(client);
      if ((await target.figure('SELECT count(*) AS n FROM change_log')) > 0) throw notEmpty();
      for (const table of ['users', 'store_facts', 'job_runs']) await client.query(`DELETE FROM ${table}`);
      const { rows } = await copyTables(tablesInOrder(file.raw), sqliteEnd(file.raw), target, options.progress);
      await client.query(options.isRehearsal ? 'ROLLBACK' : 'COMMIT');
      return { rows, kept: !options.isRehearsal };
    });
  } finally {
    await file.close();
  }
}

async function fromTeam(
  paths: Pick<LociPaths, 'database' | 'data'>,
  source: PostgresSource,
  options: Options,
): Promise<Moved> {
  if (existsSync(paths.database)) {
    throw new LociError('conflict', 'There is a store on this machine already: move its data folder away first.');
  }
  const made = join(paths.data, '.moved.db');
  for (const end of ['', '-wal', '-shm']) rmSync(`${made}${end}`, { force: true });
  const file = await openDatabase({ file: made, clock: systemClock });
  try {
    const { rows } = await withClient(source, async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      file.raw.exec('BEGIN; DELETE FROM users');
      const copied = await copyTables(
        tablesInOrder(file.raw),
        postgresEnd(client),
        sqliteEnd(file.raw),
        options.progress,
      );
      file.raw.exec('COMMIT');
      return copied;
    });
    await file.close();
    if (!options.isRehearsal) renameSync(made, paths.database);
    return { rows, kept: !options.isRehearsal };
  } finally {
    if (file.raw.open) await file.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${made}${end}`, { force: true });
  }
}

function notEmpty(): LociError {
  return new LociError('conflict', 'The team database holds memories already: name an empty one in `storage.url`.');
}
