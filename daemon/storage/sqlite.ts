// The truth. One connection writes, always by `write`: its callback runs in one transaction, and when the call carries an
// idempotency key the answer is recorded in that same transaction, so that a repeated change finds it or finds nothing done.
import { chmodSync, existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { Kysely, type Transaction } from 'kysely';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { LociError } from '#shared/errors.ts';
import { recordAnswer } from './answers.ts';
import { foldCase } from './fold-case.ts';
import { guardedDialect, insideTransaction } from './guarded-dialect.ts';
import { migrate, refuseNewer } from './migrate.ts';
import { createSharedWrites, type WriteTogether } from './shared-writes.ts';
import { sqliteProblem } from './sqlite-errors.ts';
import type { Tables } from './tables/schema.ts';

export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;
/** What reads: the database, or the transaction of a write. */
export type Queries = Db | Trx;

export type Database = {
  /** For point reads; throws inside `write`. */
  readonly db: Db;
  /** For lists whose filter no index answers: the same reads, where they stop nobody (scans.ts). */
  readonly scans: Db;
  /** Runs `change` in one write transaction. Nothing but queries on `trx` may be awaited in it. Its value is the operation's answer. */
  write<T>(context: CallContext, change: (trx: Trx) => Promise<T>): Promise<T>;
  /** The same for a short change that many may ask for at once: those that wait for each other share one commit. */
  readonly writeTogether: WriteTogether;
  /** Truncates the write-ahead log, so that what was erased is not left in it; false if a reader was in the way for two seconds. */
  checkpoint(): Promise<boolean>;
  /** Whether the store answers, as far as is known without waiting. */
  isAlive(): boolean;
  close(): Promise<void>;
};

/** The database of a laptop. `raw` is for storage/ and its tests alone. */
export type SqliteDatabase = Database & { readonly raw: Sqlite.Database };

const busyTimeoutMs = 5_000;
const checkpointTurns = 40;
const checkpointPauseMs = 50;

export type OpenOptions = { readonly file: string; readonly clock: Clock };

/** Opens and migrates the database. Throws `unavailable` when it is damaged or was written by a newer version: its bytes stay as they are. */
export async function openDatabase({ file, clock }: OpenOptions): Promise<SqliteDatabase> {
  const raw = openFile(file);
  const db = new Kysely<Tables>({ dialect: guardedDialect(raw) });
  try {
    await migrate(db, raw, file);
  } catch (error) {
    raw.close();
    throw sqliteProblem(error);
  }

  return {
    db,
    scans: db, // until a reader thread is there
    raw,
    async write(context, change) {
      try {
        return await db.transaction().execute((trx) =>
          insideTransaction(async () => {
            const answer = await change(trx);
            if (context.claim !== null) await recordAnswer(trx, context.claim, answer, clock.now());
            return answer;
          }),
        );
      } catch (error) {
        throw sqliteProblem(error);
      }
    },
    writeTogether: createSharedWrites(db, clock),
    async checkpoint() {
      try {
        return await truncateLog(db, raw);
      } catch (error) {
        throw sqliteProblem(error);
      }
    },
    isAlive() {
      try {
        raw.prepare('SELECT 1').get();
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      await db.destroy();
      raw.close();
    },
  };
}

/**
 * Tried again and again instead of waiting inside SQLite, which would stop the event loop while a reader has its snapshot;
 * each time with the connection to itself, because inside another's transaction SQLite refuses.
 */
async function truncateLog(db: Db, raw: Sqlite.Database): Promise<boolean> {
  for (let turn = 0; turn < checkpointTurns && raw.open; turn += 1) {
    const isDone = await db.connection().execute(async () => {
      raw.pragma('busy_timeout = 0');
      try {
        const [state] = raw.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
        return state?.busy === 0;
      } finally {
        raw.pragma(`busy_timeout = ${busyTimeoutMs}`);
      }
    });
    if (isDone) return true;
    await new Promise((resolve) => setTimeout(resolve, checkpointPauseMs));
  }
  return false;
}

function openFile(file: string): Sqlite.Database {
  try {
    if (existsSync(file)) lookBeforeOpening(file);
    const raw = new Sqlite(file);
    chmodSync(file, 0o600);
    raw.pragma('journal_mode = WAL');
    raw.pragma('synchronous = FULL');
    raw.pragma('foreign_keys = ON');
    raw.pragma('secure_delete = ON');
    raw.pragma(`busy_timeout = ${busyTimeoutMs}`);
    raw.pragma('journal_size_limit = 67108864');
    raw.pragma('cache_size = -8000');
    raw.function('fold_case', { deterministic: true }, foldCase);
    return raw;
  } catch (error) {
    if (error instanceof LociError) throw error;
    throw sqliteProblem(error);
  }
}

/** A connection that can write folds a leftover write-ahead log into the file when it closes, even if it only looked; this one cannot. */
function lookBeforeOpening(file: string): void {
  const reader = new Sqlite(file, { readonly: true });
  try {
    refuseNewer(reader, file);
  } finally {
    reader.close();
  }
}
