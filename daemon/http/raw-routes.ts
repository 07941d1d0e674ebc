// The routes that are no JSON call of an operation, written by hand and kept in this one list, so that they can be counted.
// Everything else that HTTP serves follows from the registry (operations.ts).
import type { Context } from 'hono';
import { isAllowed } from '#daemon/kernel/scopes.ts';
import { maxFileBytes } from '#shared/contract/knowledge/files.ts';
import { LociError } from '#shared/errors.ts';
import { requestToContext } from './call-context.ts';
import { docsPage } from './docs-page.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './http-deps.ts';
import { instructions } from './instructions.ts';
import { createOpenApi } from './openapi.ts';
import { pageFile, pageFiles } from './page-files.ts';
import { pageState, signIn, signOut } from './page-session.ts';
import { defaultBodyLimitBytes, readBytes } from './read-body.ts';
import { waitUntilReady } from './ready.ts';
import { streamEvents } from './sse.ts';
import { streamExport, takePart } from './transfer-routes.ts';

export type RawRoute = {
  readonly methods: readonly string[];
  readonly path: string;
  readonly handle: (c: Context<HttpEnv>) => Response | Promise<Response>;
};

export function mountRawRoutes(app: HttpApp, deps: HttpDeps): void {
  for (const { methods, path, handle } of rawRoutes(deps)) app.on([...methods], path, handle);
}

export function rawRoutes(deps: HttpDeps): RawRoute[] {
  const openApi = once(() => createOpenApi(deps.contracts, deps.version));
  return [
    ...Object.keys(pageFiles).map((path) => ({ methods: ['GET'], path, handle: () => pageFile(path) })),
    { methods: ['POST'], path: '/page/session', handle: (c) => signIn(c, deps) },
    { methods: ['GET'], path: '/page/session', handle: (c) => pageState(c, deps) },
    { methods: ['DELETE'], path: '/page/session', handle: (c) => signOut(c, deps) },
    { methods: ['GET'], path: '/health', handle: (c) => shortHealth(c, deps) },
    { methods: ['GET'], path: '/api/v1', handle: (c) => c.json(index(deps)) },
    { methods: ['GET'], path: '/api/v1/health', handle: (c) => longHealth(c, deps) },
    { methods: ['GET'], path: '/api/v1/capabilities', handle: (c) => c.json(capabilities(deps)) },
    { methods: ['GET'], path: '/daemon', handle: (c) => c.json(card(deps)) },
    { methods: ['POST'], path: '/daemon/stop', handle: (c) => stop(c, deps) },
    { methods: ['GET'], path: '/memories/instructions', handle: (c) => markdown(c) },
    { methods: ['GET', 'POST', 'DELETE'], path: '/mcp', handle: (c) => mcp(c, deps) },
    { methods: ['GET'], path: '/api/v1/files/:id/content', handle: (c) => download(c, deps) },
    { methods: ['PUT'], path: '/api/v1/files/:id/content', handle: (c) => upload(c, deps) },
    { methods: ['GET'], path: '/api/v1/export', handle: (c) => streamExport(c, deps) },
    { methods: ['PUT'], path: '/api/v1/imports/:import_id/content', handle: (c) => takePart(c, deps) },
    { methods: ['GET'], path: '/events', handle: (c) => streamEvents(c, deps) },
    { methods: ['GET'], path: '/api/v1/activity/stream', handle: (c) => streamEvents(c, deps) },
    { methods: ['GET'], path: '/metrics', handle: (c) => metrics(c, deps) },
    { methods: ['GET'], path: '/openapi.json', handle: (c) => c.json(openApi() as never) },
    { methods: ['GET'], path: '/docs', handle: () => docsPage(deps.contracts, deps.version) },
  ];
}

/** Open to everyone on the machine, so it says one word: not even the version. */
function shortHealth(c: Context<HttpEnv>, deps: HttpDeps): Response {
  const status = deps.health();
  return c.json({ status }, status === 'starting' ? 503 : 200);
}

/** The health of the knowledge vocabulary, whose words differ. */
function longHealth(c: Context<HttpEnv>, deps: HttpDeps): Response {
  const health = deps.health();
  const status = { ok: 'healthy', degraded: 'degraded', starting: 'initialising' }[health];
  const body = { status, timestamp: new Date().toISOString(), service: 'loci', version: deps.version };
  return c.json(body, health === 'starting' ? 503 : 200);
}

