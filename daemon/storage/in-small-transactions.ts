import { internalContext } from '#daemon/kernel/context.ts';
import type { Database, Trx } from './sqlite.ts';

/** Rows changed at a time by work that nobody waits for: about 10 ms. */
const rowsAtATime = 250;

/**
 * Changes many rows a few at a time. SQLite answers without a turn of the event loop, so a loop of awaited queries would stop
 * everything else; here each part is followed by a turn.
 */
export async function inSmallTransactions<Item>(
  database: Database,
  items: readonly Item[],
  change: (trx: Trx, part: readonly Item[]) => Promise<unknown>,
): Promise<void> {
  for (let first = 0; first < items.length; first += rowsAtATime) {
    const part = items.slice(first, first + rowsAtATime);
    await database.write(internalContext, (trx) => change(trx, part));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
