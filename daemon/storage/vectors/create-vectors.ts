// Two ways to search the same vectors. Up to `exactLimit` rows the reader worker holds them all and compares each: recall 1, and at
// 100,000 rows as fast as a graph index. Above it LanceDB names candidates, and the worker holds only what LanceDB does not have yet.
// A change is told to the worker in the tick of its commit, so that the very next search sees it; LanceDB follows by the outbox.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { createLanceClient, type StartProcess } from '../lance/lance-client.ts';
import type { VectorModel } from '../lance/lance-facts.ts';
import { createLanceStore, type LanceStore } from '../lance/lance-store.ts';
import type { ObjectStore } from '../lance/object-store.ts';
import { createSharedLanceStore, type SharedLanceStore } from '../lance/shared-lance-store.ts';
import type { OutboxKey } from '../outbox.ts';
import type { Reader } from '../reader.ts';
import type { NoiseLevel, ThingKey, VectorHit } from '../search-types.ts';
import type { Database } from '../sqlite.ts';
import type { VectorIndex, VectorSearch } from '../vectors.ts';

export type VectorsDeps = {
  readonly database: Database;
  readonly reader: Reader;
  /** LanceDB's folder; made when first needed. */
  readonly folder: string;
  /** The active model: asked anew for each change of the table. */
  readonly model: () => VectorModel;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Setting `vectors.exact_limit`: rows up to which the search is exact; 0 for LanceDB always. */
  readonly exactLimit?: number;
  /** Limit of one call of LanceDB; it is given up and the process ended after that. */
  readonly timeoutMs?: number;
  /** How LanceDB's process is made; tests pass their own to get hold of it. */
  readonly startProcess?: StartProcess;
  /** The table is a team's, in a bucket. */
  readonly shared?: { readonly bucket: ObjectStore; readonly isLeading: () => boolean };
};

export const defaultExactLimit = 100_000;

/** Quiet time before a flush. Where the search is exact nobody waits for LanceDB, and each start of its process costs .3 s of CPU. */
const flushDelayMs = { lance: 200, exact: 15_000 };
/** A flush is not put off for longer than this. */
const flushLatestMs = { lance: 2_000, exact: 60_000 };
/** How long LanceDB's process is kept without work. */
const idleMs = { lance: 600_000, exact: 20_000 };
/** How long searches wait for LanceDB to be ready, from the first that wants it; whoever comes later is served exactly at once. */
const readyWaitMs = 2_000;
/** A table of up to this many rows is rewritten within a purge (.3 s at 10,000). */
const eraseAtOnceRows = 10_000;
/** How often a team's daemon looks for what another has written to the table, and whether a bucket that was away is back. */
const tickMs = 1_000;

