// From the outbox to LanceDB. A batch is read again from SQLite as it is now, so an entry whose thing changed meanwhile writes the newer
// state, and one that was repeated after a crash writes the same state twice.
import { internalContext } from '#daemon/kernel/context.ts';
import { clearEntries, nextEntries, type OutboxEntry } from '../outbox.ts';
import type { Reader } from '../reader.ts';
import type { Database } from '../sqlite.ts';
import type { LanceClient } from './lance-client.ts';
import type { TableFact } from './lance-facts.ts';

/** Things of one batch: one version of the table each. */
const batchThings = 64;

export type DrainDeps = {
  readonly database: Database;
  readonly reader: Reader;
  readonly client: LanceClient;
  readonly beforeClear: () => Promise<void>;
  readonly afterClear: (entries: readonly OutboxEntry[]) => Promise<void>;
};

/** Writes entries until none is left; `afterBatch` runs after each batch. Answers how many things. */
export async function drainOutbox(deps: DrainDeps, fact: TableFact, afterBatch: () => Promise<void>): Promise<number> {
  const { modelId, dimensions, table } = fact;
  let written = 0;
  for (;;) {
    const entries = await nextEntries(deps.database.db, batchThings);
    if (entries.length === 0) return written;
    const { rows, vectors } = await deps.reader.ask('vectorsOf', { modelId, dimensions, things: entries });
    await deps.client.ask('write', { table, dimensions, rows, vectors, owners: entries });
    await deps.beforeClear();
    await deps.database.write(internalContext, (trx) => clearEntries(trx, entries));
    await deps.afterClear(entries);
    written += entries.length;
    await afterBatch();
  }
}
