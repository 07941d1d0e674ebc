// Reading keeps a memory alive. Accesses are counted after the answer, in batches, so that no read waits for a write;
// a clean stop flushes what is left.

import type { Clock } from '#daemon/kernel/clock.ts';
import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import { addAccesses } from './memories.repository.ts';

export type Accesses = {
  /** Remembers that a caller was shown these memories in full. Costs nothing now. */
  count(ids: readonly number[], context: CallContext): void;
  /** Writes what was counted; answers how many memories it touched. Jobs and the stop of the daemon call it. */
  flush(): Promise<number>;
  stop(): Promise<void>;
};

/** Rows of one small transaction, so that a save never waits long behind it. */
const batchSize = 100;

export function createAccesses(deps: {
  database: Database;
  clock: Clock;
  logger: Logger;
  flushEveryMs?: number;
}): Accesses {
  const counted = new Map<number, { count: number; lastMs: number }>();
  let timer: NodeJS.Timeout | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const flushEveryMs = deps.flushEveryMs ?? 5_000;

  return { count, flush, stop };

  function count(ids: readonly number[]): void {
    const nowMs = deps.clock.now();
    for (const id of ids) counted.set(id, { count: (counted.get(id)?.count ?? 0) + 1, lastMs: nowMs });
    if (ids.length > 0 && timer === null) {
      timer = setTimeout(
        () => void flush().catch((error) => deps.logger.warn({ err: error }, 'accesses not counted yet')),
        flushEveryMs,
      );
      timer.unref();
    }
  }

  /** One after the other: who asks while a batch is under way hears when that one is written too. */
  function flush(): Promise<number> {
    const turn = last.then(flushCounted);
    last = turn.catch(() => undefined);
    return turn;
  }

  async function flushCounted(): Promise<number> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    let flushed = 0;
    while (counted.size > 0) {
      const batch = [...counted]
        .slice(0, batchSize)
        .map(([id, { count: accesses, lastMs }]) => ({ id, count: accesses, lastMs }));
      for (const { id } of batch) counted.delete(id);
      try {
        await deps.database.write(internalContext, (trx) => addAccesses(trx, batch));
      } catch (error) {
        for (const { id, count: accesses, lastMs } of batch) {
          counted.set(id, {
            count: accesses + (counted.get(id)?.count ?? 0),
            lastMs: Math.max(lastMs, counted.get(id)?.lastMs ?? 0),
          });
        }
        throw error;
      }
      flushed += batch.length;
      // SQLite answers at once, so without this the batches would be one long turn of the event loop
      await new Promise((resolve) => setImmediate(resolve));
    }
    return flushed;
  }

  async function stop(): Promise<void> {
    await flush();
  }
}
