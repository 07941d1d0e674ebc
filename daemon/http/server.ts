// One app, two doors: the same routes on the Unix socket and on TCP, told apart by the `transport` binding. What must hold for every
// reply whatever the route (version header, Host and Origin check, timeouts) is done here, below the router, where no route can miss it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Clock } from '#daemon/kernel/clock.ts';
import { systemClock } from '#daemon/kernel/clock.ts';
import { LociError } from '#shared/errors.ts';
import { version } from '#shared/version.ts';
import { createAuth } from './auth.ts';
import type { HttpApp, HttpDeps, HttpEnv, Transport } from './http-deps.ts';
import { mountOperations } from './operations.ts';
import { originRefusal, tunnelRefusal } from './origin-guard.ts';
import { errorToResponse, type ProblemReply, problemReply, problemResponse } from './problem.ts';
import { mountRawRoutes } from './raw-routes.ts';

export type HttpServerOptions = {
  readonly transport: Transport;
  /** Names besides loopback under which TCP may be reached: those of the certificate, and of the machine where it is bound to the network. */
  readonly allowedHosts?: readonly string[];
  /** Whole values of `Host` that a reverse proxy with TLS passes on. */
  readonly publicHosts?: readonly string[];
  /** Bound to an address that others reach: the address itself is a good `Host` then, since no name can be re-bound to it. */
  readonly isRemote?: boolean;
  /** PEM of certificate and key; without them TCP speaks plain HTTP. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | null;
};

/** How long a client may take for its headers, and for headers and body together. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 120_000;
/** How long an idle connection is kept for the next request. */
const keepAliveTimeoutMs = 60_000;

/** Every route of the daemon. Nothing is served before `createAuth` has named the caller or the route is listed as open. */
export function createHttpApp(deps: HttpDeps, clock: Clock = systemClock): HttpApp {
  const app: HttpApp = new Hono<HttpEnv>();
  app.onError((error, c) => errorToResponse(error, deps.logger, `${c.req.method} ${c.req.routePath}`));
  app.notFound((c) =>
    problemResponse(
      new LociError('not_found', `There is no ${c.req.method} ${c.req.path}: GET /docs lists what there is.`),
    ),
  );
  app.use('*', createAuth(deps, clock));
  mountRawRoutes(app, deps);
  mountOperations(app, deps);
  return app;
}

/** A server that does not listen yet: the caller binds it to a path or a port, and closes it. */
export function createHttpServer(app: HttpApp, options: HttpServerOptions): Server | TlsServer {
  const { transport } = options;
  const listener = getRequestListener(
    (request, bindings) => app.fetch(request, { ...bindings, transport } as HttpEnv['Bindings']),
    {
      overrideGlobalObjects: false,
      errorHandler: () =>
        problemResponse(new LociError('invalid_input', 'The request line or its headers are malformed.')),
    },
  );
  const limits = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: 5_000,
  };
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    setHeadersOfEveryReply(outgoing);
    if (transport === 'socket') {
      const refusal = tunnelRefusal(incoming);
      if (refusal !== null) {
        refuse(incoming, outgoing, problemReply(refusal));
        return;
      }
      incoming.headers.host = 'localhost'; // any Host will do here, and a URL has to be made of it
    } else {
      const { localPort = 0, localAddress } = incoming.socket;
      const own = options.isRemote === true && localAddress !== undefined ? [hostOf(localAddress)] : [];
      const refusal = originRefusal(incoming, localPort, {
        names: [...(options.allowedHosts ?? []), ...own],
        publicHosts: options.publicHosts ?? [],
      });
      if (refusal !== null) {
        refuse(incoming, outgoing, problemReply(refusal));
        return;
      }
    }
    void listener(incoming, outgoing);
  };
  const tls = options.tls ?? null;
  const server =
    tls === null ? createServer(limits, answer) : createTlsServer({ ...limits, ...tls, minVersion: 'TLSv1.2' }, answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerBrokenRequest(error, socket));
  return server;
}

/** As a `Host` header spells an address: IPv6 in brackets, IPv4 without its mapping. */
function hostOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}

function setHeadersOfEveryReply(outgoing: ServerResponse): void {
  outgoing.setHeader('loci-version', version);
  outgoing.setHeader('x-content-type-options', 'nosniff');
  outgoing.setHeader('cache-control', 'no-store');
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse, reply: ProblemReply): void {
  incoming.resume();
  outgoing.writeHead(reply.status, { ...reply.headers, connection: 'close' }).end(reply.body);
}

/** What is no HTTP at all never reaches the app: it gets a bare problem and a closed connection. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = timedOut ? '408 Request Timeout' : '400 Bad Request';
  const message = timedOut ? 'The request did not arrive in time.' : 'This is not a well-formed HTTP request.';
  const { body } = problemReply(new LociError('invalid_input', message));
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\nloci-version: ${version}\r\n` +
      `content-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
