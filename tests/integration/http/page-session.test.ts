// The session of the page on the wire: how it is opened, what it is bound to and how it ends. That a browser keeps to it is for
// tests/browser.
import { describe, expect, it } from 'vitest';
import { keyHeader } from '#daemon/http/page-session.ts';
import { createPageSessions, type PageSessions } from '#daemon/page/index.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { type HttpSurface, openHttpSurface, type Reply } from '../../support/http-surface.ts';

const owner = { userId: 1, scopes: ['*'] };

async function openSurface(): Promise<{
  surface: HttpSurface;
  sessions: PageSessions;
  clock: ReturnType<typeof createFakeClock>;
}> {
  const clock = createFakeClock();
  const sessions = createPageSessions(clock);
  return { surface: await openHttpSurface([], { pageSessions: sessions }), sessions, clock };
}

function sendAs(surface: HttpSurface, method: string, headers: Record<string, string>, body?: unknown): Promise<Reply> {
  const host = `127.0.0.1:${surface.port}`;
  return surface.sendTcp({
    method,
    path: '/page/session',
    headers: { authorization: '', host, origin: `http://${host}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

async function signIn(surface: HttpSurface, sessions: PageSessions): Promise<{ cookie: string; key: string }> {
  const reply = await sendAs(surface, 'POST', {}, { code: sessions.createCode(owner).code });
  expect(reply.status).toBe(200);
  return { cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '', key: String(reply.json.key) };
}

describe('a session of the page', () => {
  it('is opened by a code once, and the cookie is for this page alone', async () => {
    const { surface, sessions } = await openSurface();
    const { code } = sessions.createCode(owner);
    const reply = await sendAs(surface, 'POST', {}, { code });
    expect(reply.status).toBe(200);
    expect(String(reply.headers['set-cookie'])).toMatch(
      new RegExp(`^loci_page_${surface.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect((await sendAs(surface, 'POST', {}, { code })).status).toBe(401);
  });

  it('is not opened by a code older than a minute, by no code, or by another page', async () => {
    const { surface, sessions, clock } = await openSurface();
    const { code } = sessions.createCode(owner);
    clock.advance(60_000);
    for (const body of [{ code }, { code: '' }, { code: 7 }, {}]) {
      expect((await sendAs(surface, 'POST', {}, body)).status).toBe(401);
    }
    const fresh = sessions.createCode(owner).code;
    expect((await sendAs(surface, 'POST', { origin: '' }, { code: fresh })).status).toBe(401);
    expect((await sendAs(surface, 'POST', { 'sec-fetch-site': 'same-site' }, { code: fresh })).status).toBe(401);
    expect((await sendAs(surface, 'POST', {}, { code: fresh })).status).toBe(200);
  });

  it('needs the cookie and the key, at the host where it was opened', async () => {
    const { surface, sessions } = await openSurface();
    const { cookie, key } = await signIn(surface, sessions);
    const whole = { cookie, [keyHeader]: key };
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await sendAs(surface, 'GET', headers)).status;
    expect(await status(whole)).toBe(200);
    expect(await status({ ...whole, cookie: `theme=dark; ${cookie}; x=1` })).toBe(200);
    expect(await status({ cookie })).toBe(401);
    expect(await status({ [keyHeader]: key })).toBe(401);
    expect(await status({ ...whole, cookie: `${cookie}x` })).toBe(401);
    const elsewhere = `localhost:${surface.port}`;
    expect(await status({ ...whole, host: elsewhere, origin: `http://${elsewhere}` })).toBe(401);
    const other = await signIn(surface, sessions);
    expect(await status({ ...whole, [keyHeader]: other.key })).toBe(401);
  });

  it('ends when one signs out, and after a day without use', async () => {
    const { surface, sessions, clock } = await openSurface();
    const day = 24 * 60 * 60_000;
    const one = await signIn(surface, sessions);
    const two = await signIn(surface, sessions);
    const ask = async (session: { cookie: string; key: string }, method = 'GET'): Promise<number> =>
      (await sendAs(surface, method, { cookie: session.cookie, [keyHeader]: session.key })).status;
    expect(await ask(one, 'DELETE')).toBe(200);
    expect([await ask(one), await ask(two)]).toEqual([401, 200]);
    clock.advance(day - 1);
    expect(await ask(two)).toBe(200);
    clock.advance(day);
    expect(await ask(two)).toBe(401);
  });

  it('acts for whoever asked for the code, with no more rights', async () => {
    const { surface, sessions } = await openSurface();
    const { code } = sessions.createCode({ userId: 7, scopes: ['read'] });
    const opened = await sendAs(surface, 'POST', {}, { code });
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
    const { json } = await sendAs(surface, 'GET', { cookie, [keyHeader]: String(opened.json.key) });
    expect(json).toMatchObject({ transport: 'tcp', scopes: ['read'] });
  });

  it('ends with the right of the one who asked for it, and so does a code', async () => {
    const { surface, sessions } = await openSurface();
    const right = new AbortController();
    const limited = { userId: 7, scopes: ['read'], ended: right.signal };
    const opened = await sendAs(surface, 'POST', {}, { code: sessions.createCode(limited).code });
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
    const headers = { cookie, [keyHeader]: String(opened.json.key) };
    const { code } = sessions.createCode(limited);
    expect((await sendAs(surface, 'GET', headers)).status).toBe(200);
    right.abort();
    expect((await sendAs(surface, 'GET', headers)).status).toBe(401);
    expect((await sendAs(surface, 'POST', {}, { code })).status).toBe(401);
  });

  it('is not needed over the Unix socket, whose file lets only the owner in', async () => {
    const { surface } = await openSurface();
    expect((await surface.send({ path: '/page/session' })).json).toMatchObject({ transport: 'socket', scopes: ['*'] });
  });
});

describe('a browser before a tunnel to the Unix socket', () => {
  it('is answered for the page that is served there, and refused for any other', async () => {
    const { surface } = await openSurface();
    const host = 'localhost:8080';
    const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    const status = async (headers: Record<string, string>, method = 'POST'): Promise<number> =>
      (await surface.send({ method, path: '/operations/none', headers })).status;
    // 404 is the answer of the app: there is no such operation
    expect(await status({})).toBe(404);
    expect(await status(own)).toBe(404);
    expect(await status({ host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'GET')).toBe(404);
    const refused = {
      'another site': { host, origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' },
      'a name bound to this machine': {
        host: 'evil.example',
        origin: 'http://evil.example',
        'sec-fetch-site': 'same-origin',
      },
      'another port': { host, origin: 'http://localhost:9090', 'sec-fetch-site': 'same-site' },
      'an image of another site': { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    };
    for (const [name, headers] of Object.entries(refused)) expect([name, await status(headers)]).toEqual([name, 403]);
  });
});
