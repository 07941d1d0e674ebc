// Who may reach the daemon over TCP. Every test walks the routes that the app really registers, so that a route added later,
// here or in a contract, is covered without anybody adding it to a list.
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createSingleCaller, openRoutes } from '#daemon/http/auth.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { contracts } from '#shared/contract/index.ts';
import { version } from '#shared/version.ts';
import { type HttpSurface, openHttpSurface, type Reply, testToken } from '../../support/http-surface.ts';

/** The real contracts with handlers that only count. */
function countedOperations(): { operations: Operation[]; calls: () => number } {
  let calls = 0;
  const operations = contracts.map((contract) =>
    implement(contract, async () => {
      calls += 1;
      throw new Error('a handler ran');
    }),
  );
  return { operations, calls: () => calls };
}

type Route = { method: string; path: string };

function everyRoute(surface: HttpSurface): Route[] {
  const routes = surface.app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, '1') }));
  const unique = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return [...unique.values()];
}

const isOpen = ({ method, path }: Route): boolean => openRoutes.has(`${method} ${path}`);

/** Sent with a body that would be accepted, so that a missing guard shows as a handler that runs. */
const withBody = (route: Route): Route & { body?: unknown } =>
  route.method === 'GET' ? route : { ...route, body: {} };

describe('B73 every route over TCP asks for the token', () => {
  it('the routes of the app are all of the contracts and the hand-written ones', async () => {
    const surface = await openHttpSurface(countedOperations().operations);
    const known = everyRoute(surface).map(({ method, path }) => `${method} ${path}`);
    for (const { http } of contracts) {
      for (const { method, path } of http ?? []) expect(known).toContain(`${method} ${path.replace(/:\w+/g, '1')}`);
    }
    expect(known).toEqual(
      expect.arrayContaining(['POST /operations/1', 'POST /mcp', 'GET /metrics', 'POST /daemon/stop']),
    );
  });

  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['a token that begins right', { authorization: `Bearer ${testToken.slice(0, -1)}` }],
    ['a token that goes on', { authorization: `Bearer ${testToken}x` }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${testToken}` }],
    ['the bare token', { authorization: testToken }],
    ['the token in a cookie', { authorization: '', cookie: `token=${testToken}` }],
  ])('%s: 401 for all but the open ones, no handler runs', async (_name, headers) => {
    const { operations, calls } = countedOperations();
    let stops = 0;
    const surface = await openHttpSurface(operations, {
      requestStop: () => {
        stops += 1;
      },
    });
    for (const route of everyRoute(surface)) {
      for (const method of [route.method, 'HEAD', 'TRACE', 'PROPFIND']) {
        const reply = await surface.sendTcp({
          ...withBody({ ...route, method }),
          headers: { authorization: '', ...headers } as Record<string, string>,
        });
        const expected = isOpen({ ...route, method }) ? 200 : 401;
        expect([method, route.path, reply.status]).toEqual([method, route.path, expected]);
        if (expected === 401) expect(reply.headers['www-authenticate']).toBe('Bearer realm="loci"');
      }
    }
    expect([calls(), stops]).toEqual([0, 0]);
  });

  it('what is open without a token is what the contract lists', () => {
    const files = ['/', '/page.js', '/graph.js', '/layout.js', '/page.css', '/icon.svg'];
    const paths = ['/health', ...files].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]);
    expect([...openRoutes].sort()).toEqual(paths.sort());
  });

  it('a token in the URL is no token', async () => {
    const surface = await openHttpSurface(countedOperations().operations);
    const headers = { authorization: '' };
    for (const query of [`token=${testToken}`, `access_token=${testToken}`]) {
      expect((await surface.sendTcp({ path: `/daemon?${query}`, headers })).status).toBe(401);
    }
  });

  it.each([
    '/health/',
    '//health',
    '/health/../daemon',
    '/%64aemon',
    '/./daemon',
    '/HEALTH',
    '/health%2f..%2fdaemon',
    '/daemon#/health',
    '/memories/stats/../../daemon',
  ])('the path %s opens nothing', async (path) => {
    const surface = await openHttpSurface(countedOperations().operations);
    expect((await surface.sendTcp({ path, headers: { authorization: '' } })).status).toBe(401);
  });

  it('an old token is refused as soon as it is replaced', async () => {
    let token = 'old';
    const surface = await openHttpSurface([], { callerOf: createSingleCaller(() => token) });
    const ask = async (given: string): Promise<number> =>
      (await surface.sendTcp({ path: '/daemon', headers: { authorization: `Bearer ${given}` } })).status;
    expect(await ask('old')).toBe(200);
    token = 'new';
    expect([await ask('old'), await ask('new')]).toEqual([401, 200]);
  });

  it('no token at all configured means that none is right', async () => {
    const surface = await openHttpSurface([], { callerOf: createSingleCaller(() => '') });
    expect((await surface.sendTcp({ path: '/daemon', headers: { authorization: 'Bearer ' } })).status).toBe(401);
  });

  it('what is open says one word and no more', async () => {
    const surface = await openHttpSurface([]);
    const reply = await surface.sendTcp({ path: '/health', headers: { authorization: '' } });
    expect(reply.text).toBe('{"status":"ok"}');
  });

  it('the scheme is read in any case', async () => {
    const surface = await openHttpSurface([]);
    const headers = { authorization: `bearer  ${testToken}` };
    expect((await surface.sendTcp({ path: '/daemon', headers })).status).toBe(200);
  });

  it('a token holds its scopes on every route', async () => {
    const { operations, calls } = countedOperations();
    const surface = await openHttpSurface(operations, { callerOf: () => ({ userId: 1, scopes: [] }) });
    for (const { name } of contracts) {
      const reply = await surface.sendTcp({ method: 'POST', path: `/operations/${name}`, body: {} });
      expect([name, reply.status]).toEqual([name, 403]);
    }
    expect(calls()).toBe(0);
  });
});

describe('guessing', () => {
  const ask = (surface: HttpSurface, token: string): Promise<Reply> =>
    surface.sendTcp({ path: '/daemon', headers: { authorization: `Bearer ${token}` } });

  it('too many different wrong tokens answer 429 for a minute; the right one goes on working', async () => {
    const surface = await openHttpSurface([]);
    const statuses: number[] = [];
    for (let guess = 0; guess < 25; guess += 1) statuses.push((await ask(surface, `guess-${guess}`)).status);
    expect(statuses.slice(0, 20).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429, 429]);
    const refused = await ask(surface, 'another');
    expect([refused.json.code, refused.headers['retry-after']]).toEqual(['rate_limited', '60']);
    expect((await ask(surface, testToken)).status).toBe(200);
    surface.clock.advance(60_000);
    expect((await ask(surface, 'another')).status).toBe(401);
  });

  it('one wrong token sent often is a mistake, not a guess', async () => {
    const surface = await openHttpSurface([]);
    for (let call = 0; call < 40; call += 1) expect((await ask(surface, 'stale')).status).toBe(401);
  });
});

describe('B67 Host and Origin', () => {
  const good = (port: number): string[] => [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
    `LOCALHOST:${port}`,
  ];

  it('another Host, another Origin or a preflight: 403 on every route before anything runs, and no CORS header', async () => {
    const { operations, calls } = countedOperations();
    const surface = await openHttpSurface(operations);
    const { port } = surface;
    const attacks: Record<string, string>[] = [
      { host: 'attacker.test' },
      { host: `attacker.test:${port}` },
      { host: 'localhost' },
      { host: '127.0.0.1:1' },
      { host: `127.0.0.1.attacker.test:${port}` },
      { host: `localhost.:${port}` },
      { host: `0.0.0.0:${port}` },
      { host: `user@127.0.0.1:${port}` },
      { origin: 'https://attacker.test' },
      { origin: 'null' },
      { origin: `http://localhost:${port}.attacker.test` },
      { origin: 'http://localhost' },
      { origin: `http://127.0.0.1:${port}/` },
      { origin: 'chrome-extension://abcdef' },
    ];
    for (const route of everyRoute(surface)) {
      for (const headers of attacks) {
        const reply = await surface.sendTcp({ ...withBody(route), headers });
        expect([route.path, headers, reply.status]).toEqual([route.path, headers, 403]);
        expect(reply.json.code).toBe('forbidden');
        expect(reply.headers['loci-version']).toBe(version);
        expectNoCors(reply);
      }
      const preflight = await surface.sendTcp({
        method: 'OPTIONS',
        path: route.path,
        headers: { 'access-control-request-method': route.method, 'access-control-request-headers': 'authorization' },
      });
      expect([route.path, preflight.status]).toEqual([route.path, 403]);
      expectNoCors(preflight);
    }
    expect(calls()).toBe(0);
  });

  it('loopback names with the right port pass with the token, with and without our own Origin', async () => {
    const surface = await openHttpSurface([]);
    for (const host of good(surface.port)) {
      const plain = await surface.sendTcp({ path: '/daemon', headers: { host } });
      const own = await surface.sendTcp({
        path: '/daemon',
        headers: { host, origin: `http://localhost:${surface.port}` },
      });
      expect([host, plain.status, own.status]).toEqual([host, 200, 200]);
      expectNoCors(own);
    }
  });

  it('a request line with a whole URL is refused, whatever its Host says', async () => {
    const surface = await openHttpSurface([]);
    const answer = await raw(surface.port, [
      'GET http://attacker.test/health HTTP/1.1',
      `Host: 127.0.0.1:${surface.port}`,
      'Connection: close',
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('a missing Host is refused', async () => {
    const surface = await openHttpSurface([]);
    expect(await raw(surface.port, ['GET /health HTTP/1.0'])).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw(surface.port, ['GET /health HTTP/1.1', 'Connection: close'])).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('on the Unix socket any Host and Origin will do', async () => {
    const surface = await openHttpSurface([]);
    for (const headers of [{ host: 'attacker.test' }, { host: 'a b' }, { host: '' }, { origin: 'null' }]) {
      expect((await surface.send({ path: '/daemon', headers: headers as Record<string, string> })).status).toBe(200);
    }
  });

  it('what is no HTTP gets a problem and a closed connection', async () => {
    const surface = await openHttpSurface([]);
    const answer = await raw(surface.port, ['this is no request']);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json.*"code":"invalid_input"/s);
  });
});

function expectNoCors({ headers }: Reply): void {
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
}

function raw(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}
