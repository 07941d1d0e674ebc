import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Db, Trx } from '#daemon/storage/sqlite.ts';

/** What a project's things do when it is merged into another, or ends (`intoId` null). */
export type Leaving = {
  readonly fromId: number;
  readonly intoId: number | null;
  readonly userId: number;
  readonly nowMs: number;
  /** Whether what cannot be without a project may be erased with it; else its room refuses with `conflict`. */
  readonly erasePlans: boolean;
};

/** A room above that has things in projects. */
export type ProjectFollower = {
  /** Moves them in the transaction, and answers what to publish after the commit. */
  readonly follow: (trx: Trx, leaving: Leaving) => Promise<readonly VectorChange[]>;
  /** Throws `conflict` where they stand in the way; asked before anything moves. */
  readonly allow?: (db: Db, leaving: Leaving) => Promise<void>;
};
