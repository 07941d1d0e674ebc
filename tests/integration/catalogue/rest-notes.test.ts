// The catalogue's own routes of notes, as a web page or a script calls them.
import { describe, expect, it } from 'vitest';
import { type Reply, sendTo } from '../../support/http-surface.ts';
import { startTestDaemon } from '../../support/test-daemon.ts';

const routes = '/api/v1/memories';

async function open() {
  const { paths } = await startTestDaemon();
  const send = (method: string, path: string, body?: unknown): Promise<Reply> =>
    sendTo({ socketPath: paths.httpSocket }, { method, path, ...(body === undefined ? {} : { body }) });
  const create = (title: string, more: object = {}) =>
    send('POST', routes, {
      title,
      content: `${title} is a note of its own`,
      context: '',
      keywords: [],
      tags: [],
      ...more,
    });
  return { send, create, get: (query = '') => send('GET', `${routes}${query}`) };
}

describe('the routes of notes', () => {
  it('K188 page with a total, filter by any of some tags and by importance, and include what is obsolete when asked', async () => {
    const { send, create, get } = await open();
    expect((await get()).json).toMatchObject({ memories: [], total: 0, limit: 20, offset: 0 });
    const made = await create('Alpha', { tags: ['red'], importance: 3 });
    expect(made).toMatchObject({ status: 201, json: { id: 1 } });
    await create('Beta', { tags: ['blue', 'green'], importance: 9 });
    await create('Gamma', { tags: ['green'] });
    const ids = async (query: string): Promise<unknown> =>
      ((await get(query)).json.memories as { id: number }[]).map(({ id }) => id);
    expect((await get('?limit=2')).json).toMatchObject({ total: 3, limit: 2, offset: 0, has_more: true });
    expect(await ids('?limit=2')).toEqual([3, 2]);
    expect(await ids('?limit=2&offset=2')).toEqual([1]);
    expect(await ids('?tags=red,BLUE')).toEqual([2, 1]);
    expect(await ids('?tags=red&tags=green')).toEqual([3, 2, 1]);
    // 7 is what REST gives where nothing is said
    expect(await ids('?importance_min=7')).toEqual([3, 2]);
    expect(await ids('?sort_by=importance&sort_order=asc')).toEqual([1, 3, 2]);
    expect((await send('DELETE', `${routes}/2`)).json).toMatchObject({ success: true });
    expect(await ids('')).toEqual([3, 1]);
    expect(await ids('?include_obsolete=true')).toEqual([3, 2, 1]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=many', 'limit'],
    ['offset=-1', 'offset'],
    ['sort_by=size', 'sort_by'],
    ['sort_order=up', 'sort_order'],
    ['importance_min=0', 'importance_min'],
    ['importance_min=11', 'importance_min'],
    ['include_obsolete=perhaps', 'include_obsolete'],
    ['project_id=abc', 'project_ids.0'],
    ['created_since=soon', 'created_since'],
    ['colour=red', 'colour'],
  ])('K189 refuse ?%s by its name', async (query, field) => {
    const { get } = await open();
    const { status, json } = await get(`?${query}`);
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(`\`${field}\``) });
  });

  it('K190 answer 404 for an id that is not there, whatever is asked of it', async () => {
    const { send, create } = await open();
    await create('Alpha');
    const asked: [string, string, object?][] = [
      ['GET', '/9'],
      ['PATCH', '/9', { title: 'B' }],
      ['PUT', '/9', { title: 'B' }],
      ['DELETE', '/9'],
      ['DELETE', '/9?purge=true'],
      ['GET', '/9/links'],
      ['POST', '/9/links', { related_ids: [1] }],
      ['DELETE', '/1/links/9'],
    ];
    for (const [method, path, body] of asked) {
      const { status, json } = await send(method, routes + path, body);
      expect([status, json.code], `${method} ${path}`).toEqual([404, 'not_found']);
    }
  });

  it('K191 read the body of a deletion strictly: its reason is a text, its successor a number that is there', async () => {
    const { send, create } = await open();
    await create('Alpha');
    await create('Beta');
    const refused: [object, string, number][] = [
      [{ reason: 5 }, 'reason', 400],
      [{ reason: ['x'] }, 'reason', 400],
      [{ superseded_by: 'two' }, 'superseded_by', 400],
      [{ superseded_by: 1.5 }, 'superseded_by', 400],
      [{ superseded_by: true }, 'superseded_by', 400],
      [{ why: 'x' }, 'why', 400],
      [{ superseded_by: 9 }, '9', 404],
    ];
    for (const [body, named, expected] of refused) {
      const { status, json } = await send('DELETE', `${routes}/1`, body);
      expect([status, String(json.message)], JSON.stringify(body)).toEqual([expected, expect.stringContaining(named)]);
    }
    expect((await send('GET', `${routes}/1`)).json).toMatchObject({ is_obsolete: false });
    expect((await send('DELETE', `${routes}/1`, { reason: 'moved', superseded_by: 2 })).json).toMatchObject({
      success: true,
    });
    expect((await send('GET', `${routes}/1`)).json).toMatchObject({ obsolete_reason: 'moved', superseded_by: 2 });
    expect((await send('DELETE', `${routes}/2`)).json).toMatchObject({ success: true });
    expect((await send('GET', `${routes}/2`)).json).toMatchObject({
      is_obsolete: true,
      obsolete_reason: expect.any(String),
    });
  });
});
