// Clients against a toy daemon: how they find it, start it, and bear its going away.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Connection, createConnection } from '#clients/connect/connection.ts';
import { localDaemon, remoteServer } from '#clients/connect/local-daemon.ts';
import { setStopMark } from '#clients/connect/stop-mark.ts';
import { version } from '#shared/version.ts';
import { endProcess, type Home, homeIn, pidOf, startProcess, untilUp } from '../../support/daemon-process.ts';
import { sendSignal } from '../../support/send-signal.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { toyPrograms } from '../../support/toy-programs.ts';

const toys = toyPrograms();

type ConnectionOptions = Parameters<typeof createConnection>[0];

function connectTo(home: Home, more: Partial<ConnectionOptions> = {}): Connection {
  const { paths, env } = localDaemon(home.env);
  const own = { paths, env, program: toys.daemon, server: null, folder: '/some/where é', agent: 'test' };
  const connection = createConnection({ ...own, ...more });
  onTestFinished(() => connection.close());
  return connection;
}

const callsOf = (home: Home) => readFileSync(join(home.paths.state, 'calls'), 'utf8').trim().split('\n');

describe('a call', () => {
  it('gives the output and says from where it comes', async () => {
    const home = homeIn(tempFolder());
    startProcess(toys.daemon, home.env);
    await untilUp(home);
    expect(await connectTo(home).call('echo', { text: 'ü' })).toMatchObject({
      operation: 'echo',
      input: { text: 'ü' },
      folder: encodeURIComponent('/some/where é'),
      agent: 'test',
    });
    expect(callsOf(home)[0]).toMatch(/^echo [0-9a-f-]{36}$/u);
  });

  it('rejects with the error of the daemon', async () => {
    const home = homeIn(tempFolder());
    await expect(connectTo(home).call('refuse', {})).rejects.toMatchObject({
      code: 'conflict',
      message: 'It stands already.',
      details: { id: 7 },
    });
  });

  it('ends at its deadline', async () => {
    const home = homeIn(tempFolder());
    startProcess(toys.daemon, home.env);
    await untilUp(home);
    await expect(connectTo(home).call('slow', {}, { deadlineMs: 300 })).rejects.toMatchObject({
      code: 'unavailable',
      details: { reachable: true },
    });
  });

  it('waits longer than a sign of life takes when the daemon lives', async () => {
    const home = homeIn(tempFolder());
    expect(await connectTo(home).call('slow', {})).toMatchObject({ operation: 'slow' });
  });

  it('is given up by its signal', async () => {
    const home = homeIn(tempFolder());
    startProcess(toys.daemon, home.env);
    await untilUp(home);
    await expect(connectTo(home).call('slow', {}, { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('is told within seconds that the daemon hangs', async () => {
    const home = homeIn(tempFolder());
    const daemon = startProcess(toys.daemon, home.env);
    await untilUp(home);
    daemon.child.kill('SIGSTOP');
    const startedAtMs = Date.now();
    await expect(connectTo(home).call('echo', {})).rejects.toMatchObject({ details: { reachable: false } });
    expect(Date.now() - startedAtMs).toBeLessThan(9_000);
  });
});

describe('a daemon that is down', () => {
  it('is started by the first call, away from the folder and the environment of the caller', async () => {
    const home = homeIn(tempFolder(), { NODE_OPTIONS: '--no-warnings', HTTPS_PROXY: 'http://proxy.test', MY_KEY: 'k' });
    const answer = (await connectTo(home).call('echo', {})) as { pid: number; cwd: string; env: string[] };
    expect(answer.cwd).toBe('/');
    expect(answer.env).toEqual(expect.arrayContaining(['HOME', 'LOCI_HOME', 'MALLOC_ARENA_MAX', 'PATH']));
    for (const name of ['NODE_OPTIONS', 'HTTPS_PROXY', 'MY_KEY']) expect(answer.env).not.toContain(name);
    expect(await pidOf(home)).toBe(answer.pid);
  });

  it('B41 is started although an old card names a foreign process', async () => {
    const home = homeIn(tempFolder());
    const stranger = spawn('sleep', ['600']);
    onTestFinished(() => void stranger.kill('SIGKILL'));
    mkdirSync(home.paths.data, { recursive: true });
    writeFileSync(home.paths.card, JSON.stringify({ pid: stranger.pid, http_socket: home.paths.httpSocket }));
    expect(await connectTo(home).call('echo', {})).toMatchObject({ operation: 'echo' });
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it('B42 is started once by twenty clients, and each is answered', async () => {
    const home = homeIn(tempFolder());
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => runClient(home, 'echo', { index })));
    expect(answers.map((answer) => (answer.input as { index: number }).index)).toEqual([...Array(20).keys()]);
    expect(new Set(answers.map((answer) => answer.pid)).size).toBe(1);
    expect(callsOf(home)).toHaveLength(20);
  }, 60_000);

  it('is not started when LOCI_NO_AUTOSTART is set', async () => {
    const home = homeIn(tempFolder(), { LOCI_NO_AUTOSTART: '1' });
    await expect(connectTo(home).call('echo', {})).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('loci start'),
      details: { reachable: false },
    });
    expect(await pidOf(home)).toBeNull();
  });

  it('is not started after it was stopped', async () => {
    const home = homeIn(tempFolder());
    setStopMark(home.paths);
    await expect(connectTo(home).call('echo', {})).rejects.toMatchObject({ details: { reachable: false } });
    expect(await pidOf(home)).toBeNull();
  });

  it('that cannot start says why, in its own words and at once', async () => {
    const home = homeIn(tempFolder(), { LOCI_LOG_MAX_MB: 'much' });
    const startedAtMs = Date.now();
    await expect(connectTo(home).call('echo', {})).rejects.toMatchObject({
      message: expect.stringContaining('`log.max_mb`'),
      details: { reachable: false },
    });
    expect(Date.now() - startedAtMs).toBeLessThan(5_000);
  });

  it('but accepts connections, as under systemd, is no daemon', async () => {
    const home = homeIn(tempFolder(), { LOCI_NO_AUTOSTART: '1' });
    mkdirSync(home.paths.run, { recursive: true });
    const mute = createServer(() => undefined).listen(home.paths.httpSocket);
    onTestFinished(() => void mute.close());
    await expect(connectTo(home).call('echo', {})).rejects.toMatchObject({ details: { reachable: false } });
  });

  it('with a service installed is started by the service manager', async () => {
    const folder = tempFolder();
    const bin = join(folder, 'bin');
    const units = join(folder, '.config', 'systemd', 'user');
    for (const one of [bin, units]) mkdirSync(one, { recursive: true });
    writeFileSync(join(units, 'loci.service'), '');
    const start = `${process.execPath} ${toys.daemon} > ${folder}/out 2>&1 &`;
    writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho "$@" >> ${folder}/asked\n${start}\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, LOCI_PORT: '0' };
    const home = { folder, env, paths: localDaemon(env).paths };
    const answer = (await connectTo(home).call('echo', {})) as { pid: number };
    await endProcess(answer.pid);
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('--user --no-block start loci.service\n');
  });
});

describe('a daemon that goes away', () => {
  it('under a call: the call is repeated with its key', async () => {
    const home = homeIn(tempFolder());
    expect(await connectTo(home).call('die_once', {})).toMatchObject({ operation: 'die_once' });
    const keys = callsOf(home);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it('under every call: the call ends with an error', async () => {
    const home = homeIn(tempFolder());
    await expect(connectTo(home).call('die', {})).rejects.toMatchObject({ details: { reachable: false } });
  }, 60_000);

  it('between two calls: the second starts another', async () => {
    const home = homeIn(tempFolder());
    const connection = connectTo(home);
    const first = (await connection.call('echo', {})) as { pid: number };
    sendSignal(first.pid, 'SIGKILL');
    const second = (await connection.call('echo', {})) as { pid: number };
    expect(second.pid).not.toBe(first.pid);
  });
});

describe('where clients look', () => {
  it('a card tells the socket when the run folder differs', async () => {
    const home = homeIn(tempFolder());
    startProcess(toys.daemon, home.env);
    const pid = await untilUp(home);
    const elsewhere = { ...home, env: { ...home.env, LOCI_SOCKET: join(tempFolder(), 'other.sock') } };
    expect(await connectTo(elsewhere).call('echo', {})).toMatchObject({ pid });
  });

  it('a socket of another user is not spoken to', async () => {
    const home = homeIn(tempFolder(), { LOCI_NO_AUTOSTART: '1' });
    startProcess(toys.daemon, home.env);
    await untilUp(home);
    const { getuid } = process;
    process.getuid = () => 54_321;
    onTestFinished(() => void Object.assign(process, { getuid }));
    await expect(connectTo(home).call('echo', {})).rejects.toThrow(/another user/u);
    Object.assign(process, { getuid });
    expect(existsSync(join(home.paths.state, 'calls'))).toBe(false);
  });

  it('a server elsewhere gets the token and is never started', async () => {
    const home = homeIn(tempFolder());
    startProcess(toys.daemon, home.env);
    await untilUp(home);
    const { port } = JSON.parse(readFileSync(home.paths.card, 'utf8')) as { port: number };
    const server = remoteServer(localDaemon(home.env), { server: `http://127.0.0.1:${port}` });
    expect(server?.token).toBe(readFileSync(home.paths.token, 'utf8').trim());
    const connection = connectTo(home, { server });
    expect(await connection.call('echo', { a: 1 })).toMatchObject({ input: { a: 1 } });
    const nobody = connectTo(home, { server: { url: 'http://127.0.0.1:9', token: null } });
    await expect(nobody.call('echo', {})).rejects.toMatchObject({ details: { reachable: false } });
  });

  it('a server that is no http address is refused', () => {
    const daemon = localDaemon({ LOCI_HOME: tempFolder(), LOCI_SERVER: 'ftp://x' });
    expect(() => remoteServer(daemon)).toThrow(/http:\/\//u);
    expect(remoteServer(daemon, { local: true })).toBeNull();
  });
});

describe('an older daemon', () => {
  const older = { LOCI_TOY_VERSION: '0.0.1' };

  it('is restarted from its recorded installation, once in ten minutes', async () => {
    const home = homeIn(tempFolder());
    const old = startProcess(toys.daemon, { ...home.env, ...older });
    await untilUp(home);
    const connection = connectTo(home);
    expect(await connection.call('echo', {})).toMatchObject({ pid: old.pid });
    await connection.close();
    expect(await old.exited).toBe(0);
    const pid = await untilUp(home);
    expect(pid).not.toBe(old.pid);
    expect(existsSync(home.paths.stopMark)).toBe(false);

    sendSignal(pid, 'SIGKILL');
    const again = startProcess(toys.daemon, { ...home.env, ...older });
    await untilUp(home, pid);
    const second = connectTo(home);
    await second.call('echo', {});
    await second.close();
    expect(await pidOf(home)).toBe(again.pid);
  });

  it('whose installation is as old as itself is left running, with a notice', async () => {
    const folder = tempFolder();
    const home = homeIn(folder);
    const script = join(folder, 'old-locid.js');
    writeFileSync(script, "console.log('locid 0.0.1')\n");
    const old = startProcess(toys.daemon, { ...home.env, ...older });
    await untilUp(home);
    const card = JSON.parse(readFileSync(home.paths.card, 'utf8'));
    writeFileSync(`${home.paths.card}.new`, JSON.stringify({ ...card, script_path: script }));
    renameSync(`${home.paths.card}.new`, home.paths.card);
    const notices: string[] = [];
    const connection = connectTo(home, { notice: (sentence) => notices.push(sentence) });
    await connection.call('echo', {});
    await connection.close();
    expect(await pidOf(home)).toBe(old.pid);
    expect(notices).toEqual([expect.stringContaining('0.0.1')]);
  });

  it('a daemon that is newer is left alone', async () => {
    const home = homeIn(tempFolder());
    const newer = startProcess(toys.daemon, { ...home.env, LOCI_TOY_VERSION: '99.0.0' });
    await untilUp(home);
    const connection = connectTo(home);
    await connection.call('echo', {});
    await connection.close();
    expect(await pidOf(home)).toBe(newer.pid);
    expect(version).not.toBe('99.0.0');
  });
});

async function runClient(home: Home, operation: string, input: object): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [toys.client, toys.daemon, operation, JSON.stringify(input)], {
    env: home.env,
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => child.on('close', resolve));
  return JSON.parse(text);
}
