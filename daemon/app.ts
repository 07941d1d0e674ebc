// The composition root: the life of the daemon, read from top to bottom. Sockets answer first; the store is opened behind them,
// and whoever calls meanwhile waits. The model and LanceDB are loaded when first needed. Stopping goes the other way.

import type { Server } from 'node:net';
import { dirname } from 'node:path';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { createHttpApp, createHttpServer, createMetrics, createSingleCaller } from '#daemon/http/index.ts';
import { type Clock, systemClock } from '#daemon/kernel/clock.ts';
import { createEvents } from '#daemon/kernel/events.ts';
import type { Invoke } from '#daemon/kernel/invoke.ts';
import { createListeners } from '#daemon/lifecycle/listen.ts';
import type { App, AppStart } from '#daemon/lifecycle/run-daemon.ts';
import { createMcpHttpHandler, createMcpSocket } from '#daemon/mcp/index.ts';
import { contracts } from '#shared/contract/index.ts';
import { LociError } from '#shared/errors.ts';
import { version } from '#shared/version.ts';
import type { Store } from './store.ts';

export type AppOptions = AppStart & {
  /** Tests inject a clock and an embedder; the daemon has neither. */
  readonly clock?: Clock;
  readonly embedder?: Embedder;
};

/** Starts serving and resolves when the sockets answer; the store may still be opening. */
export async function startApp(options: AppOptions): Promise<App> {
  const { paths, settings, logger, env, token } = options;
  const clock = options.clock ?? systemClock;
  const events = createEvents(logger);
  const metrics = createMetrics();
  let store: Store | null = null;
  let port: number | null = null;

  let opened: Promise<Store> | null = null;
  const open = (): Promise<Store> => {
    opened ??= openSoon();
    return opened;
  };
  const openSoon = async (): Promise<Store> => {
    const { openStore } = await import('./store.ts');
    store = await openStore({ ...options, clock, events, port: () => port });
    return store;
  };
  const invoke: Invoke = async (...call) => (await open()).invoke(...call);

  const shared = { contracts, invoke, logger, version, pid: process.pid };
  const mcp = createMcpSocket({ ...shared, profile: settings.values['mcp.tools'] });
  const app = createHttpApp(
    {
      ...shared,
      metrics,
      startedAt: new Date(options.startedAtMs).toISOString(),
      callerOf: createSingleCaller(() => token),
      health: () => (store === null ? 'starting' : store.health()),
      ready: async () => void (await open()),
      requestStop: options.requestStop,
      memoryCounts: () => store?.memoryCounts() ?? {},
      mcpHandler: createMcpHttpHandler({ ...shared, profile: settings.values['mcp.tools'] }),
    },
    clock,
  );
  const listeners = createListeners({ paths, settings: settings.values, logger, env });
  const socketServer = createHttpServer(app, { transport: 'socket' });
  const tcpServer = createHttpServer(app, { transport: 'tcp' });

  await listeners.socket('mcp.sock', mcp.server);
  await listeners.socket('loci.sock', socketServer);
  logger.info({ socket: paths.httpSocket }, 'listening');
  const tcp = listeners.tcp(tcpServer).then((outcome) => {
    port = outcome.port;
    options.publishPort(port);
  });
  // after the first answers have gone out; a failure is given to every call, and to the log
  setImmediate(() => void open().catch((error) => logger.error({ err: error }, 'the store could not be opened')));

  return {
    async stop() {
      await tcp;
      await Promise.all([mcp.stop(), closeServer(socketServer), closeServer(tcpServer)]);
      await (await opened?.catch(() => null))?.close();
      logger.info({ folder: dirname(paths.database) }, 'stopped');
    },
  };
}

/** How long answers under way may take before their connections are cut. */
const stopGraceMs = 5_000;

function closeServer(server: Server & { closeIdleConnections?(): void; closeAllConnections?(): void }): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const cut = setTimeout(() => server.closeAllConnections?.(), stopGraceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections?.();
  });
}

export { LociError };
