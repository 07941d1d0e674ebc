import type { Backups } from '#daemon/backups/index.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { Timers } from '#daemon/jobs/index.ts';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Events } from '#daemon/kernel/events.ts';
import type { AppStart } from '#daemon/lifecycle/run-daemon.ts';
import type { PageSessions } from '#daemon/page/index.ts';
import type { ModelChoice } from '#daemon/storage/vectors/store-model.ts';

/** What a store is opened with. */
export type StoreOptions = Pick<AppStart, 'paths' | 'settings' | 'logger' | 'startedAtMs' | 'env'> & {
  readonly clock: Clock;
  readonly events: Events;
  readonly port: () => number | null;
  /** The same that HTTP asks; a store that nothing serves needs none. */
  readonly pageSessions?: PageSessions;
  readonly backups: Backups;
  /** Another daemon has put another store in the place of this one: it is to be closed and opened anew. */
  readonly replaced?: () => void;
  /** Tests bring the embedder that the settings choose, and those of other choices. */
  readonly embedder?: Embedder;
  readonly models?: (choice: ModelChoice) => Embedder | undefined;
  /** Tests pass months in seconds. */
  readonly timers?: Timers;
};
