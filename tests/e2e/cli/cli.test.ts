// The built `loci` against the built daemon with the bundled model: what a person does in the first ten minutes, and the public
// reports that a command line repeats.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type ProgramOptions, programEnv, runLoci } from '../../support/run-program.ts';
import { sendSignal } from '../../support/send-signal.ts';

const home = mkdtempSync(join(tmpdir(), 'loci-e2e-'));
/** No setting keeps the daemon from starting by itself here. */
const env = programEnv(home, { LOCI_NO_AUTOSTART: '', LOCI_PORT: '0' });

const loci = (args: readonly string[], options: Omit<ProgramOptions, 'env'> = {}) =>
  runLoci(args, { env, cwd: tmpdir(), ...options });

/** The answer of a command that must succeed. */
async function answer(args: readonly string[], options: Omit<ProgramOptions, 'env'> = {}) {
  const run = await loci(['--json', ...args], options);
  expect(run, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(run.stdout);
}

async function add(text: string, ...flags: string[]): Promise<number> {
  return (await answer(['add', '--on-duplicate', 'keep', ...flags, '--', text])).id;
}

const ids = (found: { results: { id: number }[] }) => found.results.map(({ id }) => id);

afterAll(async () => {
  await loci(['stop']);
  rmSync(home, { recursive: true, force: true });
});

describe('the first ten minutes', () => {
  it('the first command starts the daemon, and what is saved is found by meaning', async () => {
    const id = await add('The billing run is on Monday, so releases go out the day after');
    await add('Coffee is in the cupboard above the sink');
    expect(ids(await answer(['search', 'when do we ship a new version']))[0]).toBe(id);
    expect((await loci(['status'])).code).toBe(0);
  });

  it('a memory is read, corrected, reverted, hidden, brought back and erased', async () => {
    const id = String(await add('The cache holds 10 minutes', '--tag', 'cache', '--problem', 'slow pages'));
    expect(await answer(['get', id])).toMatchObject({ content: 'The cache holds 10 minutes', tags: ['cache'] });
    const updated = await answer(['update', id, '--content', 'The cache holds 20 minutes', '--clear', 'problem']);
    expect(updated).toMatchObject({ content: 'The cache holds 20 minutes', problem: null, history: 1 });
    const { versions } = await answer(['history', id]);
    const first = versions.at(-1).version;
    expect(await answer(['revert', id, '--to', String(first)])).toMatchObject({
      content: 'The cache holds 10 minutes',
    });
    expect(await answer(['archive', id, '--reason', 'gone'])).toMatchObject({ status: 'archived', changed: true });
    expect(await answer(['update', id, '--status', 'active'])).toMatchObject({ status: 'active' });
    expect((await loci(['purge', id])).code).toBe(2);
    expect(await answer(['purge', id, '--yes'])).toMatchObject({ purged: true });
    expect(await loci(['get', id])).toMatchObject({ code: 3, stdout: '' });
  });

  it('facts are saved, replaced, found, counted and forgotten', async () => {
    expect(
      await answer(['fact', 'save', 'technical', 'ci_host', 'Runner is build-3', '--confidence', '95']),
    ).toMatchObject({
      created: true,
    });
    expect(await answer(['fact', 'save', 'technical', 'ci_host', 'Runner is build-4'])).toMatchObject({
      created: false,
    });
    const { facts } = await answer(['fact', 'search', 'which machine is the runner']);
    expect(facts[0]).toMatchObject({ category: 'technical', key: 'ci_host', value: 'Runner is build-4' });
    expect((await answer(['fact', 'list'])).categories).toMatchObject([{ category: 'technical', facts: 1 }]);
    expect(await answer(['fact', 'forget', 'technical', 'ci_host', '--yes'])).toEqual({ deleted: 1 });
    expect((await loci(['fact', 'forget', 'ci_host', '--yes'])).code).toBe(3);
    const bad = await loci(['fact', 'save', 'technical', 'CI Host', 'x']);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('ci_host');
  });

  it('stats, health, sync, jobs, projects, settings, token and instructions answer', async () => {
    await add('Checkout uses row versions', '--project', 'storefront');
    expect((await answer(['sync'])).health).toBe('ok');
    expect((await answer(['stats'])).memories.active).toBeGreaterThan(0);
    expect((await answer(['health'])).status).toBe('ok');
    expect((await answer(['project', 'list', '--name', 'STORE'])).projects[0].name).toBe('storefront');
    expect((await answer(['project', 'alias', 'storefront', 'shop'])).aliases).toContain('shop');
    expect((await answer(['jobs', 'list'])).jobs.length).toBeGreaterThan(0);
    expect(await answer(['jobs', 'run', 'reconcile'])).toMatchObject({ job: 'reconcile', outcome: 'ok' });
    expect((await loci(['jobs', 'run', 'no_such_job'])).code).toBe(3);
    expect((await answer(['config']))['http.port']).toEqual({ value: 0, origin: 'LOCI_PORT' });
    expect((await loci(['token', 'show'])).stdout).toMatch(/^\S{32,}\n$/);
    expect((await loci(['prompt'])).stdout).toMatch(/\S/);
    expect((await loci(['logs', '-n', '5'])).stdout).toContain('info');
  });

  it('every command that prints for people succeeds and prints no control character', async () => {
    const id = String(await add('evil \u001b]0;title\u0007 \u202Etxt', '--title', 'evil \u001b[2J'));
    for (const args of [
      ['get', id],
      ['search', 'evil title'],
      ['history', id],
      ['stats'],
      ['health'],
      ['sync'],
      ['jobs', 'list'],
    ]) {
      const run = await loci(args);
      expect(run.code, args.join(' ')).toBe(0);
      expect(run.stdout.replaceAll('\n', ''), args.join(' ')).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });
});

describe('public reports', () => {
  it('B01 quotes, brackets and the word AND are text', async () => {
    const text = `what's "foo AND (bar`;
    const id = await add(text);
    for (const mode of ['keyword', 'hybrid']) {
      const run = await loci(['search', text, '--mode', mode, '--json']);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(ids(JSON.parse(run.stdout))[0]).toBe(id);
    }
  });

  it('B02 dates, paths and names with punctuation are found by themselves', async () => {
    const texts = ['2024-11-05', 'std::vector', 'multi-step', 'src/a.b.ts', 'C++', '#42', 'dev@host.test'];
    for (const text of texts) {
      const id = await add(`note about ${text}`);
      const found = await answer(['search', '--mode', 'keyword', '--', text]);
      expect(ids(found), text).toContain(id);
      expect(found.degraded, text).toEqual([]);
    }
  });

  it('B03 a blank query is refused by name, one of punctuation finds nothing', async () => {
    for (const query of ['', ' \t']) {
      const run = await loci(['search', query]);
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toContain('query');
    }
    for (const query of ['"', '***', '()', '-']) {
      const run = await loci(['search', '--json', '--', query], { stdin: '-' });
      expect(run, query).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(run.stdout).results).toEqual([]);
    }
  });

  it('B04 a limit out of range is refused with its field and bounds', async () => {
    for (const limit of ['-1', '0', '2.5', 'abc', '51', '1000000000']) {
      const run = await loci(['search', 'note', '--limit', limit]);
      expect(run, limit).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr, limit).toContain('limit');
    }
  });

  it('B40 dash-led text and stdin are stored exactly', async () => {
    const first = await answer(['add', '--title', '--force', '--', '-rf is dangerous']);
    expect(await answer(['get', String(first.id)])).toMatchObject({ title: '--force', content: '-rf is dangerous' });
    const text = '--- front\n\n  matter — 東京\ttab';
    const second = await answer(['add', '--title=-x', '-'], { stdin: text });
    expect(await answer(['get', String(second.id)])).toMatchObject({ title: '-x', content: text });
    const third = await answer(['call', 'memory_save', '--args', '-'], { stdin: '{"content": "-q by call"}' });
    expect(await answer(['get', String(third.id)])).toMatchObject({ content: '-q by call' });
  });
});

describe('the daemon by its commands', () => {
  it('stop means stopped: no command starts it again until start does', async () => {
    expect((await loci(['stop'])).code).toBe(0);
    const refused = await loci(['sync']);
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).toContain('loci start');
    expect((await loci(['status'])).code).toBe(5);
    expect((await loci(['stop'])).code).toBe(0);
    expect(await answer(['start'])).toMatchObject({ running: true });
    const before = await answer(['status']);
    expect(await answer(['restart'])).toMatchObject({ running: true });
    expect((await answer(['status'])).pid).not.toBe(before.pid);
    expect(existsSync(join(home, 'run', 'loci.sock'))).toBe(true);
  });

  it('serve runs it in the foreground and ends well when interrupted', async () => {
    await loci(['stop']);
    const served = loci(['serve']);
    let pid = 0;
    for (let round = 0; pid === 0 && round < 100; round += 1) {
      const run = await loci(['status', '--json']);
      if (run.code === 0) pid = JSON.parse(run.stdout).pid;
    }
    sendSignal(pid, 'SIGTERM');
    expect((await served).code).toBe(0);
  });
});