export function createVectors(deps: VectorsDeps): VectorIndex {
  const { reader, exactLimit = defaultExactLimit } = deps;
  const { folder, logger, shared } = deps;
  const client = createLanceClient({
    place: shared?.bucket.url ?? folder,
    env: shared?.bucket.env,
    logger,
    idleMs: () => idleMs[mode()],
    timeoutMs: deps.timeoutMs ?? 30_000,
    startProcess: deps.startProcess,
  });
  const searches = new Set<Promise<unknown>>();
  let ticking: NodeJS.Timeout | undefined;
  let rows: number | null = null;
  const store: LanceStore = shared === undefined ? ownStore() : sharedStore(shared.isLeading);
  let prepared: Promise<boolean> | null = null;
  let isPrepared = false;
  let waitUntilMs: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  let waitingSinceMs: number | null = null;
  let closed = false;

  function ownStore(): LanceStore {
    return createLanceStore({ ...deps, client, beforeClear: searchesEnded, afterClear: forget });
  }

  function sharedStore(isLeading: () => boolean): LanceStore {
    const made: SharedLanceStore = createSharedLanceStore({
      ...deps,
      client,
      nowMs: deps.clock.now,
      isLeading,
      searchesEnded,
      forget,
      eraseAtOnceRows,
    });
    const tick = () =>
      void made
        .tick()
        .catch((error: unknown) => logger.debug({ err: error }, 'the shared vector table was not looked at'));
    ticking = setInterval(tick, tickMs).unref();
    return made;
  }

  /** A search that began before a write may not see it, so the fresh copy stays until that search has ended. */
  async function searchesEnded(): Promise<void> {
    await Promise.allSettled([...searches]);
  }

  async function forget(keys: readonly OutboxKey[]): Promise<void> {
    if (isLarge()) await reader.ask('forgetFlushed', { modelId: deps.model().modelId, keys });
  }

  function isLarge(): boolean {
    return exactLimit === 0 || (rows ?? 0) > exactLimit;
  }

  function mode(): 'lance' | 'exact' {
    return isLarge() ? 'lance' : 'exact';
  }

  function scheduleFlush(): void {
    if (closed) return;
    const nowMs = performance.now();
    waitingSinceMs ??= nowMs;
    const delayMs = Math.min(flushDelayMs[mode()], waitingSinceMs + flushLatestMs[mode()] - nowMs);
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(
      () => {
        timer = null;
        waitingSinceMs = null;
        // the outbox keeps what could not be written
        store.flush().catch((error: unknown) => logger.warn({ err: error }, 'vectors wait in the outbox'));
      },
      Math.max(0, delayMs),
    );
    timer.unref();
  }

  /** Whether LanceDB serves this search. Getting it ready begins with the first search that wants it. */
  async function isServedByLance(modelId: string): Promise<boolean> {
    if (modelId !== deps.model().modelId) return false;
    rows ??= (await reader.ask('countVectors', { modelId })).rows;
    if (!isLarge()) return false;
    if (isPrepared) return true;
    prepared ??= store.prepare().then(
      () => {
        isPrepared = true;
        return true;
      },
      (error: unknown) => {
        logger.warn({ err: error }, 'LanceDB is not ready: the search is exact');
        prepared = null;
        waitUntilMs = null;
        return false;
      },
    );
    waitUntilMs ??= performance.now() + readyWaitMs;
    const leftMs = waitUntilMs - performance.now();
    // an index of 100,000 rows takes a quarter of a minute to build: that long nobody waits again and again
    return leftMs > 0 && Promise.race([prepared, waitUnheld(leftMs).then(() => false)]);
  }

  async function find(request: VectorSearch): Promise<{ hits: VectorHit[]; noise: NoiseLevel }> {
    const { modelId, filter, limit } = request;
    const own = { vector: ownBuffer(request.vector), modelId, filter, limit };
    const { hits, noise } = await serve(own, (candidates) =>
      candidates === null ? reader.ask('vectorCandidates', own) : reader.ask('rankCandidates', { ...own, candidates }),
    );
    return { hits, noise };
  }

  const serve: VectorIndex['serve'] = async (request, ask) => {
    if (await isServedByLance(request.modelId)) {
      const found = await tracked(serveByLance(request, ask));
      if (found !== null) return found;
    }
    const found = await ask(null);
    if (request.modelId === deps.model().modelId && found.held !== null) rows = found.held;
    return found;
  };

  async function serveByLance<Answer>(
    { vector, filter, limit }: VectorSearch,
    ask: (candidates: readonly ThingKey[]) => Promise<Answer>,
  ): Promise<Answer | null> {
    const candidates = await store.search(vector, filter, limit);
    return candidates === null ? null : ask(candidates);
  }

  function tracked<T>(search: Promise<T>): Promise<T> {
    searches.add(search);
    const done = () => searches.delete(search);
    search.then(done, done);
    return search;
  }

  return {
    publish(changes) {
      reader.publish(changes);
      scheduleFlush();
    },
    search: find,
    serve,
    async cosines(vector, modelId, things: readonly ThingKey[]) {
      return (await reader.ask('cosines', { vector: ownBuffer(vector), modelId, things })).cosines;
    },
    flush: () => store.flush(),
    reconcile: () => store.reconcile(),
    async optimise() {
      const bytesBefore = await store.bytes();
      rows = (await reader.ask('countVectors', { modelId: deps.model().modelId })).rows;
      await store.optimise({ index: isLarge() });
      return { bytesBefore, bytesAfter: await store.bytes() };
    },
    modelChanged() {
      rows = null;
      prepared = null;
      isPrepared = false;
      scheduleFlush();
    },
    changedElsewhere() {
      if (shared?.isLeading() === true) scheduleFlush();
    },
    erase: () => store.erase({ atMostRows: eraseAtOnceRows }),
    async stats() {
      const counted = await reader.ask('countVectors', { modelId: deps.model().modelId });
      const servedBy = isLarge() && isPrepared && store.trouble() === null ? 'lance' : 'exact';
      return { ...counted, bytes: await store.bytes(), servedBy };
    },
    state() {
      const why = store.trouble();
      return why === null ? { status: 'ok' } : { status: 'degraded', why };
    },
    async close() {
      closed = true;
      clearInterval(ticking);
      if (timer !== null) clearTimeout(timer);
      await client.close();
      await store.settled();
    },
  };
}

/** A vector that shares its buffer with others would take them all along to another thread. */
function ownBuffer(vector: Float32Array): Float32Array {
  return vector.byteLength === vector.buffer.byteLength ? vector : vector.slice();
}

function waitUnheld(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
