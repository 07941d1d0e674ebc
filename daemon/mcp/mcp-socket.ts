// The Unix socket of the shim. The file's permission is the authentication, so a caller is the owner unless its greeting carries a
// token. On a planned stop the sockets are destroyed, not closed: closing the SDK's handle would end subscriptions for good, while a
// shim that merely loses its socket carries its session over to the next daemon.
import { randomUUID } from 'node:crypto';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Caller, type CallerOf, owner } from '#daemon/kernel/caller.ts';
import { errorToProblem, LociError } from '#shared/errors.ts';
import { greetingVersion } from '#shared/version.ts';
import { readToolCall } from './call-tool.ts';
import { type Greeting, readOpening } from './greeting.ts';
import { createLineTransport, type LineTransport } from './line-transport.ts';
import { createMcpServer, type McpDeps } from './server.ts';
import { greetingToSession, type McpSession } from './session.ts';
import { profileOf } from './surfaces.ts';

export type McpSocketDeps = McpDeps & {
  readonly pid: number;
  /** Whom a greeting's token stands for. Without a token the caller is the owner. */
  readonly callerOf?: CallerOf;
  /** A client of another version has greeted; the daemon may decide to make room for a newer one. */
  readonly onGreeting?: (greeting: Greeting) => void;
};

export type McpSocket = {
  /** Serves on the path. Whoever listens has made sure that nothing lives there. */
  listen(path: string): Promise<void>;
  /** The server itself, for a socket that was handed over already listening. */
  readonly server: NetServer;
  connections(): number;
  /** Accepts no more, lets what is in flight be answered for at most `graceMs` (5 s unless given), and destroys the sockets. */
  stop(graceMs?: number): Promise<void>;
};

export function createMcpSocket(deps: McpSocketDeps): McpSocket {
  const transports = new Map<Socket, LineTransport | null>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    transports.set(socket, null);
    socket.on('close', () => transports.delete(socket));
    socket.on('error', () => undefined);
    serve(deps, socket).then(
      (transport) => transports.has(socket) && transports.set(socket, transport),
      (error: unknown) => refuse(deps, socket, error),
    );
  });

  return {
    server,
    connections: () => transports.size,
    listen: (path) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ path }, () => {
          server.off('error', reject);
          resolve();
        });
      }),
    async stop(graceMs = 5_000) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const drained = Promise.all([...transports.values()].map((transport) => transport?.drain()));
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([drained, new Promise((resolve) => (timer = setTimeout(resolve, graceMs)))]);
      clearTimeout(timer);
      for (const socket of transports.keys()) socket.destroy();
      await closed;
    },
  };
}

async function serve(deps: McpSocketDeps, socket: Socket): Promise<LineTransport | null> {
  const opening = await readOpening(socket);
  if (opening === null) {
    socket.destroy();
    return null;
  }
  const { greeting, rest } = opening;
  const session = await sessionOf(deps, greeting);
  if (greeting !== null) {
    socket.write(`${JSON.stringify({ loci: greetingVersion, version: deps.version, pid: deps.pid })}\n`);
    const { pid: client_pid, version: client_version, resume } = greeting;
    deps.logger.info({ client_pid, client_version, resume }, 'mcp client');
    deps.onGreeting?.(greeting);
  }
  closeWhenEnded(socket, session);
  const transport = createLineTransport(socket, { firstBytes: rest, readRequest: readToolCall });
  serveStdio(() => createMcpServer(deps, session), {
    transport,
    onerror: (error) => deps.logger.debug({ err: error }, 'mcp connection'),
  });
  return transport;
}

async function sessionOf(deps: McpSocketDeps, greeting: Greeting | null): Promise<McpSession> {
  const token = greeting?.token ?? null;
  const caller = token === null ? owner : await callerOfToken(deps, token);
  profileOf(greeting?.tools ?? deps.profile);
  return greetingToSession(greeting, caller, randomUUID());
}

/** A token narrows what the connection may do. One that is not valid is refused: never taken for none, which would be all rights. */
async function callerOfToken({ callerOf }: McpSocketDeps, token: string): Promise<Caller> {
  const caller = (await callerOf?.(token)) ?? null;
  if (caller !== null) return caller;
  throw new LociError(
    'unauthorized',
    'The token that this client was given is not valid (any more): see `loci token list`, or leave it out.',
  );
}

/** A revoked token ends the connection: the client that comes back with it is refused. */
function closeWhenEnded(socket: Socket, { ended }: McpSession): void {
  if (ended === undefined) return;
  const destroy = (): void => void socket.destroy();
  if (ended.aborted) destroy();
  ended.addEventListener('abort', destroy, { once: true });
  socket.once('close', () => ended.removeEventListener('abort', destroy));
}

function refuse(deps: McpSocketDeps, socket: Socket, error: unknown): void {
  if (!(error instanceof LociError)) deps.logger.error({ err: error }, 'an mcp connection could not be served');
  const problem =
    error instanceof LociError
      ? errorToProblem(error)
      : { code: 'internal', message: 'The connection could not be served: see `loci logs`.', details: {} };
  socket.end(`${JSON.stringify({ loci: greetingVersion, error: problem })}\n`);
  socket.resume();
  setTimeout(() => socket.destroy(), 1_000).unref();
}
