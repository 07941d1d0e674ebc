import { describe, expect, it } from 'vitest';
import { connectRaw } from '../../support/mcp-client.ts';
import { serveMcp } from '../../support/serve-mcp.ts';
import { callTool, initialize, initialized } from '../../support/shim.ts';

const search = (id: string | number, query: string) => callTool(id, 'memory_search', { query });

describe('a line that cannot be served', () => {
  it('gets -32700 when it is not JSON, and the next line is served', async () => {
    const { path } = await serveMcp();
    const client = await connectRaw(path);
    client.write('not json\n');
    client.send(initialize(1));
    expect(await client.answer(null)).toMatchObject({ error: { code: -32700 } });
    expect(await client.answer(1)).toMatchObject({ result: { serverInfo: { name: 'loci' } } });
  });

  it.each([
    ['an empty object', {}, null],
    ['a batch', [initialize(3)], null],
    ['a wrong jsonrpc version', { jsonrpc: '1.0', id: 7, method: 'ping' }, 7],
    ['a method that is no text', { jsonrpc: '2.0', id: 'a', method: 5 }, 'a'],
    ['params that are a text', { jsonrpc: '2.0', id: 8, method: 'tools/list', params: 'x' }, 8],
    ['params that are a list', { jsonrpc: '2.0', id: 9, method: 'tools/list', params: [1] }, 9],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, null],
    ['an id with a fraction', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, null],
    ['a message that is neither call nor answer', { jsonrpc: '2.0', id: 10 }, 10],
  ])('gets -32600 with its own id when it can be told: %s', async (_what, message, id) => {
    const { path } = await serveMcp();
    const client = await connectRaw(path);
    client.send(message);
    expect(await client.answer(id)).toMatchObject({ error: { code: -32600 } });
    client.send(initialize('next'));
    expect(await client.answer('next')).toHaveProperty('result');
  });

  it('gets -32700 with its id when a byte of it is not UTF-8, and stores nothing', async () => {
    const { path, stored } = await serveMcp();
    const client = await connectRaw(path);
    client.send(initialize(1));
    client.write(
      Buffer.concat([
        Buffer.from(
          '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_save","arguments":{"content":"',
        ),
        Buffer.from([0xff]),
        Buffer.from('"}}}\n'),
      ]),
    );
    expect(await client.answer(2)).toMatchObject({ error: { code: -32700 } });
    expect(await stored()).toEqual([]);
  });

  it('is served when a byte order mark, carriage returns or blank lines stand around it', async () => {
    const { path } = await serveMcp();
    const client = await connectRaw(path);
    client.write(`\uFEFF${JSON.stringify(initialize(1))}\r\n\r\n  \n\uFEFF${JSON.stringify(search(2, 'x'))}\r\n`);
    expect(await client.answer(1)).toHaveProperty('result');
    expect(await client.answer(2)).toHaveProperty('result');
  });

  it.each([
    ['first', (text: string) => `{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"x":"${text}"}}`],
    ['last', (text: string) => `{"method":"tools/call","params":{"id":99,"x":"${text}"},"jsonrpc":"2.0","id":"long"}`],
    [
      'before jsonrpc',
      (text: string) => `{"method":"tools/call","params":{"x":"${text}"},"id":"long","jsonrpc":"2.0"}`,
    ],
  ])('gets -32600 when it is longer than 16 MB, with its id where that stands %s', async (_where, toLine) => {
    const { path } = await serveMcp();
    const client = await connectRaw(path);
    client.write(`${toLine('x'.repeat(17 * 2 ** 20))}\n`);
    client.send(initialize(2));
    expect(await client.answer('long')).toMatchObject({ error: { code: -32600 } });
    expect(await client.answer(2)).toHaveProperty('result');
  });

  it('gets -32600 when its id is that of a request still under way', async () => {
    const { path } = await serveMcp();
    const client = await connectRaw(path);
    client.send(initialize(1));
    await client.answer(1);
    client.send(search(2, 'wait:300'));
    client.send(search(2, 'again'));
    const first = await client.answer(2);
    expect(first).toMatchObject({ error: { code: -32600 } });
    await client.next(({ id, result }) => id === 2 && result !== undefined);
  });
});

describe('the end of a connection', () => {
  it('comes after the last answer when the client closes its side with work in flight', async () => {
    const { path } = await serveMcp();
    const client = await connectRaw(path);
    client.send(initialize(1));
    client.send(search(2, 'wait:400'));
    client.send(search(3, 'wait:100'));
    client.socket.end();
    await client.closed;
    expect(client.lines.map((line) => (JSON.parse(line) as { id: number }).id).sort()).toEqual([1, 2, 3]);
  });

  it('serves a last line that has no newline', async () => {
    const { path } = await serveMcp();
    const client = await connectRaw(path);
    client.write(JSON.stringify(initialize(1)));
    client.socket.end();
    await client.closed;
    expect(client.lines).toHaveLength(1);
  });

  it('leaves no connection behind when the client has gone with work in flight', async () => {
    const { path, contexts, connections } = await serveMcp();
    const client = await connectRaw(path);
    client.send(initialize(1));
    await client.answer(1);
    client.send(search(2, 'wait:300'));
    await expect.poll(() => contexts.length).toBe(1);
    client.socket.destroy();
    await expect.poll(connections, { timeout: 3_000 }).toBe(0);
  });
});

it('a subscription, which lasts as long as its session, keeps no connection open that the client has ended', async () => {
  const { path } = await serveMcp();
  const client = await connectRaw(path);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'listener', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' };
  client.send({ ...listen, params: { _meta, notifications: { toolsListChanged: true } } });
  await client.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
  client.socket.end();
  await client.closed;
});

describe('flow', () => {
  it('has at most 64 requests in flight and answers all of 200', async () => {
    const { path, contexts } = await serveMcp();
    const client = await connectRaw(path);
    client.send(initialize(0));
    await client.answer(0);
    for (let id = 1; id <= 200; id += 1) client.send(search(id, 'wait:300'));
    await expect.poll(() => contexts.length).toBeGreaterThanOrEqual(64);
    expect(contexts.length).toBe(64);
    await expect.poll(() => client.lines.length, { timeout: 5_000 }).toBe(201);
  });

  it('reads a cancellation that stands behind more requests than may be in flight', async () => {
    const { path, contexts } = await serveMcp();
    const client = await connectRaw(path);
    client.send(initialize(0));
    client.send(initialized);
    await client.answer(0);
    for (let id = 1; id <= 100; id += 1) client.send(search(id, 'wait:400'));
    for (const requestId of [1, 100]) {
      client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    }
    await expect.poll(() => contexts[0]?.signal?.aborted).toBe(true);
    await expect.poll(() => client.lines.length, { timeout: 5_000 }).toBe(99);
    const ids = client.lines.map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).not.toContain(1);
    expect(ids).not.toContain(100);
  });

  it('holds little for a client that stops reading, and serves the rest when it reads again', async () => {
    const { path, contexts } = await serveMcp();
    const client = await connectRaw(path);
    client.send(initialize(0));
    await client.answer(0);
    client.socket.pause();
    for (let id = 1; id <= 100; id += 1) client.send(search(id, 'big:1'));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(contexts.length).toBe(64);
    client.socket.resume();
    await expect.poll(() => client.lines.length, { timeout: 20_000, interval: 100 }).toBe(101);
  });
});
