import type { Clock } from '#daemon/kernel/clock.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { TeamDatabase } from '#daemon/storage/postgres/dump.ts';
import type { RunTask } from './in-thread.ts';
import type { Retention } from './retention.ts';

/** What this room needs. It works beside the store, so that it can also help where that cannot be opened. */
export type BackupDeps = {
  readonly files: {
    readonly database: string;
    /** The folder of the database, where a restored one is put together: the swap is one rename. */
    readonly data: string;
    /** LanceDB's folder: derived data, dropped with the database that it was derived from. */
    readonly vectors: string;
    /** Where the archives are. */
    readonly backups: string;
  };
  /** The database of a team, which is backed up in place of the file; unset where there is none. */
  readonly team?: TeamDatabase | undefined;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly exchange: Exchange;
  readonly runTask: RunTask;
  /** Bytes that are free where a folder is; asked of the file system unless given. */
  readonly freeBytes?: (folder: string) => number;
  /** Indexes and embeds the words of memories again, once the store is open. */
  readonly refile: (memories: readonly { readonly userId: number; readonly id: number }[]) => Promise<void>;
};

/**
 * Replaces the store under the running daemon: refuses changes, waits for those under way, calls `whileQuiet`; then closes the store,
 * calls `whileClosed`, and opens it again. Where it cannot be opened then, `undo` is called and the former store opened again.
 */
export type Exchange = (steps: {
  readonly whileQuiet: () => Promise<void>;
  readonly whileClosed: () => Promise<void>;
  readonly undo: () => Promise<void>;
}) => Promise<void>;
