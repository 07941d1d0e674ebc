// Who may use the model next. A model works on one text at a time, and a bulk import holds thousands: without lanes a search
// would wait for all of them. Lanes are strict (query, then save, then bulk), so a query waits for at most the run under way.
import { LociError } from '#shared/errors.ts';
import type { Lane } from './embedder.ts';

export type Queue = {
  /**
   * Runs the task when its turn comes. Rejects with the signal's reason as soon as it aborts (a task under way is not stopped,
   * its result is dropped) and with `unavailable` when the lane is full or the queue is closed.
   */
  add<T>(lane: Lane, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Rejects whatever waits. */
  close(): void;
  readonly waiting: number;
};

export type QueueOptions = {
  /** Tasks under way at once. */
  readonly concurrency?: number;
  /** Tasks that may wait in one lane; each lane has its own bound, so that bulk work cannot crowd out a query. */
  readonly maxWaiting?: number;
};

type Waiting = { readonly start: () => Promise<void>; readonly reject: (error: unknown) => void };

const order: readonly Lane[] = ['query', 'save', 'bulk'];

export function createQueue(options: QueueOptions = {}): Queue {
  const { concurrency = 1, maxWaiting = 10_000 } = options;
  const lanes: Readonly<Record<Lane, Set<Waiting>>> = { query: new Set(), save: new Set(), bulk: new Set() };
  let underWay = 0;
  let closed = false;

  return {
    add(lane, task, signal) {
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      if (closed) return Promise.reject(closing());
      if (lanes[lane].size >= maxWaiting) return Promise.reject(full(maxWaiting));
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          lanes[lane].delete(entry);
          reject(signal?.reason);
        };
        const entry: Waiting = {
          reject,
          start: () =>
            task()
              .then(resolve, reject)
              .finally(() => signal?.removeEventListener('abort', onAbort)),
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        lanes[lane].add(entry);
        serve();
      });
    },
    close() {
      closed = true;
      for (const lane of order) {
        for (const entry of lanes[lane]) entry.reject(closing());
        lanes[lane].clear();
      }
    },
    get waiting() {
      return lanes.query.size + lanes.save.size + lanes.bulk.size;
    },
  };

  function serve(): void {
    while (underWay < concurrency) {
      const entry = takeNext();
      if (entry === undefined) return;
      underWay += 1;
      void entry.start().finally(() => {
        underWay -= 1;
        serve();
      });
    }
  }

  function takeNext(): Waiting | undefined {
    for (const lane of order) {
      for (const entry of lanes[lane]) {
        lanes[lane].delete(entry);
        return entry;
      }
    }
    return undefined;
  }
}

function closing(): LociError {
  return new LociError('unavailable', 'The daemon is stopping; the text was not embedded.');
}

function full(maxWaiting: number): LociError {
  return new LociError(
    'unavailable',
    `${maxWaiting} texts wait for the embedding model already: try again in a minute.`,
  );
}
