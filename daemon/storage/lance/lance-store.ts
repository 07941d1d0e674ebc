// The LanceDB side of the vector index, seen from the daemon. It is derived data: whatever goes wrong with it, the folder is set aside and
// built again from the blobs in SQLite, while an exact search serves. Changes of the table run one after the other, so that a
// compaction never meets an upsert (LanceDB would refuse one of the two); searches run beside them.
import { mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Clock } from '#daemon/kernel/clock.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { LociError } from '#shared/errors.ts';
import { folderBytes } from '../folder-bytes.ts';
import { inSmallTransactions } from '../in-small-transactions.ts';
import { allEntries, clearEntries, enqueue, nextEntries, type OutboxEntry } from '../outbox.ts';
import type { Reader, ReaderQueries } from '../reader.ts';
import type { ScopeFilter, ThingKey } from '../search-types.ts';
import type { Database } from '../sqlite.ts';
import { drainOutbox } from './drain-outbox.ts';
import { type LanceClient, LanceFailure } from './lance-client.ts';
import { type Differences, findDifferences } from './lance-differences.ts';
import {
  clearErasure,
  isErasureMarked,
  markErasure,
  readTableFact,
  type TableFact,
  type VectorModel,
  writeTableFact,
} from './lance-facts.ts';
import { keptVersionsMs } from './lance-messages.ts';

export type LanceStoreDeps = {
  readonly database: Database;
  readonly reader: Reader;
  readonly client: LanceClient;
  readonly folder: string;
  /** The model whose vectors the table holds. */
  readonly model: () => VectorModel;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with what has been written, before it leaves the outbox. */
  readonly beforeClear: () => Promise<void>;
  /** Called after that. */
  readonly afterClear: (entries: readonly OutboxEntry[]) => Promise<void>;
};

export type LanceStore = {
  /** Makes the table ready to serve: flushed, and indexed where it is large. */
  prepare(): Promise<void>;
  /** Things near to a vector, or null while LanceDB cannot say. */
  search(vector: Float32Array, filter: ScopeFilter, limit: number): Promise<ThingKey[] | null>;
  flush(): Promise<number>;
  reconcile(): Promise<{ missing: number; stale: number; orphans: number }>;
  optimise(options: { readonly index: boolean }): Promise<void>;
  erase(options: { readonly atMostRows: number }): Promise<void>;
  bytes(): Promise<number>;
  /** Why LanceDB does not serve at present, or null. */
  trouble(): string | null;
  /** Resolves when nothing is being changed. */
  settled(): Promise<void>;
};

type PageAnswer = ReaderQueries['vectorPage'][1];

/** 3 MB of vectors: more would hold up the main thread as it passes them on. */
const pageRows = 2_000;
/** Batches between two compactions; more where one takes long, as it does with a large graph index (13 s at 100,000 rows). */
const batchesBetween = { least: 100, most: 1_000, perMs: 0.1 };
/** A folder that could not be built again is left alone for this long. */
const retryMs = 60_000;

