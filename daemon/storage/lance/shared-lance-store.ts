// A team's LanceDB table in a bucket, seen from one of its daemons. One daemon writes it, the one that does the upkeep: it goes through the
// outbox of the database by number, and says there how far it is; all search it. Two may hold themselves for that one while the work goes
// from one to another: LanceDB's commits and the mark on the row's id let neither lose nor double the other's rows (lance-rows.ts).
// The table is derived data. A bucket that cannot be reached changes nothing but that searches are exact and the outbox waits; a table that
// cannot be read is built again under another name, so that nobody searches half of one.
import { randomBytes } from 'node:crypto';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { LociError } from '#shared/errors.ts';
import { inSmallTransactions } from '../in-small-transactions.ts';
import { enqueue, type OutboxKey } from '../outbox.ts';
import {
  advanceSharedFact,
  entriesAfter,
  entriesBetween,
  isOfModel,
  lastEntry,
  readSharedFact,
  replaceSharedFact,
  type SharedTableFact,
} from '../postgres/shared-table-facts.ts';
import type { Reader, ReaderQueries } from '../reader.ts';
import type { ScopeFilter, ThingKey } from '../search-types.ts';
import type { Database } from '../sqlite.ts';
import { hasVectors } from '../vectors/store-model.ts';
import { createBucketAttempts, inTime } from './bucket-attempts.ts';
import { type LanceClient, LanceFailure } from './lance-client.ts';
import { findDifferences } from './lance-differences.ts';
import { clearErasure, isErasureMarked, markErasure, type VectorModel } from './lance-facts.ts';
import type { LanceStore } from './lance-store.ts';

export type SharedLanceStoreDeps = {
  readonly database: Database;
  readonly reader: Reader;
  readonly client: LanceClient;
  readonly model: () => VectorModel;
  readonly logger: Logger;
  readonly nowMs: () => number;
  /** Whether this daemon does the upkeep for all. */
  readonly isLeading: () => boolean;
  /** Resolves when the searches that are under way have ended. */
  readonly searchesEnded: () => Promise<void>;
  /** Drops what the table has from what is searched beside it. */
  readonly forget: (keys: readonly OutboxKey[]) => Promise<void>;
  /** A table of up to this many rows is rewritten as soon as something was erased. */
  readonly eraseAtOnceRows: number;
};

export type SharedLanceStore = LanceStore & {
  /** Once in a while: learns what another daemon has written, and tries again what did not work. */
  tick(): Promise<void>;
};

type PageAnswer = ReaderQueries['vectorPage'][1];

const pageRows = 2_000;
/** Things of one batch: one version of the table each. */
const batchThings = 256;
const batchesBetweenCompactions = 100;
/** Other machines may still read an old version of the table for so long. */
const keptVersionsMs = 60_000;
/** A search does not wait longer for the bucket than this, then it is exact. */
const searchWaitMs = 2_500;

