import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendSignal } from '../../support/send-signal.ts';
import {
  buildShim,
  callTool,
  daemonPid,
  initialize,
  initialized,
  killDaemon,
  markStopped,
  runShim,
  tempHome,
} from '../../support/shim.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let loci = '';
beforeAll(async () => {
  loci = await buildShim('shim');
});

const isAlive = (pid: number): boolean => {
  try {
    sendSignal(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const within = async <T>(promise: Promise<T>, timeoutMs: number): Promise<T | 'late'> =>
  Promise.race([promise, new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), timeoutMs))]);

describe('B34 the shim ends with its agent, and the daemon stays up', () => {
  it('B34 exits with 0 within two seconds when stdin closes', async () => {
    const home = tempHome();
    const shim = runShim(loci, { home });
    shim.send(initialize(1));
    await shim.answer(1);
    shim.child.stdin.end();
    expect(await within(shim.exited, 2_000)).toBe(0);
    expect(isAlive(daemonPid(home) ?? 0)).toBe(true);
  });

  it('B34 gives the answer of a request in flight before it exits', async () => {
    const shim = runShim(loci, { home: tempHome() });
    shim.send(initialize(1));
    await shim.answer(1);
    shim.send(callTool(2, 'memory_search', { query: 'wait:500' }));
    shim.child.stdin.end();
    expect(await within(shim.exited, 2_000)).toBe(0);
    expect(await shim.answer(2)).toHaveProperty('result');
  });

  it('B34 exits when its parent is killed, with a request in flight or without', async () => {
    const home = tempHome();
    const first = runShim(loci, { home });
    first.send(initialize(1));
    await first.answer(1);
    for (const query of [null, 'wait:5000']) {
      const script = [
        `const shim = require('node:child_process').spawn(process.execPath, ${JSON.stringify([loci, 'mcp'])})`,
        'console.log(shim.pid)',
        'shim.stdin.write(process.argv[1])',
      ].join(';');
      const lines = [initialize(1), ...(query === null ? [] : [callTool(2, 'memory_search', { query })])];
      const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const parent = spawn(process.execPath, ['-e', script, input], {
        env: { PATH: process.env.PATH, HOME: home, LOCI_HOME: home },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const pid = Number(await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve)));
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(isAlive(pid)).toBe(true);
      parent.kill('SIGKILL');
      await expect.poll(() => isAlive(pid), { timeout: 2_000 }).toBe(false);
    }
    expect(isAlive(daemonPid(home) ?? 0)).toBe(true);
  });
});

