// Lets calls through to the store, and holds them back while the store is exchanged for another. A change that comes meanwhile is refused
// at once, as something to try again: were it let wait, it would be done to a store that its caller has not seen. A read waits.
import type { Exchange } from '#daemon/backups/index.ts';
import { LociError } from '#shared/errors.ts';

export type StoreGate = {
  /** Runs a call. Rejects with `unavailable` for a change while the store is exchanged. */
  pass<T>(isRead: boolean, call: () => Promise<T>): Promise<T>;
  readonly exchange: Exchange;
  /** Whether the store is closed for an exchange. */
  isClosed(): boolean;
  /** Resolves when no exchange is under way. */
  settled(): Promise<void>;
};

export type StoreGateDeps = {
  readonly close: () => Promise<void>;
  readonly open: () => Promise<unknown>;
};

/** How long changes under way may take before an exchange is given up, and reads before it goes on without them. */
const changesWaitMs = 30_000;
const readsWaitMs = 5_000;
/** How long a read waits for the store to be back. */
const readPatienceMs = 25_000;

export function createStoreGate(deps: StoreGateDeps): StoreGate {
  const underWay = { changes: new Set<Promise<unknown>>(), reads: new Set<Promise<unknown>>() };
  let exchange: Promise<void> | null = null;
  let isClosed = false;

  async function pass<T>(isRead: boolean, call: () => Promise<T>): Promise<T> {
    if (!isRead && exchange !== null) throw restoring();
    const giveUpMs = performance.now() + readPatienceMs;
    while (isClosed && exchange !== null) await settledWithin(exchange, giveUpMs);
    const set = isRead ? underWay.reads : underWay.changes;
    const run = call();
    set.add(run);
    try {
      return await run;
    } finally {
      set.delete(run);
    }
  }

  async function run({ whileQuiet, whileClosed, undo }: Parameters<Exchange>[0]): Promise<void> {
    if (!(await allDone(underWay.changes, changesWaitMs))) {
      throw new LociError(
        'unavailable',
        'Changes under way did not end in time: try again when the store is less busy.',
      );
    }
    await whileQuiet();
    isClosed = true;
    await allDone(underWay.reads, readsWaitMs);
    await deps.close();
    try {
      await whileClosed();
    } catch (error) {
      await deps.open().catch(() => undefined); // it says itself why not
      throw error;
    }
    try {
      await deps.open();
    } catch (error) {
      await deps.close();
      await undo();
      await deps.open().catch(() => undefined);
      throw error;
    }
  }

  return {
    pass,
    exchange(steps) {
      if (exchange !== null) return Promise.reject(restoring());
      const work = run(steps).finally(() => {
        isClosed = false;
        exchange = null;
      });
      exchange = work.catch(() => undefined);
      return work;
    },
    isClosed: () => isClosed,
    settled: async () => void (await exchange),
  };
}

/** False where some are still under way after `ms`. */
async function allDone(calls: ReadonlySet<Promise<unknown>>, ms: number): Promise<boolean> {
  const untilMs = performance.now() + ms;
  while (calls.size > 0) {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return false;
    await Promise.race([Promise.allSettled([...calls]), new Promise((resolve) => setTimeout(resolve, leftMs).unref())]);
  }
  return true;
}

async function settledWithin(exchange: Promise<void>, giveUpMs: number): Promise<void> {
  const leftMs = giveUpMs - performance.now();
  if (leftMs <= 0) throw restoring();
  await Promise.race([exchange, new Promise((resolve) => setTimeout(resolve, leftMs).unref())]);
}

function restoring(): LociError {
  return new LociError('unavailable', 'A backup is being restored: try again in a moment.', { restoring: true });
}
