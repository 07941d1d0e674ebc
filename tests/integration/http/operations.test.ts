import { describe, expect, it } from 'vitest';
import { version } from '#shared/version.ts';
import { type HttpSurface, openHttpSurface, sendTo } from '../../support/http-surface.ts';
import { type Note, noteOperations } from '../../support/note-operations.ts';
import { startTestDaemon } from '../../support/test-daemon.ts';

const open = (notes: Note[] = []): Promise<HttpSurface> => openHttpSurface(noteOperations(notes));

describe('routes of the registry', () => {
  it('a POST that creates answers 201, over the socket and over TCP, by its route and by name', async () => {
    const surface = await open();
    const first = await surface.send({ method: 'POST', path: '/notes', body: { content: 'one' } });
    expect(first.status).toBe(201);
    expect(first.headers).toMatchObject({ 'loci-version': version, 'content-type': 'application/json' });
    expect(first.json).toEqual({ id: 1, content: 'one', tags: [], outcome: 'created' });
    const second = await surface.sendTcp({ method: 'POST', path: '/operations/note_save', body: { content: 'two' } });
    expect([second.status, second.json.id]).toEqual([201, 2]);
  });

  it('a fixed segment wins over a parameter', async () => {
    const surface = await open();
    const { status, json } = await surface.send({ path: '/notes/search?query=x' });
    expect([status, json]).toEqual([200, { query: 'x', limit: 5, project_ids: [], deep: false }]);
  });

  it('a path parameter is a field; an id that is no whole number is refused by name', async () => {
    const surface = await open([{ id: 1, content: 'one', tags: [] }]);
    expect((await surface.send({ path: '/notes/1' })).json).toMatchObject({ id: 1 });
    expect((await surface.send({ path: '/notes/2' })).json).toMatchObject({ status: 404, code: 'not_found' });
    for (const id of ['abc', '1.5', '0', '-1', '1e99', '0x1', '%20', '9007199254740993', '1%00']) {
      const { status, json } = await surface.send({ path: `/notes/${id}` });
      expect([id, status, json.code]).toEqual([id, 400, 'invalid_input']);
      expect(json.details).toHaveProperty('id');
    }
  });

  it('a query parameter chooses between two operations of one route', async () => {
    const surface = await open();
    const answers = async (query: string): Promise<unknown> =>
      (await surface.send({ method: 'DELETE', path: `/notes/3${query}` })).json;
    expect(await answers('')).toEqual({ hidden: 3, reason: null });
    expect(await answers('?reason=old+news')).toEqual({ hidden: 3, reason: 'old news' });
    expect(await answers('?purge=false')).toEqual({ hidden: 3, reason: null });
    expect(await answers('?purge=true')).toEqual({ erased: 3 });
    expect(await answers('?purge=1')).toMatchObject({ code: 'invalid_input', details: { purge: expect.any(String) } });
    expect(await answers('?purge=true&purge=false')).toMatchObject({ code: 'invalid_input' });
    expect(await answers('?purge=true&reason=x')).toMatchObject({ details: { reason: 'unknown field `reason`' } });
  });

  it('a DELETE takes a body too', async () => {
    const surface = await open();
    const { json } = await surface.send({ method: 'DELETE', path: '/notes/3', body: { reason: 'wrong' } });
    expect(json).toEqual({ hidden: 3, reason: 'wrong' });
  });

  it('a field from two places is refused unless it is the same', async () => {
    const surface = await open();
    const patch = (path: string, body: unknown): Promise<{ status: number }> =>
      surface.send({ method: 'PATCH', path, body });
    expect((await patch('/notes/3', { id: 3, content: 'a' })).status).toBe(200);
    expect((await patch('/notes/3', { id: 4, content: 'a' })).status).toBe(400);
    expect((await patch('/notes/3?content=a', { content: 'a' })).status).toBe(400);
    expect((await patch('/notes/3?content=a', {})).status).toBe(200);
  });

  it('B13 a patch tells absent, null and [] apart', async () => {
    const surface = await open();
    const patch = async (body: unknown): Promise<Record<string, unknown>> =>
      (await surface.send({ method: 'PATCH', path: '/notes/3', body })).json;
    expect(await patch({ source: null })).toEqual({ given: { source: null } });
    expect(await patch({})).toEqual({ given: {} });
    expect(await patch({ tags: [] })).toEqual({ given: { tags: [] } });
    expect(await patch({ content: null })).toMatchObject({
      code: 'invalid_input',
      details: { content: expect.any(String) },
    });
    expect(await patch({ tags: null })).toMatchObject({ code: 'invalid_input', details: { tags: expect.any(String) } });
  });

  it('unknown routes, methods and operations are not found', async () => {
    const surface = await open();
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['GET', '/notes/'],
      ['PUT', '/notes/1'],
      ['GET', '/operations/note_get'],
      ['POST', '/operations/nope'],
      ['POST', '/operations/__proto__'],
      ['OPTIONS', '/notes/1'],
    ] as const) {
      const { status, json } = await surface.send({ method, path });
      expect([method, path, status, json.code]).toEqual([method, path, 404, 'not_found']);
    }
  });

  it('answers HEAD without a body', async () => {
    const surface = await open([{ id: 1, content: 'one', tags: [] }]);
    const { status, text } = await surface.send({ method: 'HEAD', path: '/notes/1' });
    expect([status, text]).toEqual([200, '']);
  });
});

