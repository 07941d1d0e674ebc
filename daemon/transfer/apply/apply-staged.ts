// The daemon's side of the second half of an import: it lends the right to write for one short transaction after the other where a thread
// has it, and publishes and announces what each has stored, as every other change is.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Events } from '#daemon/kernel/events.ts';
import { changeToEvent } from '#daemon/storage/change-log.ts';
import { lendWrites } from '#daemon/storage/lent-writes.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import type { ImportReport } from '#shared/contract/transfer.ts';
import type { Applier } from './applier.ts';
import type { ApplyDeps } from './deps.ts';

export type ApplyingDeps = ApplyDeps & {
  readonly vectors: Pick<VectorIndex, 'publish'>;
  readonly events: Events;
  readonly clock: Clock;
};

export type Applying = {
  readonly applier: Applier;
  /** Whether another thread writes; else the daemon itself does. */
  readonly isLent: boolean;
  /** Told after each transaction. */
  readonly progress: (records: number) => void;
  readonly signal: AbortSignal;
};

/** Stores everything that is staged; answers the report with its counts. Stops between two transactions when aborted. */
export async function applyStaged(
  deps: ApplyingDeps,
  { applier, isLent, progress, signal }: Applying,
): Promise<ImportReport | 'stopped'> {
  const { database, vectors, embedder, clock, events } = deps;
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => (isLent ? lendWrites(database, work) : work());
  for (let done = 0; await applier.prepare(); ) {
    if (signal.aborted) return 'stopped';
    const { records, log } = await inTurn(async () => {
      const slice = await applier.store({ nowMs: clock.now(), modelId: embedder.modelId });
      // before anybody else's change, which may be of the same things
      vectors.publish(slice.vectors);
      return slice;
    });
    for (const change of log) events.announce(changeToEvent(change));
    done += records;
    progress(done);
  }
  return applier.report();
}
