// The real HTTP app over real sockets, with operations of the test's own and answers under idempotency keys kept in memory.

import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSingleCaller } from '#daemon/http/auth.ts';
import type { HttpApp, HttpDeps } from '#daemon/http/http-deps.ts';
import { createMetrics } from '#daemon/http/metrics.ts';
import { createHttpApp, createHttpServer } from '#daemon/http/server.ts';
import type { Claim } from '#daemon/kernel/context.ts';
import { type AnswerStore, createInvoke } from '#daemon/kernel/invoke.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import type { Operation } from '#daemon/kernel/operation.ts';
import { createRegistry } from '#daemon/kernel/registry.ts';
import { LociError } from '#shared/errors.ts';
import { version } from '#shared/version.ts';
import { atEnd } from './at-end.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { tempFolder } from './temp-folder.ts';

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string; json: Record<string, unknown> };

export type Send = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** Sent as it is when a text or bytes, else as JSON. */
  body?: unknown;
};

export type HttpSurface = {
  readonly app: HttpApp;
  readonly port: number;
  readonly socket: string;
  readonly clock: FakeClock;
  /** Over the Unix socket. */
  send(what: Send): Promise<Reply>;
  /** Over TCP, with the token unless the headers say otherwise. */
  sendTcp(what: Send): Promise<Reply>;
};

export const testToken = 'test-token-of-this-surface';

/** Listens until the test ends. */
export async function openHttpSurface(
  operations: readonly Operation[],
  options: Partial<HttpDeps> = {},
): Promise<HttpSurface> {
  const clock = createFakeClock();
  const registry = createRegistry(operations);
  const metrics = createMetrics();
  const deps: HttpDeps = {
    contracts: operations.map(({ contract }) => contract),
    metrics,
    invoke: metrics.count(createInvoke({ registry, answers: createMemoryAnswers() })),
    logger: silentLogger,
    version,
    pid: process.pid,
    startedAt: '2026-01-05T09:00:00.000Z',
    callerOf: createSingleCaller(() => testToken),
    health: () => 'ok',
    ready: async () => undefined,
    requestStop: () => undefined,
    ...options,
  };
  const app = createHttpApp(deps, clock);
  const socketServer = createHttpServer(app, { transport: 'socket' });
  const tcpServer = createHttpServer(app, { transport: 'tcp' });
  const socket = join(tempFolder(), 'http.sock');
  await listen(socketServer, socket);
  await listen(tcpServer, 0);
  const { port } = tcpServer.address() as AddressInfo;
  atEnd(() => {
    for (const server of [socketServer, tcpServer]) {
      server.close();
      server.closeAllConnections();
    }
  });
  return {
    app,
    port,
    socket,
    clock,
    send: (what) => sendTo({ socketPath: socket }, what),
    sendTcp: (what) => {
      const type = what.body === undefined ? {} : { 'content-type': 'application/json' };
      const headers = { authorization: `Bearer ${testToken}`, ...type, ...what.headers };
      return sendTo({ host: '127.0.0.1', port }, { ...what, headers });
    },
  };
}

/** One request and its whole answer; a header with the value '' is left out. */
export function sendTo(target: { socketPath: string } | { host: string; port: number }, what: Send): Promise<Reply> {
  const { body } = what;
  const bytes =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const headers = Object.fromEntries(Object.entries(what.headers ?? {}).filter(([, value]) => value !== ''));
  if (bytes !== undefined && headers['transfer-encoding'] === undefined) {
    headers['content-length'] = String(Buffer.byteLength(bytes));
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ ...target, method: what.method ?? 'GET', path: what.path, headers, agent: false });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.includes('json') === true && text !== '';
        const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    request.on('error', reject);
    request.end(bytes);
  });
}

/** Answers under idempotency keys in memory, by the rules of the real store. */
export function createMemoryAnswers(): AnswerStore {
  const answers = new Map<string, { claim: Claim; answer: unknown }>();
  return {
    async recorded(claim) {
      const known = answers.get(`${claim.userId} ${claim.key}`);
      if (known === undefined) return null;
      if (known.claim.bodyHash !== claim.bodyHash || known.claim.operation !== claim.operation) {
        throw new LociError('conflict', 'This idempotency key was used with another body.');
      }
      return { answer: known.answer };
    },
    async record(claim, answer) {
      answers.set(`${claim.userId} ${claim.key}`, { claim, answer });
    },
  };
}

function listen(server: Server, where: string | number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    if (typeof where === 'string') server.listen(where, resolve);
    else server.listen(where, '127.0.0.1', resolve);
  });
}
