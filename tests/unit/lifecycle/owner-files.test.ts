import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cardOf, readCard, writeCard } from '#daemon/lifecycle/card.ts';
import { loadSettings } from '#daemon/lifecycle/load-settings.ts';
import { ensureToken } from '#daemon/lifecycle/token.ts';
import { resolvePaths } from '#shared/paths.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('the token', () => {
  it('is made once, 32 random bytes, 0600', () => {
    const file = join(tempFolder(), 'token');
    const token = ensureToken(file);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(modeOf(file)).toBe(0o600);
    expect(ensureToken(file)).toBe(token);
  });

  it('is made anew when a crash left half of it', () => {
    const file = join(tempFolder(), 'token');
    writeFileSync(file, 'abc');
    expect(ensureToken(file)).not.toBe('abc');
  });

  it('is closed to others when it was open', () => {
    const file = join(tempFolder(), 'token');
    const token = ensureToken(file);
    chmodSync(file, 0o644);
    expect(ensureToken(file)).toBe(token);
    expect(modeOf(file)).toBe(0o600);
  });
});

describe('the card', () => {
  it('says who runs, 0600, and leaves no draft behind', () => {
    const folder = tempFolder();
    const paths = resolvePaths({ LOCI_HOME: folder });
    const file = join(folder, 'locid.json');
    writeCard(file, cardOf(paths, Date.UTC(2026, 0, 5), 300));
    expect(readCard(file)).toMatchObject({
      pid: process.pid,
      started_at: '2026-01-05T00:00:00.000Z',
      port: null,
      http_socket: paths.httpSocket,
      mcp_socket: paths.mcpSocket,
      node_path: process.execPath,
    });
    expect(modeOf(file)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['locid.json']);
  });

  it('B70 replaces a planted link instead of writing through it', () => {
    const folder = tempFolder();
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, join(folder, 'locid.json'));
    writeCard(join(folder, 'locid.json'), cardOf(resolvePaths({ LOCI_HOME: folder }), 0, 300));
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(lstatSync(join(folder, 'locid.json')).isFile()).toBe(true);
  });

  it.each(['', 'null', '[1]', '{"pid":', 'sleep'])('is null when the file holds %j', (text) => {
    const file = join(tempFolder(), 'locid.json');
    writeFileSync(file, text);
    expect(readCard(file)).toBeNull();
  });
});

describe('the settings file', () => {
  it('may be missing', async () => {
    const { values } = await loadSettings({ file: join(tempFolder(), 'config.toml'), env: {} });
    expect(values['http.port']).toBe(3456);
  });

  it('is read as TOML under environment and flags', async () => {
    const file = join(tempFolder(), 'config.toml');
    writeFileSync(file, '[http]\nport = 1\nhost = "localhost"\n[log]\nlevel = "warn"\n[jobs.clean]\nenabled = false\n');
    const { values } = await loadSettings({ file, env: { LOCI_PORT: '2' }, flags: { 'http.host': '127.0.0.1' } });
    expect(values['http.port']).toBe(2);
    expect(values['http.host']).toBe('127.0.0.1');
    expect(values['log.level']).toBe('warn');
    expect(values['jobs.clean.enabled']).toBe(false);
  });

  it('that is no TOML is refused by line and column', async () => {
    const file = join(tempFolder(), 'config.toml');
    writeFileSync(file, '[http]\nport = = 1\n');
    await expect(loadSettings({ file, env: {} })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('line 2'),
    });
  });

  it('with a key in it becomes its owner’s alone', async () => {
    const file = join(tempFolder(), 'config.toml');
    writeFileSync(file, '[embedding]\nopenai_api_key = "sk-1"\n', { mode: 0o644 });
    await loadSettings({ file, env: {} });
    expect(modeOf(file)).toBe(0o600);
  });
});
