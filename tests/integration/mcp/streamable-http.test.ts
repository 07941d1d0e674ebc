import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { describe, expect, it, vi } from 'vitest';

import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import { createMcpHttpHandler } from '#daemon/mcp/streamable-http.ts';
import { LociError } from '#shared/errors.ts';
import { atEnd } from '../../support/at-end.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createTestOperations, mcpDefaults } from '../../support/mcp-operations.ts';
import { callTool, initialize } from '../../support/shim.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function createHandler() {
  const operations = await createTestOperations(join(tempFolder(), 'loci.db'));
  atEnd(() => operations.database.close());
  const clock = createFakeClock();
  const handler = createMcpHttpHandler({ ...mcpDefaults, invoke: operations.invoke, clock });
  const post = (body: unknown, headers: Record<string, string> = {}, context: Partial<CallContext> = {}, query = '') =>
    handler(
      new Request(`http://loci/mcp${query}`, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      }),
      { ...internalContext, ...context },
    );
  return { ...operations, clock, handler, post };
}

async function serve() {
  const created = await createHandler();
  const server = createServer(getRequestListener((request) => created.handler(request, internalContext)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => void server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  return { ...created, url };
}

const json = async (response: Response) => (await response.json()) as Record<string, unknown>;

describe('the official clients over HTTP', () => {
  it.each([
    ['handshake with a session', 'legacy' as const],
    ['stateless revision', { pin: '2026-07-28' }],
    ['negotiated', 'auto' as const],
  ])('v2 client lists and calls: %s', async (_name, mode) => {
    const { url, stored } = await serve();
    const client = new Client({ name: 'v2', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url));
    expect((await client.listTools()).tools).toHaveLength(8);
    const result = await client.callTool({ name: 'memory_save', arguments: { content: 'over http' } });
    expect(result.structuredContent).toMatchObject({ outcome: 'created' });
    const refused = await client.callTool({ name: 'memory_search', arguments: {} });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'invalid_input' } });
    expect(await stored()).toEqual(['over http']);
    await client.close();
  });

  it('v1 client lists and calls', async () => {
    const { url, contexts } = await serve();
    const client = new OldClient({ name: 'v1', version: '1.0.0' });
    await client.connect(new OldTransport(url) as never);
    expect((await client.listTools()).tools).toHaveLength(8);
    await client.callTool({ name: 'memory_search', arguments: { query: 'x' } });
    expect(contexts[0]).toMatchObject({ agent: 'v1', session: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    await client.close();
  });
});

describe('a session', () => {
  it('is given at initialize and is, with the request id, the key of a change', async () => {
    const { post, stored } = await createHandler();
    const session = (await post(initialize(1))).headers.get('mcp-session-id') ?? '';
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
    const first = await json(await post(callTool(2, 'memory_save', { content: 'once' }), headers));
    expect(await json(await post(callTool(2, 'memory_save', { content: 'once' }), headers))).toEqual(first);
    expect(await json(await post(callTool(2, 'memory_save', { content: 'other' }), headers))).toMatchObject({
      result: { isError: true, structuredContent: { code: 'conflict' } },
    });
    expect(await stored()).toEqual(['once']);
  });

  it('that is not known, ended, idle for an hour or of another user is answered with 404', async () => {
    const { post, handler, clock } = await createHandler();
    const open = async () => ({ 'mcp-session-id': (await post(initialize(1))).headers.get('mcp-session-id') ?? '' });
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    expect((await post(list, { 'mcp-session-id': 'unknown' })).status).toBe(404);
    const headers = await open();
    expect((await post(list, headers)).status).toBe(200);
    expect((await post(list, headers, { userId: 2 })).status).toBe(404);
    const ended = new Request('http://loci/mcp', { method: 'DELETE', headers });
    expect((await handler(ended, internalContext)).status).toBe(200);
    expect((await post(list, headers)).status).toBe(404);
    const idle = await open();
    clock.advance(61 * 60 * 1000);
    await open();
    expect((await post(list, idle)).status).toBe(404);
  });
});

describe('a request without a session', () => {
  it('is served by itself, and only an explicit key makes a change safe to repeat', async () => {
    const { post, stored } = await createHandler();
    expect(await json(await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).toHaveProperty('result.tools');
    await post(callTool(2, 'memory_save', { content: 'a' }));
    await post(callTool(2, 'memory_save', { content: 'a' }));
    await post(callTool(3, 'memory_save', { content: 'b' }), {}, { idempotencyKey: 'key' });
    await post(callTool(4, 'memory_save', { content: 'b' }), {}, { idempotencyKey: 'key' });
    expect(await stored()).toEqual(['a', 'a', 'b']);
  });

  it('by GET or DELETE gets 405', async () => {
    const { handler } = await createHandler();
    for (const method of ['GET', 'DELETE']) {
      const response = await handler(new Request('http://loci/mcp', { method }), internalContext);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it.each([
    ['{"jsonrpc":', -32700],
    ['[]', -32600],
    ['{}', -32600],
    [JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: 'y' } }), -32602],
  ])('that is %s gets 400 and the JSON-RPC error', async (body, code) => {
    const { post } = await createHandler();
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await json(response)).toMatchObject({ error: { code } });
  });
});

it('the profile is chosen in the address, and one that does not exist is refused', async () => {
  const { post } = await createHandler();
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { result } = (await json(await post(list, {}, {}, '?tools=facts'))) as { result: { tools: unknown[] } };
  expect(result.tools).toHaveLength(1);
  await expect(post(list, {}, {}, '?tools=nope')).rejects.toThrow(LociError);
});

it('what the token does not allow is neither listed nor done', async () => {
  const { post, stored } = await createHandler();
  const readOnly = { scopes: ['read'] };
  const list = await json(await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, readOnly));
  expect(JSON.stringify(list)).not.toContain('"memory_save"');
  expect(await json(await post(callTool(2, 'memory_save', { content: 'x' }), {}, readOnly))).toMatchObject({
    result: { isError: true, structuredContent: { code: 'forbidden' } },
  });
  expect(await stored()).toEqual([]);
});

it('no request makes the SDK write a warning of its own into the log of the daemon', async () => {
  const warned = vi.spyOn(console, 'warn');
  const { post } = await createHandler();
  await post(initialize(1));
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  await post(
    { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta: meta } },
    { 'mcp-protocol-version': '2026-07-28' },
  );
  await post(callTool(3, 'memory_search', { query: 'x' }));
  expect(warned.mock.calls).toEqual([]);
  warned.mockRestore();
});
