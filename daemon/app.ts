// The composition root: the life of the daemon, read from top to bottom. Sockets answer first; the store is opened behind them,
// and whoever calls meanwhile waits. The model and LanceDB are loaded when first needed. Stopping goes the other way.
import type { Server } from 'node:net';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { createHttpApp, createHttpServer, createMetrics, createSingleCaller } from '#daemon/http/index.ts';
import { type CallerOf, isTokenShaped } from '#daemon/kernel/caller.ts';
import { type Clock, systemClock } from '#daemon/kernel/clock.ts';
import { createEvents } from '#daemon/kernel/events.ts';
import { createInvoke } from '#daemon/kernel/invoke.ts';
import { createRegistry } from '#daemon/kernel/registry.ts';
import { readScopes } from '#daemon/kernel/scopes.ts';
import { createListeners } from '#daemon/lifecycle/listen.ts';
import { createRoomMaker } from '#daemon/lifecycle/make-room.ts';
import type { App, AppStart } from '#daemon/lifecycle/run-daemon.ts';
import { readTcpAccess } from '#daemon/lifecycle/tcp-access.ts';
import { createMcpHttpHandler, createMcpSocket } from '#daemon/mcp/index.ts';
import { createPageSessions } from '#daemon/page/index.ts';
import { contracts as allContracts } from '#shared/contract/index.ts';
import { version } from '#shared/version.ts';
import { offeredContracts } from './offered-contracts.ts';
import { createStoreDoor } from './store-door.ts';

export type AppOptions = AppStart & {
  /** Tests inject a clock and an embedder; the daemon has neither. */
  readonly clock?: Clock;
  readonly embedder?: Embedder;
};

/** Starts serving and resolves when the sockets answer; the store may still be opening. */
export async function startApp(options: AppOptions): Promise<App> {
  const { paths, settings, logger, env, token } = options;
  const clock = options.clock ?? systemClock;
  let port: number | null = null;

  const contracts = offeredContracts(allContracts, settings.values);
  const events = createEvents(logger);
  const pageSessions = createPageSessions(clock);
  const door = createStoreDoor({ ...options, clock, events, pageSessions, port: () => port });
  const registry = createRegistry(contracts.map((contract) => door.operation(contract)));
  const metrics = createMetrics();
  const invoke = metrics.count(createInvoke({ registry, answers: door.answers }));
  const adapter = {
    contracts,
    registry,
    invoke,
    logger,
    version,
    pid: process.pid,
    profile: settings.values['mcp.tools'],
  };

  const ofFile = createSingleCaller(() => token, readScopes(settings.values['auth.scopes']));
  const callerOf: CallerOf = (given) => ofFile(given) ?? (isTokenShaped(given) ? door.callerOf(given) : null);
  const script = process.argv[1] ?? '';
  const { requestStop } = options;
  const makeRoom = createRoomMaker({ version, script, node: process.execPath, clock, logger, requestStop });
  const onGreeting = (greeting: { readonly version: string | null }) => makeRoom(greeting.version);
  const mcp = createMcpSocket({ ...adapter, callerOf, onGreeting });
  const mcpHttp = createMcpHttpHandler({ ...adapter, clock });
  const http = createHttpApp(
    {
      ...adapter,
      metrics,
      startedAt: new Date(options.startedAtMs).toISOString(),
      callerOf,
      offerLogin: door.offerLogin,
      health: door.health,
      ready: door.ready,
      requestStop: options.requestStop,
      memoryCounts: door.memoryCounts,
      mcpHandler: mcpHttp,
      pageSessions,
      openEventStream: door.openEventStream,
      openExport: door.openExport,
      receiveImport: door.receiveImport,
    },
    clock,
  );
  const onSocket = createHttpServer(http, { transport: 'socket' });
  const onTcp = createHttpServer(http, { transport: 'tcp', ...readTcpAccess(settings.values) });

  const listeners = createListeners({ paths, settings: settings.values, logger, env });
  await listeners.socket('mcp.sock', mcp.server);
  await listeners.socket('loci.sock', onSocket); // from here on a client may count on an answer
  logger.info({ socket: paths.httpSocket }, 'listening');
  const tcpSettled = listeners.tcp(onTcp).then((outcome) => {
    port = outcome.port;
    options.publishPort(port);
  });
  setImmediate(door.openSoon);

  return {
    async stop() {
      await tcpSettled;
      door.endEventStreams();
      await Promise.all([mcp.stop(), closeServer(onSocket), closeServer(onTcp)]);
      await door.close();
      logger.info({}, 'stopped');
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
