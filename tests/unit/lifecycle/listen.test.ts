import { existsSync, linkSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createListeners } from '#daemon/lifecycle/listen.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const loopback = { 'http.enabled': true, 'http.host': '127.0.0.1', 'http.port': 0 } as const;

function listenersIn(
  folder: string,
  settings: { 'http.enabled': boolean; 'http.host': string; 'http.port': number } = loopback,
) {
  const paths = { httpSocket: join(folder, 'loci.sock'), mcpSocket: join(folder, 'mcp.sock') };
  return { paths, ...createListeners({ paths, settings, logger: silentLogger, env: {}, socketCheckMs: 10 }) };
}

function newServer(): Server {
  const server = createServer((socket) => socket.on('error', () => undefined).end('hello'));
  onTestFinished(() => void server.close());
  return server;
}

function read(target: string | number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('listening', () => {
  it('B70 gives the socket to its owner alone, even under umask 0', async () => {
    const { paths, socket } = listenersIn(tempFolder());
    const before = process.umask(0);
    await socket('loci.sock', newServer());
    process.umask(before);
    expect(lstatSync(paths.httpSocket).mode & 0o777).toBe(0o600);
    expect(await read(paths.httpSocket)).toBe('hello');
  });

  it('replaces the socket that a killed daemon left', async () => {
    const folder = tempFolder();
    const { paths, socket } = listenersIn(folder);
    const dead = newServer();
    await socket('loci.sock', dead);
    linkSync(paths.httpSocket, `${paths.httpSocket}.kept`);
    await new Promise((resolve) => dead.close(resolve));
    renameSync(`${paths.httpSocket}.kept`, paths.httpSocket);
    await socket('loci.sock', newServer());
    expect(await read(paths.httpSocket)).toBe('hello');
  });

  it('never takes the socket of a program that answers', async () => {
    const folder = tempFolder();
    await listenersIn(folder).socket('loci.sock', newServer());
    await expect(listenersIn(folder).socket('loci.sock', newServer())).rejects.toMatchObject({ code: 'conflict' });
    expect(await read(join(folder, 'loci.sock'))).toBe('hello');
  });

  it('never removes what is no socket', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'loci.sock'), 'mine');
    await expect(listenersIn(folder).socket('loci.sock', newServer())).rejects.toMatchObject({ code: 'conflict' });
    expect(lstatSync(join(folder, 'loci.sock')).isFile()).toBe(true);
  });

  it('puts a socket back whose folder was removed, and takes it away at the end', async () => {
    const folder = join(tempFolder(), 'run');
    mkdirSync(folder, { mode: 0o700 });
    const { paths, socket } = listenersIn(folder);
    const server = newServer();
    await socket('loci.sock', server);
    rmSync(folder, { recursive: true });
    await sleep(60);
    expect(await read(paths.httpSocket)).toBe('hello');
    expect(lstatSync(paths.httpSocket).mode & 0o777).toBe(0o600);
    await new Promise((resolve) => server.close(resolve));
    await sleep(30);
    expect(existsSync(paths.httpSocket)).toBe(false);
  });

  it('leaves a socket alone that another program put in the place of ours', async () => {
    const folder = tempFolder();
    const { paths, socket } = listenersIn(folder);
    await socket('loci.sock', newServer());
    rmSync(paths.httpSocket);
    const other = createServer((one) => one.on('error', () => undefined).end('other')).listen(paths.httpSocket);
    onTestFinished(() => void other.close());
    await sleep(60);
    expect(await read(paths.httpSocket)).toBe('other');
  });

  it('picks a free TCP port for 0', async () => {
    const { port, problem } = await listenersIn(tempFolder()).tcp(newServer());
    expect(problem).toBeNull();
    expect(await read(port ?? 0)).toBe('hello');
  });

  it('names who holds a taken TCP port and goes on without it', async () => {
    const { port } = await listenersIn(tempFolder()).tcp(newServer());
    const outcome = await listenersIn(tempFolder(), { ...loopback, 'http.port': port ?? 0 }).tcp(newServer());
    expect(outcome.port).toBeNull();
    expect(outcome.problem).toContain(`port ${port} is taken`);
    if (process.platform === 'linux') expect(outcome.problem).toContain(`process ${process.pid}`);
  });

  it('opens no TCP port when that is turned off', async () => {
    const server = newServer();
    expect(await listenersIn(tempFolder(), { ...loopback, 'http.enabled': false }).tcp(server)).toEqual({
      port: null,
      problem: null,
    });
    expect(server.listening).toBe(false);
  });
});