it('B35 every line of stdout is JSON-RPC, also while the daemon fails and everything is told to log', async () => {
  const home = tempHome();
  const shim = runShim(loci, { home, env: { LOCI_LOG_LEVEL: 'debug', NODE_DEBUG: 'net', DEBUG: '*' } });
  shim.send('not json');
  shim.send(initialize(1));
  shim.send(initialized);
  await shim.answer(1);
  shim.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const { tools } = (await shim.answer(2)).result as { tools: { name: string }[] };
  for (const [index, { name }] of tools.entries()) shim.send(callTool(`t${index}`, name, { query: 'x', content: 'x' }));
  await shim.answer(`t${tools.length - 1}`);
  killDaemon(home);
  shim.send(callTool('after', 'memory_search', { query: 'throw' }));
  await shim.answer('after');
  expect(shim.lines.length).toBe(tools.length + 4);
  for (const line of shim.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

it('B36 a request written one byte at a time is stored byte for byte', async () => {
  const home = tempHome();
  const shim = runShim(loci, { home });
  const text = 'Grüße — 日本 😀';
  shim.send(initialize(1));
  await shim.answer(1);
  const line = `${JSON.stringify(callTool(2, 'memory_save', { content: text }))}\n`;
  for (const byte of Buffer.from(line)) shim.child.stdin.write(Buffer.from([byte]));
  await shim.answer(2);
  shim.send(callTool(3, 'memory_search', { query: text }));
  expect(await shim.answer(3)).toMatchObject({ result: { structuredContent: { hint: text } } });
});

it('B37 bad lines are answered and the session works afterwards', async () => {
  const shim = runShim(loci, { home: tempHome() });
  shim.send('not json');
  shim.child.stdin.write(Buffer.from([0xff, 0x0a]));
  shim.send({});
  shim.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  shim.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
  expect(await shim.answer(1)).toHaveProperty('jsonrpc');
  expect(await shim.answer(2)).toMatchObject({ result: {} });
  shim.send(initialize(3, '1999-01-01'));
  expect(await shim.answer(3)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  shim.send(initialized);
  shim.send({ jsonrpc: '2.0', method: 'notifications/nobody_knows' });
  shim.send({ jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'memory_search' } });
  shim.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'memory_search', arguments: 'x' } });
  expect(await shim.answer(4)).toMatchObject({
    result: { isError: true, structuredContent: { code: 'invalid_input' } },
  });
  expect(await shim.answer(5)).toMatchObject({ error: { code: -32602 } });
  shim.send(callTool(6, 'memory_search', { query: 'still here' }));
  expect(await shim.answer(6)).toMatchObject({ result: { structuredContent: { hint: 'still here' } } });
  const codes = shim.lines.map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
  expect(codes.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([-32700, -32700, -32600]);
  expect(shim.lines).toHaveLength(9);
});

describe('B38 where the shim is started', () => {
  it('B38 makes no file in the home folder and sends no other project than that folder', async () => {
    const home = tempHome();
    const cwd = tempFolder();
    const shim = runShim(loci, { home, cwd, env: { HOME: cwd } });
    shim.send(initialize(1));
    shim.send(callTool(2, 'memory_save', { content: 'from home' }));
    expect(await shim.answer(2)).toHaveProperty('result.structuredContent.id');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('B38 serves from a folder that has been deleted, and from /', async () => {
    const home = tempHome();
    const gone = join(tempFolder(), 'gone');
    mkdirSync(gone);
    const script = [
      `process.chdir(${JSON.stringify(gone)})`,
      `require('node:fs').rmdirSync(${JSON.stringify(gone)})`,
      `require('node:child_process').spawn(process.execPath, ${JSON.stringify([loci, 'mcp'])}, { stdio: 'inherit' })`,
    ].join(';');
    const child = spawn(process.execPath, ['-e', script], {
      env: { PATH: process.env.PATH, HOME: home, LOCI_HOME: home },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const answered = new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk: Buffer) => resolve(String(chunk))),
    );
    child.stdin.write(`${JSON.stringify(initialize(1))}\n`);
    expect(JSON.parse(await answered)).toMatchObject({ id: 1, result: { serverInfo: { name: 'loci' } } });
    child.stdin.end();
    expect(existsSync(gone)).toBe(false);

    const atRoot = runShim(loci, { home, cwd: '/' });
    atRoot.send(initialize(1));
    expect(await atRoot.answer(1)).toHaveProperty('result');
  });
});

describe('starting the daemon', () => {
  it('gives it an allow-list of the environment, its allocator settings, / as its folder and its output to the log', async () => {
    const home = tempHome();
    const shim = runShim(loci, {
      home,
      env: {
        NODE_OPTIONS: '--no-warnings',
        HTTPS_PROXY: 'http://x',
        AWS_SECRET: 's',
        LOCI_TOOLS: 'facts',
        LC_ALL: 'C',
        TZ: 'UTC',
      },
    });
    shim.send(initialize(1));
    await shim.answer(1);
    const card = JSON.parse(readFileSync(join(home, 'data', 'locid.json'), 'utf8')) as { env: string[]; cwd: string };
    expect(card.env.sort()).toEqual(
      [
        'HOME',
        'LC_ALL',
        'LOCI_HOME',
        'MALLOC_ARENA_MAX',
        'MALLOC_MMAP_THRESHOLD_',
        'MALLOC_TRIM_THRESHOLD_',
        'PATH',
        'TZ',
      ].sort(),
    );
    expect(card.cwd).toBe('/');
    expect(existsSync(join(home, 'state', 'log', 'locid.log'))).toBe(true);
  });

  it('of ten shims at once makes exactly one daemon', async () => {
    const home = tempHome();
    const shims = Array.from({ length: 10 }, () => runShim(loci, { home }));
    for (const shim of shims) shim.send(initialize(1));
    await Promise.all(shims.map((shim) => shim.answer(1, 30_000)));
    const pid = daemonPid(home) ?? 0;
    expect(isAlive(pid)).toBe(true);
    expect(daemonsOf(home)).toEqual([pid]);
  });

  it('is not done after `loci stop`: calls get a clear error after two seconds, and are served again after the start', async () => {
    const home = tempHome();
    markStopped(home);
    const shim = runShim(loci, { home });
    const startMs = Date.now();
    shim.send(initialize(1));
    const refused = await shim.answer(1);
    expect(Date.now() - startMs).toBeGreaterThan(1_900);
    expect(refused).toMatchObject({ error: { code: -32000, data: { code: 'unavailable' } } });
    expect(JSON.stringify(refused)).toContain('loci start');
    expect(daemonPid(home)).toBeNull();
    rmSync(join(home, 'state'), { recursive: true });
    shim.send(initialize(2));
    expect(await shim.answer(2)).toHaveProperty('result');
  });

  it('is not done with LOCI_NO_AUTOSTART', async () => {
    const home = tempHome();
    const shim = runShim(loci, { home, env: { LOCI_NO_AUTOSTART: '1' } });
    shim.send(initialize(1));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(daemonPid(home)).toBeNull();
    shim.child.stdin.end();
  });
});

describe('what the shim refuses', () => {
  it('--server, with the entry for the configuration of the agent', async () => {
    const shim = runShim(loci, { home: tempHome(), args: ['--server', 'https://loci.example.org/'] });
    expect(await shim.exited).toBe(2);
    expect(shim.stderr()).toContain('"url": "https://loci.example.org/mcp"');
    expect(shim.lines).toEqual([]);
  });

  it('a profile that does not exist: the agent is told the five', async () => {
    const shim = runShim(loci, { home: tempHome(), args: ['--tools', 'nope'] });
    shim.send(initialize(1));
    const answer = await shim.answer(1);
    expect(answer).toMatchObject({ error: { data: { code: 'invalid_input' } } });
    expect(JSON.stringify(answer)).toContain('default, facts, lifecycle, knowledge, all');
    shim.child.stdin.end();
    expect(await shim.exited).toBe(0);
  });
});

it('the list of tools is byte for byte the same after the daemon has been killed', async () => {
  const home = tempHome();
  const shim = runShim(loci, { home });
  shim.send(initialize(1));
  await shim.answer(1);
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  shim.send(list);
  await shim.answer(2);
  killDaemon(home);
  shim.send({ ...list, id: 3 });
  await shim.answer(3);
  expect(shim.lines[2]).toBe(shim.lines[1]?.replace('"id":2', '"id":3'));
});

it('takes the profile from --tools before LOCI_TOOLS', async () => {
  const shim = runShim(loci, { home: tempHome(), args: ['--tools=facts'], env: { LOCI_TOOLS: 'knowledge' } });
  shim.send(initialize(1));
  await shim.answer(1);
  shim.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const { tools } = (await shim.answer(2)).result as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(['memory']);
});

/** Pids of the node processes that run the test daemon of a home. */
function daemonsOf(home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return (
          command.includes('locid.js') && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`LOCI_HOME=${home}`)
        );
      } catch {
        return false;
      }
    });
}
