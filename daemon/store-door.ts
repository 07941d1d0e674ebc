// Between the adapters, which are up at once, and the store, which takes a moment to open (and longer when it must migrate).
// A call that comes meanwhile waits up to 25 seconds; a store that cannot be opened gives its reason to every call, and is tried
// again by the next one after a pause, so that a disk which was full or a folder which was read-only heals without a restart.
import type { CallContext } from '#daemon/kernel/context.ts';
import type { OpenEventStream } from '#daemon/kernel/event-stream.ts';
import type { AnswerStore } from '#daemon/kernel/invoke.ts';
import type { Operation } from '#daemon/kernel/operation.ts';
import type { Contract } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import type { Store, StoreOptions } from './store.ts';

export type StoreDoor = {
  /** The operation of a contract; its handler waits for the store. */
  operation(contract: Contract): Operation;
  readonly answers: AnswerStore;
  /** Settles when operations can be served; rejects with the reason why they cannot. */
  ready(): Promise<void>;
  health(): 'ok' | 'degraded' | 'starting';
  memoryCounts(): Promise<Readonly<Record<string, number>>>;
  /** Begins to open the store; a failure is logged. */
  openSoon(): void;
  /** Waits for the store as an operation does. */
  readonly openEventStream: OpenEventStream;
  endEventStreams(): void;
  close(): Promise<void>;
};

const maxWaitMs = 25_000;
const retryAfterMs = 2_000;

export function createStoreDoor(options: StoreOptions): StoreDoor {
  let store: Store | null = null;
  let opening: Promise<Store> | null = null;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  let closed = false;

  async function open(): Promise<Store> {
    if (store !== null) return store;
    if (closed) throw new LociError('unavailable', 'The daemon is stopping: try again in a moment.');
    if (opening === null || performance.now() - failedAtMs > retryAfterMs) {
      failedAtMs = Number.POSITIVE_INFINITY; // under way: nobody starts a second one
      opening = load();
      opening.catch((error: unknown) => {
        failedAtMs = performance.now();
        options.logger.error({ err: error }, 'the store could not be opened');
      });
    }
    return within(opening, maxWaitMs);
  }

  async function load(): Promise<Store> {
    const { openStore } = await import('./store.ts');
    store = await openStore(options);
    return store;
  }

  return {
    operation: (contract) => ({
      contract,
      handle: async (input: never, context: CallContext) => (await open()).handle(contract.name, input, context),
    }),
    answers: {
      recorded: async (claim) => (await open()).answers.recorded(claim),
      record: async (claim, answer) => (await open()).answers.record(claim, answer),
    },
    async ready() {
      await open();
    },
    health: () =>
      store === null ? (failedAtMs < performance.now() && opening !== null ? 'degraded' : 'starting') : store.health(),
    memoryCounts: async () => (await store?.memoryCounts()) ?? {},
    openEventStream: async (request, sink) => (await open()).openEventStream(request, sink),
    endEventStreams: () => store?.endEventStreams(),
    openSoon: () => void open().catch(() => undefined),
    async close() {
      closed = true;
      await (await opening?.catch(() => null))?.close();
    },
  };
}

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new LociError('unavailable', 'The store is still being opened: try again in a moment.', { starting: true }),
      );
    }, ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
