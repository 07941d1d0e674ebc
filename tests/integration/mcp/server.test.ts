import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { LociError } from '#shared/errors.ts';
import { connectRaw, type RawClient } from '../../support/mcp-client.ts';
import { mcpDefaults } from '../../support/mcp-operations.ts';
import { serveMcp } from '../../support/serve-mcp.ts';
import { callTool, initialize, initialized } from '../../support/shim.ts';

const greeting = (fields: object = {}) => ({
  loci: 1,
  session: 'c0ffee00-0000-4000-8000-000000000001',
  version: '0.1.0',
  pid: 4711,
  cwd: '/home/me/shop',
  resume: false,
  env: {},
  ...fields,
});

async function greeted(path: string, fields: object = {}): Promise<RawClient> {
  const client = await connectRaw(path);
  client.send(greeting(fields));
  await client.next(({ loci }) => loci === 1);
  client.send(initialize(0));
  client.send(initialized);
  await client.answer(0);
  return client;
}

describe('the greeting', () => {
  it('is answered with version and pid within a second', async () => {
    const { path } = await serveMcp();
    const client = await connectRaw(path);
    client.send(greeting());
    expect(await client.next(() => true, 1_000)).toEqual({ loci: 1, version: mcpDefaults.version, pid: process.pid });
  });

  it.each([
    ['an unknown profile', { tools: 'nope' }, 'default, facts, lifecycle, knowledge, all'],
    ['a field of the wrong kind', { session: 5 }, 'session'],
    ['a version below 1', { loci: 0 }, 'loci'],
  ])('is refused with one line and the end of the connection: %s', async (_what, fields, named) => {
    const { path } = await serveMcp();
    const client = await connectRaw(path);
    client.send(greeting(fields));
    expect(await client.next(() => true, 1_000)).toMatchObject({
      loci: 1,
      error: { code: 'invalid_input', message: expect.stringContaining(named) },
    });
    await client.closed;
  });

  it('may have fields of a later version, and come in pieces together with what follows', async () => {
    const { path } = await serveMcp();
    const client = await connectRaw(path);
    const bytes = `${JSON.stringify(greeting({ later: { x: 1 } }))}\n${JSON.stringify(initialize(1))}\n`;
    for (const part of [bytes.slice(0, 20), bytes.slice(20, 300), bytes.slice(300)]) {
      client.write(part);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await client.answer(1)).toHaveProperty('result');
  });

  it('may be left out: the first JSON-RPC line is served, under a session of its own', async () => {
    const { path, contexts } = await serveMcp();
    const sessions = [];
    for (let count = 0; count < 2; count += 1) {
      const client = await connectRaw(path);
      client.send(initialize(1));
      client.send(callTool(2, 'memory_search', { query: 'x' }));
      await client.answer(2);
      sessions.push(contexts.at(-1)?.session);
    }
    expect(new Set(sessions).size).toBe(2);
    expect(contexts[0]).toMatchObject({
      folder: null,
      agent: 'test-agent',
      userId: 1,
      scopes: ['*'],
      transport: 'mcp',
    });
  });

  it('with a token is served as whom the token stands for', async () => {
    const { path, contexts } = await serveMcp({
      callerOf: async (token) => {
        if (token !== 'good') throw new LociError('unauthorized', 'This token is not known.');
        return { userId: 7, scopes: ['read'] };
      },
    });
    const reader = await greeted(path, { token: 'good' });
    reader.send(callTool(1, 'memory_search', { query: 'x' }));
    await reader.answer(1);
    expect(contexts[0]).toMatchObject({ userId: 7, scopes: ['read'] });
    reader.send(callTool(2, 'memory_save', { content: 'x' }));
    expect(await reader.answer(2)).toMatchObject({
      result: { isError: true, structuredContent: { code: 'forbidden' } },
    });
    const stranger = await connectRaw(path);
    stranger.send(greeting({ token: 'bad' }));
    expect(await stranger.next(() => true)).toMatchObject({ error: { code: 'unauthorized' } });
  });
});

