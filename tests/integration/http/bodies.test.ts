import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CallContext } from '#daemon/kernel/context.ts';
import { implement } from '#daemon/kernel/operation.ts';
import { memorySaveMany, memoryUpdate } from '#shared/contract/lifecycle.ts';
import { defineContract, readOnlyHints } from '#shared/contract/operation.ts';
import { openHttpSurface, type Reply } from '../../support/http-surface.ts';
import { type Note, noteOperations } from '../../support/note-operations.ts';

/** A refusal tells what to change and nothing of the house. */
function expectProblem({ status, headers, json, text }: Reply, expected: { status: number; code: string }): void {
  expect({ status, code: json.code }).toEqual(expected);
  expect(headers['content-type']).toBe('application/problem+json');
  expect(json).toMatchObject({ type: 'about:blank', status, detail: json.message, details: expect.any(Object) });
  expect(text).not.toMatch(/node:|\.ts:|\.js:|node_modules|SyntaxError|position \d/);
}

describe('B14 bodies that are no JSON object', () => {
  const malformed: [string, string | Uint8Array][] = [
    ['cut off', '{"content":"x",'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"content"'],
    ['a number', '5'],
    ['single quotes', "{'content': 'x'}"],
    ['trailing comma', '{"content": "x",}'],
    ['two documents', '{} {}'],
    ['10,000 brackets', '['.repeat(10_000)],
    ['10,000 brackets that close', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['an empty object', '{}'],
    ['nothing', ''],
    ['white space', ' \n'],
  ];

  it.each(malformed)('%s: 400 over both transports, and the next call is answered', async (_name, body) => {
    const notes: Note[] = [];
    const surface = await openHttpSurface(noteOperations(notes));
    const what = { method: 'POST', path: '/notes', body };
    expectProblem(await surface.send(what), { status: 400, code: 'invalid_input' });
    expectProblem(await surface.sendTcp(what), { status: 400, code: 'invalid_input' });
    expect((await surface.send({ method: 'POST', path: '/notes', body: { content: 'x' } })).status).toBe(201);
    expect(notes).toHaveLength(1);
  });

  it('an absent body is an empty object where nothing is required', async () => {
    const surface = await openHttpSurface(noteOperations([]));
    const { status, json } = await surface.sendTcp({ method: 'PATCH', path: '/notes/1' });
    expect([status, json]).toEqual([200, { given: {} }]);
  });

  it('a byte order mark before the JSON does no harm', async () => {
    const surface = await openHttpSurface(noteOperations([]));
    const { status } = await surface.send({ method: 'POST', path: '/notes', body: '\ufeff{"content": "x"}' });
    expect(status).toBe(201);
  });
});

describe('content types', () => {
  it.each([
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['Application/JSON;charset="UTF-8"', 201],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/json; charset=latin1', 415],
    ['application/jsonp', 415],
    ['', 415],
  ])('over TCP %j answers %d', async (type, status) => {
    const surface = await openHttpSurface(noteOperations([]));
    const what = { method: 'POST', path: '/notes', body: { content: 'x' }, headers: { 'content-type': type } };
    const reply = await surface.sendTcp(what);
    expect(reply.status).toBe(status);
    if (status === 415) expectProblem(reply, { status: 415, code: 'unsupported_media_type' });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])('on the socket %j is read as JSON', async (type) => {
    const surface = await openHttpSurface(noteOperations([]));
    const headers = { 'content-type': type };
    const { status } = await surface.send({ method: 'POST', path: '/notes', headers, body: { content: 'x' } });
    expect(status).toBe(201);
  });

  it('a compressed body is refused on both', async () => {
    const surface = await openHttpSurface(noteOperations([]));
    const what = { method: 'POST', path: '/notes', body: '\u001f\u008b', headers: { 'content-encoding': 'gzip' } };
    expectProblem(await surface.send(what), { status: 415, code: 'unsupported_media_type' });
    expectProblem(await surface.sendTcp(what), { status: 415, code: 'unsupported_media_type' });
  });
});

describe('B14 size', () => {
  const bytes = 20 * 2 ** 20;

  it('20 MB are refused with 413 and the limit, with a length or in chunks, and are not held', async () => {
    const surface = await openHttpSurface(noteOperations([]));
    const body = Buffer.from(JSON.stringify({ content: 'x'.repeat(bytes) }));
    for (const send of [surface.send, surface.sendTcp]) {
      for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
        const reply = await send({ method: 'POST', path: '/notes', body, headers });
        expectProblem(reply, { status: 413, code: 'payload_too_large' });
        expect(reply.json.message).toBe('The body may have at most 16 MB.');
      }
    }
    expect((await surface.send({ path: '/health' })).status).toBe(200);
  });

  it('a contract may allow more: a batch takes 64 MB', async () => {
    let saved = 0;
    const saveMany = implement(memorySaveMany, async ({ memories }) => {
      saved = memories.length;
      return { results: [] };
    });
    const surface = await openHttpSurface([saveMany]);
    const memories = Array.from({ length: 1_000 }, () => ({ content: 'y'.repeat(19_900) }));
    for (const path of ['/memories/batch', '/operations/memory_save_many']) {
      saved = 0;
      const { status } = await surface.send({ method: 'POST', path, body: { memories } });
      expect([path, status, saved]).toEqual([path, 201, 1_000]);
    }
  });

  it('1 MB in one field is refused with its limit', async () => {
    const surface = await openHttpSurface(noteOperations([]));
    const { status, json } = await surface.send({
      method: 'POST',
      path: '/notes',
      body: { content: 'x'.repeat(2 ** 20) },
    });
    expect([status, json.message]).toEqual([400, '`content` must have at most 100 characters.']);
  });

  it('a client that hangs up half-way through its body harms nobody', async () => {
    const surface = await openHttpSurface(noteOperations([]));
    const client = connect(surface.socket);
    client.write('POST /notes HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"content":');
    await new Promise((resolve) => setTimeout(resolve, 20));
    client.destroy();
    expect((await surface.send({ path: '/health' })).status).toBe(200);
  });
});

describe('values in bodies', () => {
  it('B09 lists sent as text are lists, and never single letters', async () => {
    const surface = await openHttpSurface(noteOperations([]));
    const save = async (tags: unknown): Promise<unknown> =>
      (await surface.send({ method: 'POST', path: '/notes', body: { content: 'x', tags, ids: '[1]' } })).json.tags;
    expect(await save('["api","db"]')).toEqual(['api', 'db']);
    expect(await save('api')).toEqual(['api']);
  });

  it('B11, B12 NUL and half a surrogate pair are refused and change nothing', async () => {
    const notes: Note[] = [];
    const surface = await openHttpSurface(noteOperations(notes));
    for (const body of ['{"content":"a\\u0000b"}', '{"content":"a\\ud83d"}', '{"content":"x","tags":["\\udc00"]}']) {
      const reply = await surface.send({ method: 'POST', path: '/notes', body });
      expectProblem(reply, { status: 400, code: 'invalid_input' });
    }
    expect(notes).toEqual([]);
  });

  it('B15 an id beyond 2^53 is refused wherever it stands, never rounded to its neighbour', async () => {
    const surface = await openHttpSurface(noteOperations([{ id: 2 ** 53 - 1, content: 'last', tags: [] }]));
    const big = '9007199254740993';
    const sends = [
      { path: `/notes/${big}` },
      { method: 'PATCH', path: `/notes/${big}`, body: '{}' },
      { method: 'DELETE', path: `/notes/${big}` },
      { method: 'DELETE', path: `/notes/${big}?purge=true` },
      { method: 'POST', path: '/operations/note_get', body: `{"id": ${big}}` },
      { method: 'POST', path: '/operations/note_get', body: `{"id": "${big}"}` },
      { method: 'POST', path: '/operations/note_get', body: `{"id": 9007199254740992}` },
      { method: 'POST', path: '/notes', body: `{"content": "x", "ids": [${big}]}` },
      { method: 'POST', path: '/notes', body: `{"content": "x", "ids": "[${big}]"}` },
      { path: `/notes/search?q=x&project_ids=${big}` },
    ];
    for (const what of sends) {
      const reply = await surface.send(what);
      expectProblem(reply, { status: 400, code: 'invalid_input' });
      expect(reply.json.message).toContain('9007199254740991');
    }
    expect((await surface.send({ path: '/notes/9007199254740991' })).json.content).toBe('last');
  });

  it('names that reach a prototype are refused, in a body, in metadata and in text', async () => {
    const update = implement(memoryUpdate, async () => {
      throw new Error('this must not be reached');
    });
    const surface = await openHttpSurface([update]);
    for (const metadata of [
      '{"__proto__": {"a": 1}}',
      '{"a": {"constructor": 1}}',
      '{"prototype": 1}',
      '"{\\"__proto__\\": 1}"',
    ]) {
      const body = `{"metadata": ${metadata}}`;
      const reply = await surface.send({ method: 'PATCH', path: '/memories/1', body });
      expectProblem(reply, { status: 400, code: 'invalid_input' });
    }
    const reply = await surface.send({ method: 'PATCH', path: '/memories/1', body: '{"__proto__": {"id": 2}}' });
    expectProblem(reply, { status: 400, code: 'invalid_input' });
  });
});

describe('what an operation learns of its request', () => {
  const who = defineContract({
    name: 'who',
    title: 'Who',
    description: 'Who.',
    category: 'lifecycle',
    input: z.strictObject({}),
    output: z.object({ calls: z.int().optional() }),
    hints: readOnlyHints,
    scope: 'read:memories',
    http: [{ method: 'GET', path: '/who' }],
  });

  it('folder and agent come percent-encoded, the key as it is', async () => {
    const seen: CallContext[] = [];
    const surface = await openHttpSurface([implement(who, async (_input, context) => ({ calls: seen.push(context) }))]);
    const headers = { 'loci-folder': '/home/%C3%A9lise/a%20b', 'loci-agent': 'codex', 'idempotency-key': 'k 1' };
    await surface.send({ path: '/who', headers });
    await surface.sendTcp({ path: '/who' });
    expect(seen).toMatchObject([
      {
        transport: 'socket',
        folder: '/home/élise/a b',
        agent: 'codex',
        idempotencyKey: 'k 1',
        scopes: ['*'],
        userId: 1,
      },
      { transport: 'tcp', folder: null, agent: null, idempotencyKey: null, claim: null },
    ]);
  });

  it.each([
    ['loci-folder', '%ff'],
    ['loci-folder', 'a%00b'],
    ['loci-folder', '/'.repeat(5_000)],
    ['loci-agent', 'x'.repeat(101)],
  ])('%s that cannot be used is refused by name', async (name, value) => {
    const surface = await openHttpSurface(noteOperations([]));
    const reply = await surface.send({ path: '/notes/1', headers: { [name]: value } });
    expectProblem(reply, { status: 400, code: 'invalid_input' });
    expect(reply.json.details).toHaveProperty([name]);
  });

  it('the signal tells when the client has gone', async () => {
    let told = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      told = resolve;
    });
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const waits = implement(who, async (_input, { signal }) => {
      begin();
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      told();
      return {};
    });
    const surface = await openHttpSurface([waits]);
    const client = connect(surface.socket);
    client.write('GET /who HTTP/1.1\r\nHost: x\r\n\r\n');
    await begun;
    client.destroy();
    await gone;
  });
});

describe('failures inside', () => {
  it('are one sentence with a log id for the caller, and whole in the log', async () => {
    const logged: Record<string, unknown>[] = [];
    const logger = { error: (what: Record<string, unknown>) => logged.push(what) } as never;
    const surface = await openHttpSurface(noteOperations([]), { logger });
    const reply = await surface.send({ method: 'POST', path: '/notes/break' });
    expectProblem(reply, { status: 500, code: 'internal' });
    expect(reply.text).not.toMatch(/secret|fire/);
    const { log_id: logId } = reply.json.details as { log_id: string };
    expect(reply.json.message).toContain(logId);
    expect(logged).toMatchObject([{ log_id: logId, err: { message: 'disk /var/lib/secret/notes.db is on fire' } }]);
  });
});
