// A whole store (rooms, database, reader thread, vectors) without sockets: what integration tests call operations on.

import { mkdirSync } from 'node:fs';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { Timers } from '#daemon/jobs/index.ts';
import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import { createEvents } from '#daemon/kernel/events.ts';
import { createInvoke } from '#daemon/kernel/invoke.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createRegistry } from '#daemon/kernel/registry.ts';
import { createStoreDoor, type StoreDoor } from '#daemon/store-door.ts';
import type { StoreOptions } from '#daemon/store-options.ts';
import { contracts } from '#shared/contract/index.ts';
import { resolvePaths } from '#shared/paths.ts';
import { readSettings } from '#shared/read-settings.ts';
import { atEnd } from './at-end.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createFakeEmbedder, type FakeEmbedder } from './fake-embedder.ts';
import { storageSettings } from './storage-under-test.ts';
import { tempFolder } from './temp-folder.ts';

export type TestStore = {
  /** Calls an operation as user 1 (or with what `context` says) and answers its output. */
  call<Answer = Record<string, unknown>>(
    name: string,
    input?: unknown,
    context?: Partial<CallContext>,
  ): Promise<Answer>;
  readonly store: StoreDoor;
  readonly clock: FakeClock;
  readonly embedder: FakeEmbedder;
  readonly home: string;
  readonly events: ReturnType<typeof createEvents>;
  close(): Promise<void>;
};

export type TestStoreOptions = {
  readonly home?: string;
  readonly clock?: FakeClock;
  readonly embedder?: FakeEmbedder;
  /** A real model in place of the fake one. */
  readonly model?: Embedder;
  /** Settings by key, as `config.toml` would have them. */
  readonly env?: Record<string, string>;
  /** The daemon's own environment: home, the agent's folder, keys. */
  readonly daemonEnv?: Record<string, string>;
  readonly timers?: Timers;
  /** On SQLite, whatever engine this run is on. */
  readonly isAlone?: true;
  /** The store cannot be opened, and the test is about that. */
  readonly isBroken?: boolean;
  /** Embedders of other choices than that of the settings. */
  readonly models?: StoreOptions['models'];
};

/** Opens a store in a temporary home; the end of the test closes it. */
export async function openTestStore(options: TestStoreOptions = {}): Promise<TestStore> {
  const home = options.home ?? tempFolder();
  const clock = options.clock ?? createFakeClock();
  const embedder = options.embedder ?? createFakeEmbedder();
  const paths = resolvePaths({ LOCI_HOME: home });
  mkdirSync(paths.data, { recursive: true });
  const settings = readSettings({
    file: null,
    env: { ...(options.isAlone ? {} : await storageSettings(home)), ...options.env },
    flags: {},
  });
  const events = createEvents(silentLogger);
  const store = createStoreDoor({
    paths,
    settings,
    clock,
    embedder: options.model ?? embedder,
    events,
    logger: silentLogger,
    startedAtMs: clock.now(),
    env: options.daemonEnv ?? {},
    port: () => null,
    ...(options.timers === undefined ? {} : { timers: options.timers }),
    ...(options.models === undefined ? {} : { models: options.models }),
  });
  if (options.isBroken !== true) await store.ready();
  const registry = createRegistry(contracts.map((contract) => store.operation(contract)));
  const invoke = createInvoke({ registry, answers: store.answers });
  let open = true;
  const close = async (): Promise<void> => {
    if (open) await store.close();
    open = false;
  };
  atEnd(close);
  return {
    call: async <Answer>(name: string, input: unknown = {}, context: Partial<CallContext> = {}) =>
      (await invoke(name, input, { ...internalContext, ...context })) as Answer,
    store,
    clock,
    embedder,
    home,
    events,
    close,
  };
}
