// MCP over HTTP for clients that are no child process. Three kinds of request meet here: the stateless revision (each request names its
// version), the older ones with a session that the daemon gave (`Mcp-Session-Id`), and the older ones without. Host, Origin, token and
// body limits are the HTTP server's; this module is told who calls.
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { LociError } from '#shared/errors.ts';
import { readToolCall } from './call-tool.ts';
import { type RpcError, readMessage } from './json-rpc.ts';
import type { Caller } from './mcp-socket.ts';
import { createMcpServer, type McpDeps } from './server.ts';
import type { McpSession } from './session.ts';
import { profileOf } from './surfaces.ts';

export type McpHttpDeps = McpDeps & {
  readonly now: () => number;
  /** Largest request body in bytes; 16 MB unless given. */
  readonly maxBodyBytes?: number;
};

export type McpHttpHandler = {
  /** Serves GET, POST and DELETE of `/mcp`; `?tools=` chooses the profile. */
  fetch(request: Request, caller: Caller): Promise<Response>;
  /** Ends every session and what is in flight. */
  close(): Promise<void>;
};

type HttpSession = {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  readonly userId: number;
  usedMs: number;
};

const maxSessions = 256;
/** A client that has gone seldom says so. */
const idleSessionMs = 60 * 60 * 1000;

export function createMcpHttpHandler(deps: McpHttpDeps): McpHttpHandler {
  const sessions = new Map<string, HttpSession>();
  const maxRequestBodySize = deps.maxBodyBytes ?? 16 * 2 ** 20;
  const onerror = (error: Error): void => deps.logger.debug({ err: error }, 'mcp over http');

  /** Serves the stateless revision: one server a request, nothing kept. */
  const modern = createMcpHandler(
    ({ authInfo }) => createMcpServer(deps, sessionFrom(authInfo?.extra as SessionFacts, null)),
    { legacy: 'reject', responseMode: 'json', maxRequestBodySize, onerror },
  );

  return {
    async fetch(request, caller) {
      try {
        return await serve(request, caller);
      } catch (error) {
        if (error instanceof LociError)
          return rpcErrorResponse({ id: null, code: -32602, message: error.message }, 400);
        throw error;
      }
    },
    async close() {
      await modern.close();
      for (const { server } of sessions.values()) await server.close();
      sessions.clear();
    },
  };

  async function serve(request: Request, caller: Caller): Promise<Response> {
    const facts = { ...caller, profile: new URL(request.url).searchParams.get('tools') };
    profileOf(facts.profile ?? deps.defaultProfile);
    const sessionId = request.headers.get('mcp-session-id');
    if (request.method !== 'POST')
      return sessionId === null ? methodNotAllowed() : inSession(sessionId, request, caller);

    const text = await request.clone().text();
    if (Buffer.byteLength(text) > maxRequestBodySize) {
      return rpcErrorResponse({ id: null, code: -32600, message: 'The request body is too large.' }, 413);
    }
    const body = readBody(text);
    if ('error' in body) return rpcErrorResponse(body.error, 400);
    if (!(await isLegacyRequest(request, body.value))) {
      const authInfo = { token: '', clientId: String(caller.userId), scopes: [...caller.scopes], extra: facts };
      return modern.fetch(request, { parsedBody: body.value, authInfo });
    }
    if (sessionId !== null) return inSession(sessionId, request, caller, body.value);
    return isInitialize(body.value)
      ? newSession(request, facts, body.value)
      : withoutSession(request, facts, body.value);
  }

  async function inSession(id: string, request: Request, caller: Caller, parsedBody?: unknown): Promise<Response> {
    const session = sessions.get(id);
    if (session === undefined || session.userId !== caller.userId) {
      return rpcErrorResponse({ id: null, code: -32001, message: 'Session not found: initialize again.' }, 404);
    }
    session.usedMs = deps.now();
    return session.transport.handleRequest(request, { parsedBody });
  }

  async function newSession(request: Request, facts: SessionFacts, parsedBody: unknown): Promise<Response> {
    forgetIdle();
    const id = randomUUID();
    const server = createMcpServer(deps, sessionFrom(facts, id));
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      enableJsonResponse: true,
      maxRequestBodySize,
      onsessioninitialized: () =>
        void sessions.set(id, { transport, server, userId: facts.userId, usedMs: deps.now() }),
      onsessionclosed: () => void sessions.delete(id),
    });
    await server.connect(transport);
    return transport.handleRequest(request, { parsedBody });
  }

  async function withoutSession(request: Request, facts: SessionFacts, parsedBody: unknown): Promise<Response> {
    const server = createMcpServer(deps, sessionFrom(facts, null));
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, maxRequestBodySize });
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody });
    await server.close();
    return response;
  }

  function forgetIdle(): void {
    const byAge = [...sessions].sort(([, a], [, b]) => a.usedMs - b.usedMs);
    const surplus = Math.max(0, byAge.length + 1 - maxSessions);
    for (const [index, [id, session]] of byAge.entries()) {
      if (index >= surplus && session.usedMs > deps.now() - idleSessionMs) return;
      sessions.delete(id);
      void session.server.close();
    }
  }
}

type SessionFacts = Caller & { readonly profile: string | null };

function sessionFrom({ userId, scopes, profile }: SessionFacts, id: string | null): McpSession {
  return { id, userId, scopes, profile, greeting: null, roots: [] };
}

function readBody(text: string): { value: unknown } | { error: RpcError } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { error: { id: null, code: -32700, message: 'The request body is not JSON.' } };
  }
  const read = readMessage(value);
  if ('error' in read) return read;
  if (!('method' in read.message) || !('id' in read.message)) return { value: read.message };
  const call = readToolCall(read.message);
  return 'error' in call ? call : { value: call.request };
}

function isInitialize(value: unknown): boolean {
  return (value as { method?: unknown }).method === 'initialize';
}

function rpcErrorResponse({ id, code, message }: RpcError, status: number): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status });
}

/** Without a session there is no stream to open and nothing to delete. */
function methodNotAllowed(): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Send a POST, or a session id.' } };
  return Response.json(body, { status: 405, headers: { Allow: 'POST' } });
}
