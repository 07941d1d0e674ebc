// The shim and the daemon as they are shipped, with the bundled model: the cases of the public reports that a test daemon cannot show.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { homeIn, pidOf } from '../../support/daemon-process.ts';
import { connectRaw } from '../../support/mcp-client.ts';
import { queryHome } from '../../support/open-store-file.ts';
import { connectTo, loci, locid } from '../../support/real-daemon.ts';
import { runLoci } from '../../support/run-program.ts';
import { callTool, initialize, initialized, type RunningShim, runShim } from '../../support/shim.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type ToolAnswer = { isError?: boolean; structuredContent: Record<string, unknown>; content: { text: string }[] };

const content = async (shim: RunningShim, id: string | number): Promise<Record<string, unknown>> =>
  ((await shim.answer(id, 30_000)).result as ToolAnswer).structuredContent;

function session(
  folder: string,
  options: { env?: NodeJS.ProcessEnv; cwd?: string; args?: string[] } = {},
): RunningShim {
  const shim = runShim(loci, { home: folder, ...options, env: { LOCI_PORT: '0', ...options.env } });
  shim.send(initialize('hello'));
  shim.send(initialized);
  return shim;
}

it('B35 a session of every tool over a cold model, logging at its loudest: each line of stdout is JSON-RPC', async () => {
  const { folder } = homeIn(tempFolder());
  const loud = {
    LOCI_LOG_LEVEL: 'debug',
    NODE_DEBUG: 'net,stream',
    DEBUG: '*',
    NODE_OPTIONS: '--trace-deprecation --trace-warnings --pending-deprecation',
  };
  const shim = session(folder, { env: loud, args: ['--tools', 'all'] });
  shim.send({ jsonrpc: '2.0', id: 'list', method: 'tools/list' });
  const { tools } = (await shim.answer('list', 20_000)).result as { tools: { name: string; inputSchema: object }[] };
  expect(tools.length).toBeGreaterThan(10);
  const argumentsOf: Record<string, object> = {
    memory: { action: 'list' },
    memory_save: { content: 'Deploys go through Argo' },
    memory_search: { query: 'how do we deploy', mode: 'vector' },
    memory_checkpoint: { task_summary: 'Moved deploys to Argo' },
    memory_get: { id: 1 },
    memory_update: { id: 1, tags: ['ci'] },
    memory_archive: { id: 2 },
    discover_tools: {},
    how_to_use_tool: { tool_name: 'memory_save' },
    execute_tool: { tool_name: 'memory_sync', arguments: {} },
  };
  for (const { name } of tools) shim.send(callTool(name, name, argumentsOf[name] ?? {}));
  for (const { name } of tools) await shim.answer(name, 60_000);
  expect((await content(shim, 'memory_save')).outcome).toBe('created');
  for (const line of shim.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  shim.child.stdin.end();
  expect(await shim.exited).toBe(0);
}, 90_000);

describe('a daemon that cannot start', () => {
  it('because of a bad setting: the agent is told at once which and what is allowed, and is served once it is mended', async () => {
    const { folder, paths } = homeIn(tempFolder());
    mkdirSync(paths.config, { recursive: true });
    writeFileSync(paths.settings, '[decay]\nhalf_life_days = -3\n');
    const startMs = Date.now();
    const shim = session(folder);
    const { error } = (await shim.answer('hello', 20_000)) as { error: { message: string; data: object } };
    expect(Date.now() - startMs).toBeLessThan(8_000);
    expect(error).toMatchObject({ data: { code: 'unavailable' } });
    expect(error.message).toMatch(/decay\.half_life_days.*-3/);
    expect(error.message).not.toContain(folder);
    writeFileSync(paths.settings, '');
    shim.send(initialize('again'));
    expect(await shim.answer('again', 30_000)).toHaveProperty('result');
  });
});

describe('an older daemon', () => {
  it('whose installation was renewed ends for a newer client that greets it, and the session of another goes on', async () => {
    const { folder, paths } = homeIn(tempFolder());
    const script = join(folder, 'locid.mjs');
    const installed = join(folder, 'installed');
    writeFileSync(installed, '0.1.0');
    writeFileSync(
      script,
      `import { readFileSync } from 'node:fs';
      if (process.argv.includes('--version')) console.log('locid ' + readFileSync(${JSON.stringify(installed)}, 'utf8'));
      else await import(${JSON.stringify(pathToFileURL(locid).href)});`,
    );
    const env = { PATH: process.env.PATH, HOME: folder, LOCI_HOME: folder, LOCI_PORT: '0' };
    const old = spawn(process.execPath, [script], { env, stdio: 'ignore' });
    const ended = new Promise((resolve) => old.on('exit', resolve));
    onTestFinished(() => void old.kill('SIGKILL'));
    await expect.poll(() => existsSync(paths.mcpSocket), { timeout: 20_000 }).toBe(true);
    const shim = session(folder);
    shim.send(callTool('before', 'memory_save', { content: 'said before' }));
    await content(shim, 'before');
    writeFileSync(installed, '99.0.0');
    const client = await connectRaw(paths.mcpSocket);
    client.send({ loci: 1, session: 'newer', version: '99.0.0', cwd: null, resume: false, env: {} });
    expect(await ended).toBe(0);
    shim.send(callTool('after', 'memory_search', { query: 'said before', mode: 'keyword' }));
    expect(await content(shim, 'after')).toMatchObject({ results: [{ id: 1 }] });
  }, 60_000);
});

it('B36 text cut inside its characters is stored byte for byte: by the shim, by MCP on the socket, by HTTP on the socket', async () => {
  const { folder, env } = homeIn(tempFolder());
  const text = 'Grüße — 日本 😀';
  const shim = session(folder);
  await shim.answer('hello');
  for (const byte of Buffer.from(`${JSON.stringify(callTool(1, 'memory_save', { content: text, title: text }))}\n`))
    shim.child.stdin.write(Buffer.from([byte]));
  const { id } = (await content(shim, 1)) as { id: number };
  const connection = connectTo({ env });
  expect(await connection.call('memory_get', { id })).toMatchObject({ content: text, title: text });
  const [row] = queryHome<{ hex: string }>(folder, 'SELECT hex(content) AS hex FROM memories WHERE id = ?', id);
  expect(row?.hex).toBe(Buffer.from(text).toString('hex').toUpperCase());
  const found = (await connection.call('memory_search', { query: '日本', mode: 'keyword', depth: 1 })) as {
    results: { id: number }[];
  };
  expect(found.results.map((result) => result.id)).toEqual([id]);
});

describe('B38 where the agent was started', () => {
  it('the home folder, /, and a folder that is gone: the configured store, no project, and no file left there', async () => {
    const { folder } = homeIn(tempFolder());
    const user = tempFolder();
    const gone = join(tempFolder(), 'gone');
    mkdirSync(gone);
    for (const cwd of [user, '/']) {
      const shim = session(folder, { cwd, env: { HOME: user } });
      shim.send(callTool('save', 'memory_save', { content: `from ${cwd === '/' ? 'the root' : 'home'}` }));
      expect(await content(shim, 'save')).toMatchObject({ outcome: 'created', project: null });
      shim.send(callTool('sync', 'memory_sync', {}));
      expect(await content(shim, 'sync')).toMatchObject({ project: null, projects: [] });
      shim.child.stdin.end();
      expect(await shim.exited).toBe(0);
    }
    const script = `cd "$1" && rmdir "$1" && exec "$2" "$3" mcp`;
    const child = spawn('bash', ['-c', script, 'x', gone, process.execPath, loci], {
      env: { PATH: process.env.PATH, HOME: user, LOCI_HOME: folder, LOCI_PORT: '0' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = linesOf(child);
    for (const message of [initialize(1), initialized, callTool(2, 'memory_save', { content: 'from nowhere' })])
      child.stdin.write(`${JSON.stringify(message)}\n`);
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      result: { structuredContent: { outcome: 'created', project: null } },
    });
    child.stdin.end();
    expect(readdirSync(user)).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['config', 'data', 'run', 'state']);
    expect(queryHome(folder, 'SELECT count(*) AS n FROM memories')).toEqual([{ n: 3 }]);
  });

  it('a project that is named wins over the folder, and the reply says which', async () => {
    const { folder } = homeIn(tempFolder());
    const work = join(tempFolder(), 'storefront');
    mkdirSync(work);
    writeFileSync(join(work, '.loci.toml'), 'project = "storefront"\n');
    const shim = session(folder, { cwd: work });
    shim.send(callTool(1, 'memory_save', { content: 'of the folder' }));
    expect(await content(shim, 1)).toMatchObject({ project: 'storefront' });
    shim.send(callTool(2, 'memory_save', { content: 'of another', project: 'blog' }));
    expect(await content(shim, 2)).toMatchObject({ project: 'blog' });
  });
});

describe('B34 the agent goes', () => {
  it('at once, with saves in flight: the shim ends with 0, the saves are stored, the daemon stays', async () => {
    const home = homeIn(tempFolder());
    const shim = session(home.folder);
    await shim.answer('hello');
    for (let at = 0; at < 20; at += 1)
      shim.send(callTool(at, 'memory_save', { content: `last word${at}`, on_duplicate: 'keep' }));
    shim.child.stdin.end();
    expect(await shim.exited).toBe(0);
    expect(shim.lines).toHaveLength(21);
    expect(queryHome(home.folder, 'SELECT count(*) AS n FROM memories')).toEqual([{ n: 20 }]);
    expect(await pidOf(home)).not.toBeNull();
  });
});

describe('B43 a deep home', () => {
  it('is served to the CLI and to the shim alike, and two that share 107 bytes never meet', async () => {
    const root = tempFolder();
    const shared = join(root, 'd'.repeat(Math.max(1, 107 - root.length - 1)));
    const homes = ['a', 'b'].map((end) => homeIn(`${shared}${end.repeat(130 - shared.length)}`, { TMPDIR: root }));
    for (const [at, { folder, env }] of homes.entries()) {
      mkdirSync(folder, { recursive: true });
      const run = await runLoci(['add', `by the command line of home${at}`], { env, cwd: '/' });
      expect(run).toMatchObject({ code: 0 });
      const shim = session(folder, { env: { TMPDIR: root }, cwd: '/' });
      shim.send(callTool(1, 'memory_search', { query: 'by the command line', depth: 1 }));
      const { results } = (await content(shim, 1)) as { results: { title: string }[] };
      expect(results.map(({ title }) => title)).toEqual([`by the command line of home${at}`]);
      shim.child.stdin.end();
      expect(await shim.exited).toBe(0);
    }
    const pids = await Promise.all(homes.map((home) => pidOf(home)));
    expect(new Set(pids).size).toBe(2);
  });
});

function linesOf(child: ChildProcessWithoutNullStreams): string[] {
  const lines: string[] = [];
  let partial = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (partial + chunk).split('\n');
    partial = parts.pop() ?? '';
    lines.push(...parts);
  });
  return lines;
}