describe('query parameters', () => {
  const ask = async (query: string): Promise<Record<string, unknown>> =>
    (await (await open()).send({ path: `/notes/search?${query}` })).json;

  it('are read by the schema, under their name or an alias', async () => {
    expect(await ask('q=a%20b+c&limit=7&deep=true')).toEqual({ query: 'a b c', limit: 7, project_ids: [], deep: true });
    expect(await ask('query=1')).toMatchObject({ query: '1' });
  });

  it.each([
    ['project_ids=1,2', [1, 2]],
    ['project_ids=1&project_ids=2', [1, 2]],
    ['project_ids=%5B1,2%5D', [1, 2]],
    ['project_ids=1,2&project_ids=%5B%223%22%5D', null],
    ['project_ids=1, 2,,2', [1, 2]],
    ['project_ids=', []],
  ])('a csv parameter %s is %j', async (query, ids) => {
    const answer = await ask(`q=x&${query.replaceAll(' ', '%20')}`);
    if (ids === null) expect(answer).toMatchObject({ code: 'invalid_input' });
    else expect(answer.project_ids).toEqual(ids);
  });

  it('commas split nothing else', async () => {
    expect(await ask('q=one,two')).toMatchObject({ query: 'one,two' });
  });

  it('B08 an unknown parameter is refused by name', async () => {
    expect(await ask('q=x&limt=3')).toMatchObject({
      status: 400,
      code: 'invalid_input',
      message: 'unknown field `limt`; did you mean `limit`?',
      details: { limt: expect.any(String) },
    });
    expect(await ask('q=x&purge=true')).toMatchObject({ code: 'invalid_input' });
    expect(await ask('q=x&__proto__=1')).toMatchObject({ code: 'invalid_input' });
  });

  it.each([
    ['limit=1&limit=2', 'limit'],
    ['q=a&q=b', 'query'],
    ['query=b&q=a', 'query'],
    ['q=%ff', 'q'],
    ['q=%', 'q'],
    ['q=%ED%A0%BD', 'q'],
    ['q=a%00b', 'query'],
    ['q=', 'query'],
    ['q=%20%09', 'query'],
    ['q', 'query'],
    ['', 'query'],
  ])('%s is refused naming %s', async (query, field) => {
    const { status, code, details } = await ask(query.startsWith('limit') ? `q=x&${query}` : query);
    expect([status, code]).toEqual([400, 'invalid_input']);
    expect(Object.keys(details as object)).toEqual([field]);
  });

  it.each(['-1', '0', '2.5', 'abc', '1000000000', '51', '1e1.5', ''])(
    'B04 limit=%s is refused with its bounds',
    async (limit) => {
      const { status, details } = await ask(`q=x&limit=${limit}`);
      expect(status).toBe(400);
      expect((details as Record<string, string>).limit).toMatch(/^must be a whole number from 1 to 50/);
    },
  );
});

describe('idempotency over HTTP', () => {
  it('the same key and body answer alike, twenty at once, and make one change', async () => {
    const notes: Note[] = [];
    const surface = await openHttpSurface(
      noteOperations(notes, () => new Promise((resolve) => setTimeout(resolve, 10))),
    );
    const save = (content: string): ReturnType<HttpSurface['send']> =>
      surface.send({ method: 'POST', path: '/notes', headers: { 'Idempotency-Key': 'k-1' }, body: { content } });
    const replies = await Promise.all(Array.from({ length: 20 }, () => save('one')));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
    expect(notes).toHaveLength(1);
    expect((await save('two')).json).toMatchObject({ status: 409, code: 'conflict' });
    expect(notes).toHaveLength(1);
  });

  it('a key that is too long is refused, a blank one is none', async () => {
    const notes: Note[] = [];
    const surface = await open(notes);
    const save = (key: string): ReturnType<HttpSurface['send']> =>
      surface.send({ method: 'POST', path: '/notes', headers: { 'Idempotency-Key': key }, body: { content: 'a' } });
    expect((await save('x'.repeat(201))).status).toBe(400);
    await save(' ');
    await save(' ');
    expect(notes).toHaveLength(2);
  });
});

describe('the limits of a search', () => {
  it('are those of the settings, and stand in the schema', async () => {
    const { paths } = await startTestDaemon({ env: { LOCI_SEARCH_DEFAULT_LIMIT: '2', LOCI_SEARCH_MAX_LIMIT: '60' } });
    const send = (method: string, path: string, body?: unknown) =>
      sendTo({ socketPath: paths.httpSocket }, { method, path, ...(body === undefined ? {} : { body }) });
    const memories = Array.from({ length: 60 }, (_, index) => ({ content: `kafka note ${index}` }));
    expect((await send('POST', '/memories/batch', { memories })).json).toMatchObject({
      results: memories.map(() => ({ outcome: 'created' })),
    });
    const hits = async (query: string) =>
      ((await send('GET', `/memories/search?q=kafka${query}`)).json.results as object[]).length;
    expect(await hits('')).toBe(2);
    expect(await hits('&limit=60')).toBe(60);
    const refused = await send('GET', '/memories/search?q=kafka&limit=61');
    expect(refused).toMatchObject({ status: 400, json: { message: expect.stringMatching(/`limit`.* 1 to 60/) } });
    const { json } = await send('GET', '/openapi.json');
    expect(JSON.stringify(json)).toContain('"maximum":60');
  });
});