export function createLanceStore(deps: LanceStoreDeps): LanceStore {
  const { database, client, clock, logger } = deps;
  let opened: TableFact | null = null;
  let trouble: string | null = null;
  let retryAtMs = 0;
  let batches = 0;
  let compactionMs = 0;
  let indexed = false;
  const aside = `${deps.folder}.aside`;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs changes of the table in turn. */
  function inTurn<T>(change: () => Promise<T>): Promise<T> {
    const run = last.then(change, change);
    last = run.catch(() => undefined);
    return run;
  }

  /** Runs a change; when LanceDB refuses, builds everything anew and runs it once more. */
  async function withRecovery<T>(change: (fact: TableFact) => Promise<T>): Promise<T> {
    try {
      return await attempt(change);
    } catch (error) {
      if (!(error instanceof LanceFailure)) throw error;
      await recover(error);
      return attempt(change);
    }
  }

  async function attempt<T>(change: (fact: TableFact) => Promise<T>): Promise<T> {
    try {
      const done = await change(await ready());
      trouble = null;
      return done;
    } catch (error) {
      trouble = error instanceof LociError ? error.message : 'The vector index failed.';
      throw error;
    }
  }

  /** The table of the present model, opened, or built where there is none. */
  async function ready(): Promise<TableFact> {
    const model = deps.model();
    const isCurrent = (fact: TableFact | null): fact is TableFact =>
      fact?.modelId === model.modelId && fact.dimensions === model.dimensions;
    if (isCurrent(opened)) return opened;
    if (clock.now() < retryAtMs) throw new LociError('unavailable', 'The vector index is being repaired.');
    makeFolder();
    const fact = await readTableFact(database.db);
    if (!isCurrent(fact)) return build(fact);
    const found = await client.ask('open', { table: fact.table });
    if (!found.exists) return build(fact);
    opened = fact;
    indexed = found.indexed;
    return fact;
  }

  function makeFolder(): void {
    try {
      mkdirSync(deps.folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new LanceFailure(`no folder: ${String(error)}`);
    }
  }

  /** A new table from the blobs in SQLite; the old one, with whatever was erased, is dropped when the new one is whole. */
  async function build(old: TableFact | null): Promise<TableFact> {
    const { modelId, dimensions } = deps.model();
    const table = `vectors_${Number(old?.table.split('_')[1] ?? 0) + 1}`;
    const covered = await allEntries(database.db);
    await client.ask('create', { table, dimensions });
    for (let after: number | null = 0; after !== null; ) {
      const page: PageAnswer = await deps.reader.ask('vectorPage', { modelId, dimensions, after, limit: pageRows });
      await client.ask('append', { table, dimensions, rows: page.rows, vectors: page.vectors });
      after = page.next;
    }
    const fact = { table, modelId, dimensions };
    await database.write(internalContext, (trx) => writeTableFact(trx, fact));
    opened = fact;
    indexed = false;
    await deps.beforeClear();
    await inSmallTransactions(database, covered, clearEntries);
    await deps.afterClear(covered);
    await client.ask('keepOnly', { table });
    return fact;
  }

  /** Sets the folder aside and builds it again; not more often than once a minute while that does not work. */
  async function recover(cause: LanceFailure): Promise<void> {
    opened = null;
    trouble = 'The vector index was damaged and is being built again; searches are exact meanwhile.';
    logger.error({ err: cause }, trouble);
    if (clock.now() < retryAtMs) throw new LociError('unavailable', trouble);
    await client.release();
    await dropAside();
    await rename(deps.folder, aside).catch(() => undefined);
    try {
      makeFolder();
      await build(await readTableFact(database.db));
      await dropAside();
    } catch (error) {
      retryAtMs = clock.now() + retryMs;
      if (!(error instanceof LanceFailure)) throw error;
      logger.error({ err: error }, 'the vector index could not be built again');
      throw new LociError('unavailable', trouble);
    }
  }

  /** Several searches may fail at once, and a later one when the table is already another. */
  async function recoverFrom(used: TableFact, cause: LanceFailure): Promise<void> {
    if (opened === used) await recover(cause);
    trouble = null;
  }

  /** Kept while the new folder is built, in case a person wants to look; not longer, because it may hold what was erased. */
  function dropAside(): Promise<void> {
    return rm(aside, { recursive: true, force: true });
  }

  async function compact(fact: TableFact, index: boolean): Promise<boolean> {
    const startedAtMs = performance.now();
    const done = await client.ask('optimise', { table: fact.table, index });
    compactionMs = performance.now() - startedAtMs;
    indexed = done.indexed;
    await client.ask('keepOnly', { table: fact.table });
    await dropAside();
    batches = 0;
    return done.superseded;
  }

  async function drain(fact: TableFact): Promise<number> {
    return drainOutbox(deps, fact, async () => {
      batches += 1;
      const { least, most, perMs } = batchesBetween;
      if (batches >= Math.min(most, Math.max(least, compactionMs * perMs))) await compact(fact, false);
    });
  }

  async function isUnused(): Promise<boolean> {
    if (opened !== null || (await readTableFact(database.db)) !== null) return false;
    return (await nextEntries(database.db, 1)).length === 0;
  }

  /** Puts what differs into the outbox, and writes it. */
  async function heal(fact: TableFact): Promise<Differences> {
    await drain(fact);
    const found = await findDifferences(deps, fact);
    await inSmallTransactions(database, found.keys, (trx, part) => enqueue(trx, part, clock.now()));
    await drain(fact);
    return found;
  }

  async function rewrite(): Promise<void> {
    await build(await readTableFact(database.db));
    await dropAside();
    await database.write(internalContext, (trx) => clearErasure(trx));
  }

  return {
    prepare: () =>
      inTurn(() =>
        withRecovery(async (fact) => {
          await drain(fact);
          if (!indexed) await compact(fact, true);
        }),
      ),
    async search(vector, filter, limit) {
      const used = opened;
      if (used === null) return null;
      try {
        const { things } = await client.ask('search', { table: used.table, vector, filter, limit });
        return things;
      } catch (error) {
        if (error instanceof LanceFailure) void inTurn(() => recoverFrom(used, error)).catch(() => undefined);
        else if (error instanceof LociError) trouble = error.message;
        else throw error;
        return null;
      }
    },
    flush: () => inTurn(async () => ((await isUnused()) ? 0 : withRecovery(drain))),
    reconcile: () =>
      inTurn(async () => {
        if (await isUnused()) return { missing: 0, stale: 0, orphans: 0 };
        const { missing, stale, orphans } = await withRecovery(heal);
        return { missing, stale, orphans };
      }),
    optimise: ({ index }) =>
      inTurn(async () => {
        if (await isUnused()) return;
        if (await isErasureMarked(database.db)) await withRecovery(rewrite);
        await withRecovery(async (fact) => {
          await drain(fact);
          if (!(await compact(fact, index))) return;
          await new Promise((resolve) => setTimeout(resolve, keptVersionsMs + 100));
          await compact(fact, false);
        });
      }),
    erase: ({ atMostRows }) =>
      inTurn(async () => {
        if (opened === null && (await readTableFact(database.db)) === null) {
          await database.write(internalContext, (trx) => clearErasure(trx));
          return;
        }
        await database.write(internalContext, (trx) => markErasure(trx));
        const { rows } = await deps.reader.ask('countVectors', { modelId: deps.model().modelId });
        if (rows <= atMostRows) await withRecovery(rewrite);
      }),
    bytes: () => folderBytes(deps.folder),
    trouble: () => trouble,
    settled: async () => void (await last),
  };
}
