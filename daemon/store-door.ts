// Between the adapters, which are up at once, and the store, which takes a moment to open (and longer when it must migrate).
// A call that comes meanwhile waits up to 25 seconds; a store that cannot be opened gives its reason to every call, and is tried
// again by the next one after a pause, so that a disk which was full or a folder which was read-only heals without a restart.
// The operations of backups work on files and stand beside the store: they serve while it cannot be opened, and may exchange it.
import type { Caller } from '#daemon/kernel/caller.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { OpenEventStream } from '#daemon/kernel/event-stream.ts';
import type { AnswerStore, Invoke } from '#daemon/kernel/invoke.ts';
import type { Operation } from '#daemon/kernel/operation.ts';
import type { OpenExport, ReceiveImport } from '#daemon/kernel/transfer-streams.ts';
import { guardInput } from '#daemon/secrets/guard-input.ts';
import { backupContracts } from '#shared/contract/backups.ts';
import type { Contract } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import { createAnswersBeside } from './answers-beside.ts';
import type { BackupRoom } from './open-backups.ts';
import type { Store } from './store.ts';
import { createStoreGate } from './store-gate.ts';
import type { StoreOptions } from './store-options.ts';

export type StoreDoor = {
  /** The operation of a contract; its handler waits for the store. */
  operation(contract: Contract): Operation;
  readonly answers: AnswerStore;
  /** Whom a token of the store stands for; waits for the store. */
  callerOf(token: string): Promise<Caller | null>;
  /** The code of a login that waits to be approved. */
  offerLogin(token: string, peer: string): Promise<{ readonly code: string; readonly expiresInMs: number }>;
  /** Settles when this operation (or any) can be served; rejects with the reason why it cannot. */
  ready(contract?: Contract): Promise<void>;
  health(): 'ok' | 'degraded' | 'starting';
  memoryCounts(): Promise<Readonly<Record<string, number>>>;
  /** Begins to open the store; a failure is logged. */
  openSoon(): void;
  /** Waits for the store as an operation does. */
  readonly openEventStream: OpenEventStream;
  endEventStreams(): void;
  readonly openExport: OpenExport;
  readonly receiveImport: ReceiveImport;
  close(): Promise<void>;
};

const maxWaitMs = 25_000;
const retryAfterMs = 2_000;

export function createStoreDoor(options: Omit<StoreOptions, 'backups'>): StoreDoor {
  const secretsMode = options.settings.values['secrets.mode'] === 'redact' ? 'redact' : 'refuse';
  let store: Store | null = null;
  let opening: Promise<Store> | null = null;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  let closed = false;
  const gate = createStoreGate({ close: closeStore, open });
  const beside: ReadonlySet<string> = new Set(backupContracts.map(({ name }) => name));
  const answersBeside = createAnswersBeside(options.clock);
  let room: Promise<BackupRoom> | null = null;

  /** Loaded behind the sockets, like the store. */
  function backupRoom(): Promise<BackupRoom> {
    const call: Invoke = async (...asked) => (await open()).invoke(...asked);
    room ??= import('./open-backups.ts').then(({ openBackupRoom }) =>
      openBackupRoom(options, { exchange: gate.exchange, call }),
    );
    return room;
  }

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
    const { backups } = await backupRoom();
    const { openStore } = await import('./store.ts');
    store = await openStore({ ...options, backups, replaced: openAnew });
    return store;
  }

  function openAnew(): void {
    const nothing = async (): Promise<void> => undefined;
    gate.exchange({ whileQuiet: nothing, whileClosed: nothing, undo: nothing }).catch((error: unknown) => {
      options.logger.error({ err: error }, 'the store was restored elsewhere and could not be opened anew');
    });
  }

  async function closeStore(): Promise<void> {
    const former = store ?? (await opening?.catch(() => null)) ?? null;
    store = null;
    opening = null;
    failedAtMs = Number.NEGATIVE_INFINITY;
    former?.endEventStreams();
    await former?.close();
  }

  return {
    operation: (contract) => ({
      contract,
      async handle(input: never, context: CallContext) {
        if (beside.has(contract.name)) {
          return (await backupRoom()).handle(contract.name, guardInput(contract, input, secretsMode), context);
        }
        return gate.pass(contract.hints.readOnly, async () => (await open()).handle(contract.name, input, context));
      },
    }),
    answers: {
      recorded: async (claim) =>
        beside.has(claim.operation)
          ? answersBeside.recorded(claim)
          : gate.pass(false, async () => (await open()).answers.recorded(claim)),
      record: async (claim, answer) =>
        beside.has(claim.operation)
          ? answersBeside.record(claim, answer)
          : gate.pass(true, async () => (await open()).answers.record(claim, answer)),
    },
    callerOf: (token) => gate.pass(true, async () => (await open()).callerOf(token)),
    offerLogin: (token, peer) => gate.pass(true, async () => (await open()).offerLogin(token, peer)),
    async ready(contract) {
      if (contract === undefined || !beside.has(contract.name)) await gate.pass(contract?.hints.readOnly ?? true, open);
    },
    health() {
      if (gate.isClosed()) return 'degraded';
      if (store !== null) return store.health();
      return failedAtMs < performance.now() && opening !== null ? 'degraded' : 'starting';
    },
    memoryCounts: async () => (await store?.memoryCounts()) ?? {},
    openEventStream: async (request, sink) => {
      await gate.pass(true, async () => (await open()).openEventStream(request, sink));
    },
    endEventStreams: () => store?.endEventStreams(),
    openExport: (request, context) => gate.pass(true, async () => (await open()).openExport(request, context)),
    receiveImport: (part, context) => gate.pass(false, async () => (await open()).receiveImport(part, context)),
    openSoon: () => void gate.pass(true, open).catch(() => undefined),
    async close() {
      await gate.settled();
      closed = true;
      await closeStore();
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
