// Tokens of a team's issuer on a real daemon. K-numbers are lines of the parity list.
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createCache, nameOf, scopesOf } from '#daemon/users/jwt-callers.ts';
import { audience, issuerEnv, startIssuer } from '../../support/issuer.ts';
import { startTestDaemon } from '../../support/test-daemon.ts';
import { asOwner, everySurfaceOf, restOf, type TokenReply } from '../../support/token-surfaces.ts';

async function team(more: Record<string, string> = {}) {
  const issuer = await startIssuer();
  const daemon = await startTestDaemon({ env: issuerEnv(issuer, more) });
  const ask = (token: string): Promise<TokenReply> => restOf(daemon, token).call('get_current_user');
  const sign = (claims: object = {}) => issuer.sign({ ...claims }, daemon.clock.now());
  return { issuer, daemon, ask, sign };
}

describe('a token of an issuer', () => {
  it('stands for a user who is made when it comes first, on every surface alike', async () => {
    const { daemon, sign } = await team();
    const token = await sign({ preferred_username: 'ana', email: 'ana@example.org' });
    for (const surface of everySurfaceOf(daemon, token)) {
      const { output } = await surface.call('get_current_user');
      expect([surface.name, output.id, output.name, output.email]).toEqual([surface.name, 2, 'ana', 'ana@example.org']);
    }
  });

  it.each([
    ['another audience', { aud: 'another-service' }],
    ['another issuer', { iss: 'http://127.0.0.1:1' }],
    ['no subject', { sub: '' }],
    ['a time that has passed', { exp: 1 }],
    ['no end', { exp: undefined }],
    ['a beginning in the future', { nbf: 4_000_000_000 }],
  ])('with %s is refused', async (_what, claims) => {
    const { ask, sign } = await team();
    expect((await ask(await sign(claims))).code).toBe('unauthorized');
  });

  it('signed by another key, by a shared secret, or not at all, is refused', async () => {
    const { ask, sign, daemon, issuer } = await team();
    const stranger = await startIssuer();
    expect((await ask(await stranger.sign({ iss: issuer.url }, daemon.clock.now()))).code).toBe('unauthorized');
    const shared = await new SignJWT({ iss: issuer.url, aud: audience, sub: 'x', exp: 4_000_000_000 })
      .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
      .sign(new TextEncoder().encode('a secret of at least thirty-two bytes'));
    expect((await ask(shared)).code).toBe('unauthorized');
    const [, body] = (await sign()).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const token of [`${none}.${body}.`, `${none}.${body}.x`]) expect((await ask(token)).code).toBe('unauthorized');
  });

  it('is refused where no issuer is set', async () => {
    const { sign } = await team();
    const other = await startTestDaemon();
    expect((await restOf(other, await sign()).call('get_current_user')).code).toBe('unauthorized');
  });

  it('K193 the name is the first claim that says one, and a missing address is no hindrance', () => {
    const claims = { sub: 'u-1', email: 'e@x.org', name: 'A. N.', login: 'an', preferred_username: 'ana' };
    expect(nameOf(claims)).toBe('ana');
    expect(nameOf({ ...claims, preferred_username: ' ' })).toBe('an');
    expect(nameOf({ sub: 'u-1', email: 'e@x.org', name: 'A. N.' })).toBe('A. N.');
    expect(nameOf({ sub: 'u-1', email: 'e@x.org' })).toBe('e@x.org');
    expect(nameOf({ sub: 'u-1' })).toBe('u-1');
    expect(nameOf({ sub: '17' })).toBe('user 17');
  });

  it('K23 holds the scopes that it names and the setting allows; unknown ones alone are none', async () => {
    const { daemon, sign } = await team({ LOCI_AUTH_SCOPES: 'read write:memories' });
    const codes = async (claims: object): Promise<(string | null)[]> => {
      const surface = restOf(daemon, await sign(claims));
      const calls = [
        ['memory_search', { query: 'ledger' }],
        ['memory_save', { content: 'The ledger closes on Fridays' }],
        ['create_project', { name: `p${Math.random()}`, description: 'd' }],
        ['list_jobs', {}],
      ] as const;
      const answers: (string | null)[] = [];
      for (const [operation, input] of calls) answers.push((await surface.call(operation, input)).code);
      return answers;
    };
    const no = 'forbidden';
    expect(await codes({})).toEqual([null, null, no, no]);
    expect(await codes({ scope: 'read' })).toEqual([null, no, no, no]);
    expect(await codes({ scp: ['write', 'openid'] })).toEqual([no, null, no, no]);
    expect(await codes({ scope: 'openid profile' })).toEqual([no, no, no, no]);
    expect(await codes({ scope: '' })).toEqual([no, no, no, no]);
    expect(scopesOf({ scope: 'admin' }, ['*'])).toEqual(['admin']);
    expect(scopesOf({}, ['*'])).toEqual(['read', 'write']);
    // a ceiling is no grant: who is not named administrator is none
    expect(scopesOf({}, ['read', 'write', 'admin'])).toEqual(['read', 'write']);
    expect(scopesOf({}, ['admin'])).toEqual([]);
  });

  it('K196 many first calls at once make one user; another subject of the same name is another user', async () => {
    const { daemon, ask, sign } = await team();
    const tokens = await Promise.all(
      Array.from({ length: 12 }, (_, index) => sign({ preferred_username: 'ana', jti: String(index) })),
    );
    const answers = await Promise.all(tokens.map(ask));
    expect(new Set(answers.map(({ output }) => output.id))).toEqual(new Set([2]));
    const other = await ask(await sign({ preferred_username: 'ana', sub: 'ana-2' }));
    expect(other.output).toMatchObject({ id: 3, name: 'ana (2)' });
    expect((await ask(await sign({ preferred_username: 'local', sub: 'x' }))).output).toMatchObject({
      id: 4,
      name: 'local (2)',
    });
    expect(await asOwner(daemon, 'list_users')).toMatchObject({ total: 4 });
  });

  it('ends with its time though it was verified before', async () => {
    const { daemon, ask, sign } = await team();
    const token = await sign();
    expect((await ask(token)).ok).toBe(true);
    daemon.clock.advance(3600_000 + 31_000);
    expect((await ask(token)).code).toBe('unauthorized');
  });

  it('the keys are asked for once, and again when the issuer has new ones', async () => {
    const { issuer, ask, sign } = await team();
    for (const jti of ['1', '2', '3']) expect((await ask(await sign({ jti }))).ok).toBe(true);
    expect(issuer.asked()).toBe(1);
    await issuer.rotate();
    const before = issuer.asked();
    await ask(await sign());
    await ask(await sign({ jti: '2' }));
    expect(issuer.asked() - before).toBeLessThanOrEqual(1); // nonsense does not make us knock at every call
  });

  it('while the keys cannot be read the answer is that, not that the token is wrong', async () => {
    const { issuer, ask, sign } = await team();
    issuer.fail();
    expect((await ask(await sign())).code).toBe('unavailable');
  });

  it('K195 the ways to log in are told', async () => {
    const { daemon } = await team();
    expect(await asOwner(daemon, 'get_auth_info')).toMatchObject({
      authMode: 'jwt',
      authEnabled: true,
      oauthProviders: [],
    });
  });
});

describe('K194 the cache of verified tokens', () => {
  it('hits until its time, keeps the most used, and is keyed by what it is given: a hash', () => {
    const cache = createCache<number>(2);
    cache.set('a', 1, 100);
    cache.set('b', 2, 100);
    expect(cache.get('a', 99)).toBe(1);
    cache.set('c', 3, 100);
    expect([cache.get('a', 99), cache.get('b', 99), cache.get('c', 99)]).toEqual([1, null, 3]);
    expect(cache.get('a', 100)).toBeNull();
    expect(cache.get('a', 99)).toBeNull();
  });
});
