// The built `loci` as a process, against a daemon of the test's own: what only a process shows (pipes, signals, exit codes).
import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { LociError } from '#shared/errors.ts';
import { version } from '#shared/version.ts';
import { startFakeHttpDaemon } from '../../support/fake-http-daemon.ts';
import { programEnv, runLoci } from '../../support/run-program.ts';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const saved = { id: 7, outcome: 'created', project: null, warnings: [] };

describe('loci as a process', () => {
  it('--version prints the version alone', async () => {
    expect(await runLoci(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('sends an operation over the socket and prints its answer', async () => {
    const daemon = await startFakeHttpDaemon(() => saved);
    const run = await runLoci(['add', '-', '--tag', 'x'], { env: programEnv(daemon.home), stdin: 'from a pipe\n' });
    expect(run).toEqual({ code: 0, stdout: 'Saved #7.\n', stderr: '' });
    const request = daemon.seen.find(({ method }) => method === 'POST');
    expect(request?.path).toBe('/operations/memory_save');
    expect(JSON.parse(request?.body ?? '')).toEqual({ content: 'from a pipe', tags: 'x' });
    expect(request?.headers['idempotency-key']).toMatch(/\S{16,}/);
  });

  it.each([
    ['invalid_input', 2],
    ['not_found', 3],
    ['conflict', 4],
    ['rejected_by_policy', 1],
    ['internal', 1],
  ] as const)('a problem %s ends with exit code %i and its sentence', async (code, exitCode) => {
    const daemon = await startFakeHttpDaemon(() => {
      throw new LociError(code, 'Say it otherwise.');
    });
    const run = await runLoci(['get', '1', '--json'], { env: programEnv(daemon.home) });
    expect(run).toEqual({ code: exitCode, stdout: '', stderr: 'error: Say it otherwise.\n' });
  });

  it('no daemon is exit code 5 and a sentence that says what to do', async () => {
    const run = await runLoci(['sync'], { env: programEnv(tempFolder()) });
    expect(run).toMatchObject({ code: 5, stdout: '' });
    expect(run.stderr).toMatch(/^error: .*loci start.*\n$/);
  });

  it('status says that nothing runs, and starts nothing', async () => {
    const home = tempFolder();
    const run = await runLoci(['status', '--json'], { env: programEnv(home, { LOCI_NO_AUTOSTART: '' }) });
    expect(run.code).toBe(5);
    expect(JSON.parse(run.stdout)).toMatchObject({ running: false });
    expect((await runLoci(['status', '--json'], { env: programEnv(home) })).code).toBe(5);
  });

  it('--home beats LOCI_HOME', async () => {
    const daemon = await startFakeHttpDaemon(() => saved);
    const run = await runLoci(['add', 'x', '--home', daemon.home], { env: programEnv(tempFolder()) });
    expect(run.code).toBe(0);
  });

  it('prompt prints what the daemon serves', async () => {
    const daemon = await startFakeHttpDaemon(() => ({}));
    expect(await runLoci(['prompt'], { env: programEnv(daemon.home) })).toEqual({
      code: 0,
      stdout: '# Memory\n',
      stderr: '',
    });
  });

  it('an interrupted command is exit code 130', async () => {
    const home = tempFolder();
    mkdirSync(join(home, 'state', 'log'), { recursive: true });
    writeFileSync(join(home, 'state', 'log', 'locid.log'), '{"level":30,"time":0,"msg":"first"}\n');
    const run = await runLoci(['logs', '-f'], { env: programEnv(home), interruptAt: /first/ });
    expect(run.code).toBe(130);
  });

  it('logs -f shows what comes', async () => {
    const home = tempFolder();
    const file = join(home, 'state', 'log', 'locid.log');
    mkdirSync(join(home, 'state', 'log'), { recursive: true });
    writeFileSync(file, '{"level":30,"time":0,"msg":"first"}\n');
    const run = runLoci(['logs', '-f'], { env: programEnv(home), interruptAt: /second/ });
    const timer = setInterval(() => appendFileSync(file, '{"level":40,"time":0,"msg":"second"}\n'), 200);
    expect(await run.finally(() => clearInterval(timer))).toMatchObject({ code: 130, stderr: '' });
    expect((await run).stdout).toContain('warn  second');
  });

  it('B39 a reader that leaves early gets no message and no stack, fifty times', async () => {
    const projects = Array.from({ length: 5_000 }, (_, index) => ({
      id: index + 1,
      name: `project ${index}`,
      project_type: 'development',
      status: 'active',
      memory_count: 1,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    }));
    const daemon = await startFakeHttpDaemon(() => ({ projects, total_count: 5_000, total: 5_000, has_more: false }));
    const script = '"$0" "$1" project list $2 | head -c 10 >/dev/null; echo "status $PIPESTATUS"';
    const program = join(root, 'dist/loci.cjs');
    for (let round = 0; round < 50; round += 5) {
      const flags = Array.from({ length: 5 }, (_, index) => ((round + index) % 2 === 0 ? '--json' : '--quiet'));
      const runs = flags.map((flag) =>
        promisify(execFile)('bash', ['-c', script, process.execPath, program, flag], { env: programEnv(daemon.home) }),
      );
      for (const run of await Promise.all(runs)) expect(run).toEqual({ stdout: 'status 0\n', stderr: '' });
    }
  }, 60_000);

  it('B40 dash-led text is stored exactly, and an unknown flag is exit code 2', async () => {
    const daemon = await startFakeHttpDaemon(() => saved);
    const env = programEnv(daemon.home);
    await runLoci(['add', '--title', '--force', '--', '-rf is dangerous'], { env });
    await runLoci(['call', 'memory_save', '--args', '-'], { env, stdin: '{"content":"-x"}' });
    const bodies = daemon.seen.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
    expect(bodies).toEqual([{ content: '-rf is dangerous', title: '--force' }, { content: '-x' }]);
    expect(await runLoci(['add', '-x', '--bogus'], { env })).toMatchObject({ code: 2, stdout: '' });
  });
});
