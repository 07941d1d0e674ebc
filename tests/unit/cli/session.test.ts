import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCliHere } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const nothingFound = { results: [], related: [], depth: 2, mode: 'hybrid', degraded: [], took_ms: 1 };

describe('stdout and stderr', () => {
  it('a notice goes to stderr, and --quiet leaves it out', async () => {
    const options = { answer: () => nothingFound };
    expect(await runCliHere(['search', 'q'], options)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Nothing found.\n',
    });
    expect(await runCliHere(['search', 'q', '--quiet'], options)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('--json prints exactly the answer, one document, and no notice', async () => {
    const run = await runCliHere(['search', 'q', '--json'], { answer: () => nothingFound });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toEqual(nothingFound);
  });

  it('--json on a terminal is laid out and says the same', async () => {
    const answer = { text: 'a\u009bb' };
    const run = await runCliHere(['stats', '--json'], { answer: () => answer, columns: 80 });
    expect(JSON.parse(run.stdout)).toEqual(answer);
    expect(run.stdout).toContain('\n  ');
    expect(run.stdout).not.toContain('\u009b');
  });

  it('colours a terminal, and neither a pipe nor with --no-color', async () => {
    const options = { answer: () => ({ id: 1, outcome: 'created', project: null, warnings: [] }) };
    expect((await runCliHere(['add', 'x'], { ...options, columns: 80 })).stdout).toContain('\u001b[36m#1');
    expect((await runCliHere(['add', 'x'], options)).stdout).toBe('Saved #1.\n');
    expect((await runCliHere(['add', 'x', '--no-color'], { ...options, columns: 80 })).stdout).toBe('Saved #1.\n');
  });
});

describe('commands without a daemon', () => {
  it('config prints every setting with its value and origin, and no secret', async () => {
    const home = tempFolder();
    mkdirSync(join(home, 'config'), { recursive: true });
    writeFileSync(join(home, 'config', 'config.toml'), '[search]\ndefault_limit = 7\n');
    const env = { LOCI_HOME: home, LOCI_PORT: '0', OPENAI_API_KEY: 'sk-not-to-be-seen' };
    const run = await runCliHere(['config', '--json'], { env });
    const settings = JSON.parse(run.stdout) as Record<string, { value: unknown; origin: string }>;
    expect(settings['http.port']).toEqual({ value: 0, origin: 'LOCI_PORT' });
    expect(settings['search.default_limit']).toEqual({ value: 7, origin: join(home, 'config', 'config.toml') });
    expect(settings['search.max_limit']).toEqual({ value: 50, origin: 'default' });
    expect(run.stdout).not.toContain('sk-not-to-be-seen');
    const changed = await runCliHere(['config', '--changed', 'http'], { env });
    expect(changed.stdout).toMatch(/^SETTING\s+VALUE\s+FROM\nhttp\.port\s+0\s+LOCI_PORT\n$/);
  });

  it('config refuses a bad setting with its key, its value and what is allowed', async () => {
    const run = await runCliHere(['config'], { env: { LOCI_HOME: tempFolder(), LOCI_PORT: '99999' } });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/http\.port.*65535.*99999/);
    expect((await runCliHere(['config', 'bogus.key'], { env: { LOCI_HOME: tempFolder() } })).code).toBe(3);
  });

  it('token show prints the token, or says how one is made', async () => {
    const home = tempFolder();
    const missing = await runCliHere(['token', 'show', '--home', home]);
    expect(missing).toMatchObject({ code: 3, stdout: '' });
    mkdirSync(join(home, 'config'), { recursive: true });
    writeFileSync(join(home, 'config', 'token'), 'abc-123\n');
    expect(await runCliHere(['token', 'show', '--home', home])).toMatchObject({ code: 0, stdout: 'abc-123\n' });
  });

  it('logs shows the last lines in words, escaped, and refuses a bad count', async () => {
    const home = tempFolder();
    mkdirSync(join(home, 'state', 'log'), { recursive: true });
    const line = (msg: string) => JSON.stringify({ level: 30, time: Date.UTC(2026, 0, 5), pid: 1, msg, id: 42 });
    writeFileSync(join(home, 'state', 'log', 'locid.log'), `${line('one')}\n${line('two\u001b[2J')}\nnot json\n`);
    const run = await runCliHere(['logs', '-n', '2'], { env: { LOCI_HOME: home } });
    expect(run.stdout).toBe('2026-01-05T00:00:00.000Z info  two\\x1b[2J id=42\nnot json\n');
    for (const count of ['0', '-1', '1.5', 'x']) {
      expect((await runCliHere(['logs', '-n', count], { env: { LOCI_HOME: home } })).code).toBe(2);
    }
  });

  it('tools list and info speak from the contracts', async () => {
    const listed = JSON.parse((await runCliHere(['tools', 'list', '--json'])).stdout);
    expect(listed.tools_by_category.lifecycle.memory_search).toBe('Search memories');
    expect(listed.tools_by_category.admin).toBeUndefined();
    const admin = JSON.parse((await runCliHere(['tools', 'list', '--category', 'ADMIN', '--json'])).stdout);
    expect(Object.keys(admin.tools_by_category)).toEqual(['admin']);
    expect((await runCliHere(['tools', 'list', '--category', 'bogus'])).code).toBe(2);
    const info = JSON.parse((await runCliHere(['tools', 'info', 'memory_get', '--json'])).stdout);
    expect(info).toMatchObject({ name: 'memory_get', mutates: false, json_schema: { required: ['id'] } });
    expect((await runCliHere(['tools', 'info', 'bogus'])).code).toBe(3);
  });

  it('prompt prints the instructions as they are', async () => {
    const run = await runCliHere(['prompt'], { text: '# Memory\n\nSearch first.\n' });
    expect(run.stdout).toBe('# Memory\n\nSearch first.\n');
  });
});