describe('a call', () => {
  it('carries session, folder, agent and key to the operation', async () => {
    const { path, contexts } = await serveMcp();
    const client = await greeted(path, { env: { AGENT_MODEL: 'm1', ENCODING_AGENT: 'enc' } });
    client.send(callTool('k', 'memory_save', { content: 'x' }));
    await client.answer('k');
    expect(contexts[0]).toMatchObject({
      session: greeting().session,
      folder: '/home/me/shop',
      agent: 'test-agent',
      encoding: { agentModel: 'm1', encodingAgent: 'enc', agentId: null },
      claim: { key: `${greeting().session}:string:k`, operation: 'memory_save' },
    });
  });

  it('repeated after a reconnect of the same session is answered as before and stores nothing twice', async () => {
    const { path, stored } = await serveMcp();
    const first = await greeted(path);
    first.send(callTool(1, 'memory_save', { content: 'once' }));
    const answer = await first.answer(1);
    first.socket.destroy();
    const again = await greeted(path, { resume: true, was: '0.1.0' });
    again.send(callTool(1, 'memory_save', { content: 'once' }));
    expect(await again.answer(1)).toEqual(answer);
    again.send(callTool('1', 'memory_save', { content: 'another' }));
    await again.answer('1');
    expect(await stored()).toEqual(['once', 'another']);
  });

  it('gives its output as JSON text and as structured content', async () => {
    const { path } = await serveMcp();
    const client = await greeted(path);
    client.send(callTool(1, 'memory_search', { query: 'x', limit: '3' }));
    const { result } = (await client.answer(1)) as {
      result: { content: { text: string }[]; structuredContent: object };
    };
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
    expect(result).not.toHaveProperty('isError');
  });

  it.each([
    ['an unknown tool', 'nope', {}, 'not_found', /^Tool 'nope' not found/],
    ['an unknown field', 'memory_search', { querry: 'x' }, 'invalid_input', /did you mean `query`/],
    ['a number out of range', 'memory_search', { query: 'x', limit: 51 }, 'invalid_input', /from 1 to 50, not 51/],
    ['the handler refuses', 'memory_stats', {}, 'unavailable', /no part of this test/],
  ])('is answered with the problem as text and structured content: %s', async (_what, tool, args, code, message) => {
    const { path } = await serveMcp();
    const client = await greeted(path);
    client.send(callTool(1, tool, args));
    const { result } = (await client.answer(1)) as unknown as {
      result: { isError: boolean; content: { text: string }[]; structuredContent: { code: string; message: string } };
    };
    expect(result.isError).toBe(true);
    expect(result.structuredContent.code).toBe(code);
    expect(result.structuredContent.message).toMatch(message);
    expect(Object.keys(result.structuredContent)).toEqual(['code', 'message', 'details']);
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
  });

  it('that fails inside tells the agent an id of the log and nothing else', async () => {
    const logged: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
    const { path } = await serveMcp({ logger });
    const client = await greeted(path);
    client.send(callTool(1, 'memory_search', { query: 'throw' }));
    const text = JSON.stringify(await client.answer(1));
    expect(text).toContain('internal');
    expect(text).not.toMatch(/secret|srv|Error:|\.ts/);
    const logId = /loci logs` for (\w{8})/.exec(text)?.[1] ?? 'none';
    expect(logged.join('')).toContain(logId);
    expect(logged.join('')).toContain('secret detail');
  });

  it('whose arguments are no object gets -32602 in our words', async () => {
    const { path } = await serveMcp();
    const client = await greeted(path);
    for (const [id, args] of [
      ['text', 'x'],
      ['list', [1]],
      ['number', 5],
    ] as const) {
      client.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'memory_search', arguments: args } });
      expect(await client.answer(id)).toMatchObject({
        error: { code: -32602, message: '`arguments` must be a JSON object of named fields.' },
      });
    }
    client.send({ jsonrpc: '2.0', id: 'none', method: 'tools/call', params: { arguments: {} } });
    expect(await client.answer('none')).toMatchObject({ error: { code: -32602 } });
  });

  it('of a tool that the profile does not list is served all the same', async () => {
    const { path } = await serveMcp();
    const client = await greeted(path, { tools: 'facts' });
    client.send(callTool(1, 'memory_search', { query: 'unlisted' }));
    expect(await client.answer(1)).toMatchObject({ result: { structuredContent: { hint: 'unlisted' } } });
  });
});

describe('the meta-tools', () => {
  it.each([
    ['discover_tools', 'how_to_use_tool', 'execute_tool'],
    ['discover_forgetful_tools', 'how_to_use_forgetful_tool', 'execute_forgetful_tool'],
  ])('answer to %s, %s and %s in a profile that lists none of them', async (discover, howTo, execute) => {
    const { path, stored } = await serveMcp();
    const client = await greeted(path, { tools: 'facts' });
    client.send(callTool(1, discover, { category: 'lifecycle' }));
    expect(await client.answer(1)).toMatchObject({ result: { structuredContent: { filtered_by: 'lifecycle' } } });
    client.send(callTool(2, howTo, { tool_name: 'memory_save' }));
    expect(await client.answer(2)).toMatchObject({
      result: { structuredContent: { name: 'memory_save', mutates: true } },
    });
    client.send(callTool(3, execute, { tool_name: 'memory_save', arguments: '{"content": "by execute"}' }));
    expect(await client.answer(3)).toMatchObject({ result: { structuredContent: { outcome: 'created' } } });
    expect(await stored()).toEqual(['by execute']);
    client.send(callTool(4, execute, { tool_name: 'nope' }));
    expect(await client.answer(4)).toMatchObject({
      result: { isError: true, structuredContent: { code: 'not_found' } },
    });
  });
});

describe('the roots of a client', () => {
  it('give the folder when it offers them, and are asked for beside the traffic', async () => {
    const { path, contexts } = await serveMcp();
    const client = await connectRaw(path);
    client.send(greeting());
    const opening = initialize(0);
    client.send({ ...opening, params: { ...opening.params, capabilities: { roots: { listChanged: true } } } });
    client.send(initialized);
    const asked = await client.next(({ method }) => method === 'roots/list');
    client.send(callTool(1, 'memory_search', { query: 'before' }));
    await client.answer(1);
    const folder = join('/home/me', 'räume');
    client.send({ jsonrpc: '2.0', id: asked.id, result: { roots: [{ uri: pathToFileURL(folder).href }] } });
    await expect
      .poll(async () => {
        const id = `after ${Math.random()}`;
        client.send(callTool(id, 'memory_search', { query: 'after' }));
        await client.answer(id);
        return contexts.at(-1)?.folder;
      })
      .toBe(folder);
    expect(contexts[0]?.folder).toBe('/home/me/shop');
  });
});

it('a stop gives the answers of what is in flight, then destroys the sockets, so that shims carry their sessions over', async () => {
  const { path, stop, connections, contexts } = await serveMcp();
  const client = await greeted(path);
  client.send(callTool(1, 'memory_search', { query: 'wait:300' }));
  await expect.poll(() => contexts.length).toBe(1);
  const stopped = stop();
  await expect(connectRaw(path).then(({ closed }) => closed)).rejects.toThrow();
  client.send(callTool(2, 'memory_search', { query: 'too late' }));
  await stopped;
  await client.closed;
  expect(await client.answer(1)).toHaveProperty('result');
  expect(contexts).toHaveLength(1);
  await expect.poll(connections).toBe(0);
});

it('a stop does not wait for ever', async () => {
  const { path, stop, contexts } = await serveMcp();
  const client = await greeted(path);
  client.send(callTool(1, 'memory_search', { query: 'wait:60000' }));
  await expect.poll(() => contexts.length).toBe(1);
  const startMs = Date.now();
  await stop(200);
  await client.closed;
  expect(Date.now() - startMs).toBeLessThan(1_000);
});

it('offers tools, prompts and resources, and nothing that a restart had to restore', async () => {
  const { path } = await serveMcp();
  const client = await connectRaw(path);
  client.send(initialize(1));
  const { result } = (await client.answer(1)) as { result: { capabilities: object; instructions: string } };
  expect(result.capabilities).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {} });
  expect(result.instructions).toContain('memory_search');
});
