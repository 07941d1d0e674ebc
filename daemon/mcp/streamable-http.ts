// MCP over HTTP, for clients that are no child process. Three kinds of request meet here: the stateless revision (each request names
// its version), the older ones with a session that the daemon gave (`Mcp-Session-Id`), and the older ones without. Host, Origin, token
// and the limit of the body are the HTTP server's; this module is told who calls.
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type Clock, systemClock } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { readToolCall } from './call-tool.ts';
import { notJson, type RpcError, readMessage } from './json-rpc.ts';
import { createMcpServer, type McpDeps } from './server.ts';
import { type McpSession, requestToSession } from './session.ts';
import { profileOf } from './surfaces.ts';

export type McpHttpDeps = McpDeps & { readonly clock?: Clock };

/** Serves GET, POST and DELETE of `/mcp`; `?tools=` chooses the profile. Throws `invalid_input` for one that does not exist. */
export type McpHttpHandler = (request: Request, context: CallContext) => Promise<Response>;

type HeldSession = {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  readonly userId: number;
  readonly scopes: string;
  usedMs: number;
};

const maxSessions = 256;
/** A client that has gone seldom says so. */
const idleSessionMs = 60 * 60 * 1000;
/** The HTTP server has held the body to its own limit before; the SDK's is lower than that. */
const maxRequestBodySize = 64 * 2 ** 20;

export function createMcpHttpHandler(deps: McpHttpDeps): McpHttpHandler {
  const clock = deps.clock ?? systemClock;
  const held = new Map<string, HeldSession>();
  /** The stateless revision: one server a request. The session travels in the SDK's slot for who calls. */
  const stateless = createMcpHandler(({ authInfo }) => createMcpServer(deps, authInfo?.extra?.session as McpSession), {
    legacy: 'reject',
    maxRequestBodySize,
    onerror: (error) => deps.logger.debug({ err: error }, 'mcp over http'),
  });

  return async (request, context) => {
    const profile = new URL(request.url).searchParams.get('tools');
    profileOf(profile ?? deps.profile);
    const id = request.headers.get('mcp-session-id');
    if (request.method !== 'POST') return id === null ? methodNotAllowed() : inSession(id, request, context);
    const body = readBody(await request.text());
    if ('error' in body) return errorResponse(body.error, 400);
    const { value: parsedBody } = body;
    const emptied = new Request(request.url, { method: 'POST', headers: request.headers, signal: request.signal });
    if (!(await isLegacyRequest(emptied, parsedBody))) {
      const session = requestToSession(context, null, profile);
      const authInfo = { token: '', clientId: '', scopes: [...context.scopes], extra: { session } };
      return stateless.fetch(emptied, { parsedBody, authInfo });
    }
    if (id !== null) return inSession(id, emptied, context, parsedBody);
    if (parsedBody.method === 'initialize') return newSession(emptied, context, profile, parsedBody);
    return withoutSession(emptied, requestToSession(context, null, profile), parsedBody);
  };

  /** A session belongs to who began it, with the rights of then: another token of the same user begins its own. */
  async function inSession(id: string, request: Request, context: CallContext, body?: unknown): Promise<Response> {
    const session = held.get(id);
    if (session?.userId !== context.userId || session.scopes !== context.scopes.join(' ')) {
      return errorResponse({ id: null, code: -32001, message: 'This session is not known: initialize again.' }, 404);
    }
    session.usedMs = clock.now();
    return session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
  }

  async function newSession(
    request: Request,
    context: CallContext,
    profile: string | null,
    parsedBody: unknown,
  ): Promise<Response> {
    forgetIdle();
    const id = randomUUID();
    const server = createMcpServer(deps, requestToSession(context, id, profile));
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      enableJsonResponse: true,
      maxRequestBodySize,
      onsessioninitialized: () => {
        held.set(id, {
          transport,
          server,
          userId: context.userId,
          scopes: context.scopes.join(' '),
          usedMs: clock.now(),
        });
      },
      onsessionclosed: () => {
        held.delete(id);
      },
    });
    await server.connect(transport);
    return transport.handleRequest(request, { parsedBody });
  }

  async function withoutSession(request: Request, session: McpSession, parsedBody: unknown): Promise<Response> {
    const server = createMcpServer(deps, session);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, maxRequestBodySize });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  }

  /** Before one more: those idle for an hour, and the longest idle where there are too many. */
  function forgetIdle(): void {
    const byUse = [...held].sort(([, a], [, b]) => a.usedMs - b.usedMs);
    for (const [index, [id, session]] of byUse.entries()) {
      const isSurplus = byUse.length - index >= maxSessions;
      if (!isSurplus && clock.now() - session.usedMs < idleSessionMs) return;
      held.delete(id);
      void session.server.close();
    }
  }
}

function readBody(text: string): { value: Record<string, unknown> } | { error: RpcError } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { error: notJson };
  }
  const read = readMessage(value);
  if ('error' in read) return read;
  if (!('method' in read.message) || !('id' in read.message)) return { value: { ...read.message } };
  const call = readToolCall(read.message);
  return 'error' in call ? call : { value: { ...call.request } };
}

function errorResponse({ id, code, message }: RpcError, status: number): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status });
}

/** Without a session there is no stream to open and nothing to delete. */
function methodNotAllowed(): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Send a POST, or a session id.' } };
  return Response.json(body, { status: 405, headers: { Allow: 'POST' } });
}
