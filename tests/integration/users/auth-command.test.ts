// `loci auth` and the client of a daemon elsewhere (K198): the same daemon, reached over TCP from another home.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { normaliseServer } from '#clients/connect/saved-logins.ts';
import { programEnv, runLoci } from '../../support/run-program.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { startTestDaemon } from '../../support/test-daemon.ts';
import { asOwner, newToken } from '../../support/token-surfaces.ts';

async function elsewhere() {
  const daemon = await startTestDaemon();
  const server = `http://127.0.0.1:${await daemon.port()}`;
  const home = tempFolder();
  const loci = (args: string[], env: Record<string, string> = {}, stdin = '') =>
    runLoci(args, { env: programEnv(home, env), cwd: '/', stdin });
  return { daemon, server, home, loci };
}

describe('K198 addresses of servers', () => {
  it.each([
    ['HTTP://Example.ORG:80/', 'http://example.org'],
    ['https://example.org:443/mcp', 'https://example.org'],
    ['https://example.org:8443//', 'https://example.org:8443'],
    [' http://[::1]:3456 ', 'http://[::1]:3456'],
  ])('%s is %s', (given, normal) => expect(normaliseServer(given)).toBe(normal));

  it.each(['example.org', 'ftp://example.org', 'http://', 'https://ana:word@example.org'])('%s is refused', (given) => {
    expect(() => normaliseServer(given)).toThrow();
  });
});

describe('K198 loci auth', () => {
  it('keeps a token for a server in a file of its owner alone, uses it, says where it comes from, and forgets it', async () => {
    const { daemon, server, home, loci } = await elsewhere();
    await asOwner(daemon, 'create_user', { name: 'ana' });
    const token = await newToken(daemon, { name: 'desk', user: 'ana' });
    const before = await loci(['auth', 'status', '--server', server, '--json']);
    expect([before.code, JSON.parse(before.stdout)]).toEqual([1, expect.objectContaining({ logged_in: false })]);

    const login = await loci(
      ['auth', 'login', '--server', `${server}/mcp`, '--with-token', '--json'],
      {},
      `${token}\n`,
    );
    expect([login.code, JSON.parse(login.stdout)]).toEqual([0, { server, user: 'ana' }]);
    const file = join(home, 'config', 'servers.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(login.stdout + login.stderr).not.toContain(token);

    const added = await loci(['add', 'The barn is red', '--json'], { LOCI_SERVER: server });
    expect(JSON.parse(added.stdout)).toMatchObject({ outcome: 'created' });
    expect((await asOwner(daemon, 'memory_stats')).memories).toMatchObject({ active: 0 });
    const status = await loci(['auth', 'status', '--json'], { LOCI_SERVER: `${server}/` });
    expect(JSON.parse(status.stdout)).toEqual({ server, logged_in: true, user: 'ana', token_from: 'login' });

    const logout = await loci(['auth', 'logout', '--server', server, '--json']);
    expect(JSON.parse(logout.stdout)).toEqual({ server, logged_out: true });
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    expect((await loci(['sync'], { LOCI_SERVER: server })).code).not.toBe(0);
  });

  it('--token comes before LOCI_TOKEN, which comes before the login', async () => {
    const { daemon, server, loci } = await elsewhere();
    const tokens: Record<string, string> = {};
    for (const name of ['of-flag', 'of-environment', 'of-login']) {
      await asOwner(daemon, 'create_user', { name });
      tokens[name] = await newToken(daemon, { name, user: name });
    }
    const who = async (args: string[], env: Record<string, string>): Promise<string> => {
      const { stdout } = await loci(['call', 'get_current_user', '--json', '--server', server, ...args], env);
      return String(JSON.parse(stdout).name);
    };
    await loci(['auth', 'login', '--server', server, '--with-token'], {}, tokens['of-login']);
    const flag = ['--token', tokens['of-flag'] ?? ''];
    const environment = { LOCI_TOKEN: tokens['of-environment'] ?? '' };
    expect(await who(flag, environment)).toBe('of-flag');
    expect(await who([], environment)).toBe('of-environment');
    expect(await who([], {})).toBe('of-login');
  });

  it('a token that is not valid is not kept', async () => {
    const { server, loci, home } = await elsewhere();
    const login = await loci(['auth', 'login', '--server', server, '--token', `loci_${'x'.repeat(43)}`]);
    expect([login.code, login.stderr]).toEqual([1, expect.stringContaining('not valid')]);
    expect(() => statSync(join(home, 'config', 'servers.json'))).toThrow();
  });

  it('without a token, the owner approves the code that is shown, and the token was never on the way', async () => {
    const { daemon, server, home, loci } = await elsewhere();
    await asOwner(daemon, 'create_user', { name: 'ana' });
    let approved: Promise<unknown> | null = null;
    const login = await runLoci(['auth', 'login', '--server', server, '--wait-s', '20'], {
      env: programEnv(home),
      cwd: '/',
      onStderr: (text) => {
        const code = /[B-Z]{4}-[B-Z]{4}/.exec(text)?.[0];
        if (code !== undefined) approved ??= asOwner(daemon, 'approve_login', { code, user: 'ana', scopes: ['read'] });
      },
    });
    expect([login.code, login.stdout]).toEqual([0, `logged in to ${server} as ana\n`]);
    expect(await approved).toMatchObject({ user: 'ana', scopes: ['read'] });
    const saved = await loci(['add', 'x y z'], { LOCI_SERVER: server });
    expect([saved.code, saved.stderr]).toEqual([1, expect.stringContaining('not permitted')]);
  });

  it('a login that nobody approves ends by itself', async () => {
    const { server, loci } = await elsewhere();
    const login = await loci(['auth', 'login', '--server', server, '--wait-s', '0']);
    expect([login.code, login.stderr]).toEqual([
      1,
      expect.stringMatching(/loci auth approve [B-Z]{4}-[B-Z]{4}[\s\S]*in time/),
    ]);
  });
});
