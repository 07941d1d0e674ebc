// Work on many memories that nobody waits for. SQLite answers in the same tick, so a transaction of thousands of rows would
// stop every other call until it ends: each takes what fits into a few milliseconds, and the loop is free in between.
import type { CallContext } from '#daemon/kernel/context.ts';
import type { ChangeRow } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { commitChanges } from './commit.ts';
import type { MemoryDeps } from './deps.ts';

export type Done = { readonly vectors: readonly VectorChange[]; readonly log: readonly ChangeRow[] };

const maxRows = 500;
const sliceMs = 8;

/** Changes each item in turn; `change` answers null for one that it left alone. Answers the items that were changed. Rejects once `signal` aborts. */
export async function inSmallTransactions<Item>(
  deps: MemoryDeps,
  items: readonly Item[],
  change: (trx: Trx, item: Item, context: CallContext) => Promise<Done | null>,
  { context, signal }: { context: CallContext; signal: AbortSignal },
): Promise<Item[]> {
  const unclaimed = withoutClaim(context);
  const changed: Item[] = [];
  for (let next = 0; next < items.length; ) {
    signal.throwIfAborted();
    const startedMs = performance.now();
    const step = await commitChanges(deps, unclaimed, async (trx) => {
      const vectors: VectorChange[] = [];
      const log: ChangeRow[] = [];
      const done: Item[] = [];
      let taken = 0;
      for (const item of items.slice(next, next + maxRows)) {
        if (taken > 0 && performance.now() - startedMs > sliceMs) break;
        const result = await change(trx, item, unclaimed);
        taken += 1;
        if (result === null) continue;
        vectors.push(...result.vectors);
        log.push(...result.log);
        done.push(item);
      }
      return { answer: { taken, done }, vectors, log };
    });
    if (step === 'look again') throw new Error('work in small transactions never looks again');
    changed.push(...step.done);
    next += step.taken;
    await nextTurn();
  }
  return changed;
}

/** Lets whatever waits go ahead. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The same caller for one transaction of several: the answer under its idempotency key is recorded when all are done. */
export function withoutClaim(context: CallContext): CallContext {
  return context.claim === null ? context : { ...context, claim: null };
}