function index(deps: HttpDeps): object {
  const paths = deps.contracts.flatMap(({ http }) => http ?? []);
  return {
    service: 'loci',
    version: deps.version,
    status: deps.health(),
    docs: '/docs',
    openapi: '/openapi.json',
    endpoints: [...new Set(paths.map(({ path }) => path))].sort(),
  };
}

function capabilities(deps: HttpDeps): object {
  const has = (operation: string): boolean => deps.contracts.some(({ name }) => name === operation);
  return {
    schema_version: 1,
    capabilities: {
      planning: has('create_plan'),
      skills: has('create_skill'),
      files: has('create_file'),
      activity_stream: has('list_activity'),
    },
  };
}

function card(deps: HttpDeps): { pid: number; version: string; started_at: string } {
  return { pid: deps.pid, version: deps.version, started_at: deps.startedAt };
}

function stop(c: Context<HttpEnv>, deps: HttpDeps): Response {
  if (c.env.transport !== 'socket') {
    throw new LociError('forbidden', 'The daemon is stopped over its Unix socket only: use `loci stop`.');
  }
  requireAdmin(c, '/daemon/stop');
  c.env.outgoing.once('close', () => deps.requestStop());
  return c.json({ ...card(deps), stopping: true }, 202);
}

function requireAdmin(c: Context<HttpEnv>, path: string): void {
  if (isAllowed(c.get('caller').scopes, 'admin')) return;
  throw new LociError('forbidden', `'${path}' is not permitted: it needs the scope 'admin'.`);
}

function markdown(c: Context<HttpEnv>): Response {
  return c.body(instructions, 200, { 'content-type': 'text/markdown; charset=utf-8' });
}

async function mcp(c: Context<HttpEnv>, deps: HttpDeps): Promise<Response> {
  if (deps.mcpHandler === undefined) throw new LociError('unavailable', 'MCP over HTTP is turned off.');
  const { method } = c.req;
  const body = method === 'POST' ? await readBytes(c.env.incoming, defaultBodyLimitBytes) : null;
  const headers = new Headers(c.req.raw.headers);
  const request = new Request(c.req.url, {
    method,
    headers,
    body: body as Uint8Array<ArrayBuffer> | null,
    signal: c.req.raw.signal,
  });
  return deps.mcpHandler(request, requestToContext(c));
}

/** The raw bytes of a file, by the same operation as its JSON: one door, whatever the clothes. */
async function download(c: Context<HttpEnv>, deps: HttpDeps): Promise<Response> {
  await waitUntilReady(deps);
  const file = (await deps.invoke('get_file', { id: c.req.param('id') }, requestToContext(c))) as DownloadedFile;
  return c.body(Buffer.from(file.data, 'base64'), 200, {
    'content-type': headerValue(file.mime_type) ?? 'application/octet-stream',
    // somebody else's HTML must never run as a page of this address
    'content-disposition': `attachment; filename*=UTF-8''${percentEncoded(file.filename)}`,
    'content-security-policy': "sandbox; default-src 'none'",
  });
}

type DownloadedFile = { readonly data: string; readonly filename: string; readonly mime_type: string };

/** A text that a header may hold: what a caller stored as a type may be anything. */
function headerValue(text: string): string | null {
  return /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w."+-]+)*$/.test(text) ? text : null;
}

/** As RFC 8187 wants it: some marks that URLs allow have a meaning in a header. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Replaces the bytes of a file by the body, whatever its type says. */
async function upload(c: Context<HttpEnv>, deps: HttpDeps): Promise<Response> {
  const bytes = await readBytes(c.env.incoming, maxFileBytes);
  await waitUntilReady(deps);
  const input = { id: c.req.param('id'), data: bytes.toString('base64') };
  return c.json((await deps.invoke('update_file', input, requestToContext(c))) as never);
}

/** Of the whole store, every user's memories counted: for the one who may see all of it. */
async function metrics(c: Context<HttpEnv>, deps: HttpDeps): Promise<Response> {
  requireAdmin(c, '/metrics');
  const memories = deps.health() === 'starting' ? null : ((await deps.memoryCounts?.()) ?? null);
  return c.body(deps.metrics.render(memories), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
