// The real daemon as a process: what must hold whatever the app does.

import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Connection, createConnection } from '#clients/connect/connection.ts';
import { daemonStatus, stopDaemon } from '#clients/connect/daemon-verbs.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';
import { createWire } from '#clients/connect/wire.ts';
import { type Home, homeIn, pidOf, startProcess, untilUp } from '../../support/daemon-process.ts';
import { sendSignal } from '../../support/send-signal.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { toyPrograms } from '../../support/toy-programs.ts';

const locid = fileURLToPath(new URL('../../../dist/locid.js', import.meta.url));
const toys = toyPrograms();

function connectTo(home: Home): Connection {
  const connection = createConnection({
    ...localDaemon(home.env),
    program: locid,
    server: null,
    folder: null,
    agent: 'test',
  });
  onTestFinished(() => connection.close());
  return connection;
}

const fact = (key: string) => ({ action: 'save', category: 'other', key, value: `The value of ${key}.` });

async function factsOf(connection: Connection): Promise<number> {
  const { categories } = (await connection.call('memory', { action: 'list' })) as { categories: { facts: number }[] };
  return categories.reduce((sum, { facts }) => sum + facts, 0);
}

function saveFromOwnProcess(home: Home, key: string): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [toys.client, locid, 'memory', JSON.stringify(fact(key))], { env: home.env });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((resolve) => child.on('close', () => resolve(JSON.parse(text))));
}

describe('the daemon process', () => {
  it('B42 twenty programs that start and save at once: one daemon, twenty facts', async () => {
    const home = homeIn(tempFolder());
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => saveFromOwnProcess(home, `k_${index}`)));
    expect(answers.filter((answer) => answer.error !== undefined)).toEqual([]);
    expect(await factsOf(connectTo(home))).toBe(20);
    expect(daemonsOf(home)).toEqual([await pidOf(home)]);
  });

  it('kill -9 in the middle of saves: the next start serves and nothing acknowledged is lost', async () => {
    const home = homeIn(tempFolder());
    const connection = connectTo(home);
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 5; index += 1) await connection.call('memory', fact(`r${round}_${index}`));
      const pid = await pidOf(home);
      const last = connection.call('memory', fact(`r${round}_last`));
      if (pid !== null) sendSignal(pid, 'SIGKILL');
      await last;
    }
    expect(await factsOf(connection)).toBe(18);
  });

  it('B41 a card and a lock that name a foreign process: starts, tells the truth, and signals no stranger', async () => {
    const home = homeIn(tempFolder());
    const stranger = spawn('sleep', ['600']);
    onTestFinished(() => void stranger.kill('SIGKILL'));
    mkdirSync(home.paths.data, { recursive: true });
    writeFileSync(home.paths.lock, `${stranger.pid}\n`);
    writeFileSync(home.paths.card, JSON.stringify({ pid: stranger.pid, http_socket: home.paths.httpSocket }));
    const daemon = startProcess(locid, home.env);
    expect(await untilUp(home, null, 5_000)).toBe(daemon.pid);
    const wire = createWire();
    onTestFinished(() => wire.close());
    const deps = { ...localDaemon(home.env), wire, program: locid };
    expect(await daemonStatus(deps)).toMatchObject({ running: true, pid: daemon.pid });
    expect(await stopDaemon(deps)).toEqual({ wasRunning: true });
    expect(await daemon.exited).toBe(0);
    expect(await daemonStatus(deps)).toEqual({ running: false, stopped: true });
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it('B70 under umask 0 everything that it makes is its owner’s alone', async () => {
    const home = homeIn(tempFolder());
    const before = process.umask(0);
    const daemon = startProcess(locid, home.env);
    process.umask(before);
    await untilUp(home);
    await connectTo(home).call('memory', fact('k'));
    const open = everythingIn(home.folder).filter((path) => (lstatSync(path).mode & 0o077) !== 0);
    expect(open.filter((path) => !path.includes('/data/vectors/'))).toEqual([]);
    daemon.child.kill('SIGTERM');
    expect(await daemon.exited).toBe(0);
  });

  it('B46 health polls leave nothing in the log, and no text of a memory gets there', async () => {
    const home = homeIn(tempFolder());
    const connection = connectTo(home);
    await connection.call('memory', {
      action: 'save',
      category: 'other',
      key: 'where',
      value: 'The zanzibarite hoard.',
    });
    await connection.call('memory', { action: 'search', query: 'zanzibarite hoard' });
    const before = readFileSync(home.paths.log, 'utf8');
    for (let poll = 0; poll < 200; poll += 1) await connection.getText('/health');
    const after = readFileSync(home.paths.log, 'utf8');
    expect(after.slice(before.length)).not.toContain('health');
    expect(after.length - before.length).toBeLessThan(2_000);
    expect(after).not.toContain('zanzibarite');
  });

  it('tells nobody that it runs: the model’s library leaves no identifier behind', async () => {
    const home = homeIn(tempFolder());
    const connection = connectTo(home);
    await connection.call('memory', fact('k'));
    await connection.call('memory_search', { query: 'the value of k' });
    expect(readdirSync(home.folder).sort()).toEqual(['config', 'data', 'run', 'state']);
  });

  it('a stop lets the call under way end', async () => {
    const home = homeIn(tempFolder());
    const connection = connectTo(home);
    await connection.call('memory', fact('first'));
    const pid = await pidOf(home);
    const saves = Array.from({ length: 10 }, (_, index) => connection.call('memory', fact(`k_${index}`)));
    await sleep(5);
    if (pid !== null) sendSignal(pid, 'SIGTERM');
    await Promise.all(saves);
    expect(await factsOf(connection)).toBe(11);
  });
});

function everythingIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
}

/** Processes that run this daemon with this home; elsewhere than on Linux the one that answers. */
function daemonsOf(home: Home): (number | null)[] {
  if (process.platform !== 'linux') return [pidOfCard(home)];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter(
      (pid) =>
        readOr(`/proc/${pid}/cmdline`).includes(locid) &&
        readOr(`/proc/${pid}/environ`).includes(`LOCI_HOME=${home.folder}\0`),
    )
    .map(Number);
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // ended meanwhile, or another user's
  }
}

function pidOfCard(home: Home): number | null {
  return (JSON.parse(readFileSync(home.paths.card, 'utf8')) as { pid: number | null }).pid;
}