export function createSharedLanceStore(deps: SharedLanceStoreDeps): SharedLanceStore {
  const { database, client, isLeading } = deps;
  let known: SharedTableFact | null = null;
  let opened: string | null = null;
  /** Searches want the table; whoever does not search it need not open it. */
  let isSearched = false;
  let indexed = false;
  let batches = 0;
  /** Everything up to these numbers has been forgotten, now and the time before: what came late is forgotten the next time. */
  let forgotten: { readonly now: number; readonly before: number } | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = last.then(work, work);
    last = run.catch(() => undefined);
    return run;
  }

  const attempts = createBucketAttempts({
    client,
    logger: deps.logger,
    isLeading,
    rebuild: async () => build(await readSharedFact(database.db)),
    closed: () => {
      opened = null;
    },
  });
  const attempt = <T>(work: (fact: SharedTableFact) => Promise<T>) => attempts.attempt(async () => work(await ready()));

  async function ready(): Promise<SharedTableFact> {
    const fact = await readSharedFact(database.db);
    if (isOfModel(fact, deps.model())) {
      known = fact;
      if (opened === fact.table) return fact;
      const found = await client.ask('open', { table: fact.table });
      if (found.exists) {
        opened = fact.table;
        indexed = found.indexed;
        return fact;
      }
    }
    if (!isLeading()) throw new LociError('unavailable', 'The vector table of the team is not there yet.');
    return build(fact);
  }

  /** A new table from the database. It takes the old one's place when it is whole, unless another daemon was faster. */
  async function build(old: SharedTableFact | null): Promise<SharedTableFact> {
    const { modelId, dimensions } = deps.model();
    const prefix = old?.prefix ?? `vectors_${randomBytes(5).toString('hex')}_`;
    const table = `${prefix}${deps.nowMs().toString(36)}_${randomBytes(3).toString('hex')}`;
    const seq = await lastEntry(database.db);
    await client.ask('create', { table, dimensions });
    for (let after: number | null = 0; after !== null; ) {
      const page: PageAnswer = await deps.reader.ask('vectorPage', { modelId, dimensions, after, limit: pageRows });
      await client.ask('append', { table, dimensions, rows: page.rows, vectors: page.vectors });
      after = page.next;
    }
    const { bytes } = await client.ask('size', { table });
    const fact = { table, prefix, modelId, dimensions, seq, bytes };
    const isOurs = await database.write(internalContext, (trx) => replaceSharedFact(trx, old, fact));
    if (!isOurs) throw new LociError('unavailable', 'Another daemon has just built the vector table of the team.');
    opened = table;
    indexed = false;
    await client.ask('keepOnly', { table, prefix });
    return (await readSharedFact(database.db)) as SharedTableFact;
  }

  /** Writes what is above the number that the table has; stops when another daemon leads or the table is another. */
  async function drain(fact: SharedTableFact): Promise<number> {
    const { table, modelId, dimensions } = fact;
    let { seq } = fact;
    let written = 0;
    while (isLeading()) {
      const entries = await entriesAfter(database.db, seq, batchThings);
      const lastSeq = entries.at(-1)?.seq;
      if (lastSeq === undefined) break;
      const { rows, vectors } = await deps.reader.ask('vectorsOf', { modelId, dimensions, things: entries });
      await client.ask('write', { table, dimensions, rows, vectors, owners: entries });
      const isInUse = await database.write(internalContext, (trx) => advanceSharedFact(trx, table, { seq: lastSeq }));
      if (!isInUse) return written;
      seq = lastSeq;
      written += entries.length;
      batches += 1;
      if (batches >= batchesBetweenCompactions) await compact(fact, false);
    }
    if (written > 0) await measure(table);
    await catchUp();
    return written;
  }

  async function measure(table: string): Promise<void> {
    const { bytes } = await client.ask('size', { table });
    await database.write(internalContext, (trx) => advanceSharedFact(trx, table, { bytes }));
  }

  async function compact({ table, prefix }: SharedTableFact, index: boolean): Promise<void> {
    indexed = (await client.ask('optimise', { table, index, keptMs: keptVersionsMs })).indexed;
    await client.ask('keepOnly', { table, prefix });
    batches = 0;
  }

  /** Forgets what the table has by now. A search that began before may not see it there, so it is waited for. */
  async function catchUp(): Promise<void> {
    const fact = await readSharedFact(database.db);
    known = fact;
    if (!isOfModel(fact, deps.model())) return;
    if (forgotten === null || fact.seq < forgotten.now) {
      forgotten = { now: fact.seq, before: fact.seq };
      return;
    }
    if (fact.seq === forgotten.before) return;
    const keys = await entriesBetween(database.db, forgotten.before, fact.seq);
    await deps.searchesEnded();
    await deps.forget(keys);
    forgotten = { now: fact.seq, before: forgotten.now };
  }

  /** The table without what was erased; the old one goes with its old versions. */
  async function rewrite(): Promise<void> {
    await build(await readSharedFact(database.db));
    await database.write(internalContext, (trx) => clearErasure(trx));
  }

  /** Also what another daemon has purged. */
  async function drainAndErase(fact: SharedTableFact): Promise<number> {
    const written = await drain(fact);
    if (!isLeading() || !(await isErasureMarked(database.db))) return written;
    const { rows } = await deps.reader.ask('countVectors', { modelId: fact.modelId });
    if (rows <= deps.eraseAtOnceRows) await rewrite();
    return written;
  }

  async function isUnused(): Promise<boolean> {
    return (await readSharedFact(database.db)) === null && !(await hasVectors(database.db));
  }

  async function heal(fact: SharedTableFact) {
    await drain(fact);
    const { keys, doubled, ...counts } = await findDifferences(deps, fact);
    if (doubled.length > 0) {
      const { table, dimensions } = fact;
      await client.ask('write', { table, dimensions, rows: [], vectors: new Float32Array(0), owners: doubled });
    }
    await inSmallTransactions(database, keys, (trx, part) => enqueue(trx, part, deps.nowMs()));
    await drain((await readSharedFact(database.db)) ?? fact);
    return { missing: counts.missing, stale: counts.stale, orphans: counts.orphans + doubled.length };
  }

  /** A search most often fails because the table has just been replaced by another. Null when that was not all. */
  async function searchAgain(used: string, ...question: Parameters<typeof nearest>): Promise<ThingKey[] | null> {
    const again = () => nearest(...question);
    if (opened === used) opened = null;
    if (opened !== null) return again().catch(() => null);
    const reopened = isLeading() ? inTurn(() => attempt(again)) : attempt(again);
    return reopened.catch(() => null);
  }

  async function nearest(vector: Float32Array, filter: ScopeFilter, limit: number): Promise<ThingKey[] | null> {
    if (opened === null) return null;
    const found = await inTime(client.ask('search', { table: opened, vector, filter, limit }), searchWaitMs);
    return found?.things ?? null;
  }

  return {
    prepare() {
      isSearched = true;
      return inTurn(() =>
        attempt(async (fact) => {
          await drain(fact);
          if (isLeading() && !indexed) await compact(fact, true);
        }),
      );
    },
    async search(vector, filter, limit) {
      const used = opened;
      if (used === null || attempts.isAway()) return null;
      try {
        return await nearest(vector, filter, limit);
      } catch (error) {
        if (!(error instanceof LanceFailure) && !(error instanceof LociError)) throw error;
        return inTime(searchAgain(used, vector, filter, limit), searchWaitMs);
      }
    },
    flush: () =>
      inTurn(async () => {
        if (!isLeading() || (await isUnused())) return 0;
        return attempt(drainAndErase);
      }),
    reconcile: () => inTurn(async () => ((await isUnused()) ? { missing: 0, stale: 0, orphans: 0 } : attempt(heal))),
    optimise: ({ index }) =>
      inTurn(async () => {
        if (!isLeading() || (await isUnused())) return;
        if (await isErasureMarked(database.db)) await attempt(rewrite);
        await attempt(async (fact) => {
          await drain(fact);
          await compact(fact, index);
          await measure(fact.table);
        });
      }),
    erase: () =>
      inTurn(async () => {
        if (await isUnused()) return;
        await database.write(internalContext, (trx) => markErasure(trx));
        if (isLeading()) await attempt(drainAndErase);
      }),
    bytes: async () => ((await readSharedFact(database.db)) ?? known)?.bytes ?? 0,
    trouble: attempts.trouble,
    settled: async () => void (await last),
    tick: () =>
      inTurn(async () => {
        if (attempts.isAway()) return;
        const isClosed = isSearched && opened === null;
        if (attempts.trouble() !== null || isClosed) await attempt(isLeading() ? drain : async () => undefined);
        else if (opened !== null && !isLeading()) await catchUp();
      }),
  };
}
