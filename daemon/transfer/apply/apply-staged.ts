// The daemon's side of the second half of an import: it lends the import's thread the right to write for one short transaction after the
// other, and publishes and announces what each has stored, as every other change is.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Events } from '#daemon/kernel/events.ts';
import { changeToEvent } from '#daemon/storage/change-log.ts';
import { lendWrites } from '#daemon/storage/lent-writes.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import type { ImportReport } from '#shared/contract/transfer.ts';
import type { StagingThread } from '../staging-thread.ts';
import type { ApplyDeps } from './deps.ts';

export type ApplyingDeps = ApplyDeps & {
  readonly vectors: Pick<VectorIndex, 'publish'>;
  readonly events: Events;
  readonly clock: Clock;
};

export type Applying = {
  /** Opened on what is staged. */
  readonly thread: Pick<StagingThread, 'prepare' | 'store' | 'report'>;
  /** Told after each transaction. */
  readonly progress: (records: number) => void;
  readonly signal: AbortSignal;
};

/** Stores everything that is staged; answers the report with its counts. Stops between two transactions when aborted. */
export async function applyStaged(
  deps: ApplyingDeps,
  { thread, progress, signal }: Applying,
): Promise<ImportReport | 'stopped'> {
  const { database, vectors, embedder, clock, events } = deps;
  for (let done = 0; await thread.prepare(); ) {
    if (signal.aborted) return 'stopped';
    const { records, log } = await lendWrites(database, async () => {
      const slice = await thread.store({ nowMs: clock.now(), modelId: embedder.modelId });
      // before anybody else's change, which may be of the same things
      vectors.publish(slice.vectors);
      return slice;
    });
    for (const change of log) events.announce(changeToEvent(change));
    done += records;
    progress(done);
  }
  return thread.report();
}
