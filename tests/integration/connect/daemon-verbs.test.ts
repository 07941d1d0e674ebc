import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { daemonStatus, restartDaemon, startDaemon, stopDaemon, type VerbDeps } from '#clients/connect/daemon-verbs.ts';
import { followLog, lastLogLines } from '#clients/connect/follow-log.ts';
import { createWire } from '#clients/connect/wire.ts';
import { type Home, homeIn, pidOf, startProcess, untilUp } from '../../support/daemon-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { toyPrograms } from '../../support/toy-programs.ts';

const toys = toyPrograms();

function depsOf(home: Home): VerbDeps {
  const wire = createWire();
  onTestFinished(() => wire.close());
  return { wire, paths: home.paths, env: home.env, program: toys.daemon };
}

describe('start, stop, restart, status', () => {
  it('status never starts a daemon', async () => {
    const home = homeIn(tempFolder());
    expect(await daemonStatus(depsOf(home))).toEqual({ running: false, stopped: false });
    expect(existsSync(home.paths.data)).toBe(false);
  });

  it('start starts one, stop stops it and keeps it stopped, start starts it again', async () => {
    const home = homeIn(tempFolder(), { LOCI_NO_AUTOSTART: '1' });
    const deps = depsOf(home);
    const first = await startDaemon(deps);
    expect(first.wasRunning).toBe(false);
    expect(first.status).toMatchObject({ running: true, health: 'ok', socket: home.paths.httpSocket });
    expect(await startDaemon(deps)).toMatchObject({ wasRunning: true, status: { pid: await pidOf(home) } });
    expect(await stopDaemon(deps)).toEqual({ wasRunning: true });
    expect(await daemonStatus(deps)).toEqual({ running: false, stopped: true });
    expect(await stopDaemon(deps)).toEqual({ wasRunning: false });
    expect((await startDaemon(deps)).status.running).toBe(true);
    expect(existsSync(home.paths.stopMark)).toBe(false);
  });

  it('restart puts another process in its place and leaves no mark', async () => {
    const home = homeIn(tempFolder());
    const deps = depsOf(home);
    await startDaemon(deps);
    const before = await pidOf(home);
    expect((await restartDaemon(deps)).wasRunning).toBe(true);
    expect(await pidOf(home)).not.toBe(before);
    expect(existsSync(home.paths.stopMark)).toBe(false);
  });

  it('B41 stop and status never touch the foreign process that a card names', async () => {
    const home = homeIn(tempFolder());
    const stranger = spawn('sleep', ['600']);
    onTestFinished(() => void stranger.kill('SIGKILL'));
    mkdirSync(home.paths.data, { recursive: true });
    writeFileSync(home.paths.card, JSON.stringify({ pid: stranger.pid, http_socket: home.paths.httpSocket }));
    const deps = depsOf(home);
    expect(await daemonStatus(deps)).toEqual({ running: false, stopped: false });
    expect(await stopDaemon(deps)).toEqual({ wasRunning: false });
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    expect((await startDaemon(deps)).status).toMatchObject({ running: true });
  });

  it('a daemon without the stop route is ended by a signal to the process that answered', async () => {
    const home = homeIn(tempFolder());
    const daemon = startProcess(toys.daemon, { ...home.env, LOCI_TOY_NO_STOP_ROUTE: '1' });
    await untilUp(home);
    expect(await stopDaemon(depsOf(home))).toEqual({ wasRunning: true });
    expect(await daemon.exited).toBe(0);
  });

  it('stop waits for an orderly end', async () => {
    const home = homeIn(tempFolder());
    const daemon = startProcess(toys.daemon, { ...home.env, LOCI_TOY_STOP_MS: '700' });
    await untilUp(home);
    expect(await stopDaemon(depsOf(home))).toEqual({ wasRunning: true });
    expect(daemon.child.exitCode ?? (await daemon.exited)).toBe(0);
  });
});

describe('the log as its reader sees it', () => {
  it('has the newest lines, over a rotation', () => {
    const file = join(tempFolder(), 'locid.log');
    writeFileSync(`${file}.1`, '1\n2\n');
    writeFileSync(file, '3\n4\n5\n');
    expect(lastLogLines(file, 4)).toEqual(['2', '3', '4', '5']);
    expect(lastLogLines(file, 2)).toEqual(['4', '5']);
    expect(lastLogLines(`${file}.none`, 2)).toEqual([]);
  });

  it('goes on with what is written, over a rotation, and cuts no character', async () => {
    const file = join(tempFolder(), 'locid.log');
    writeFileSync(file, 'old\n');
    let seen = '';
    const end = new AbortController();
    const write = (text: string) => {
      seen += text;
    };
    const following = followLog({ file, write, signal: end.signal, everyMs: 5 });
    const bytes = Buffer.from('né\n');
    appendFileSync(file, bytes.subarray(0, 2));
    await sleep(30);
    appendFileSync(file, bytes.subarray(2));
    await sleep(30);
    appendFileSync(file, 'last of the first\n');
    renameSync(file, `${file}.1`);
    writeFileSync(file, 'first of the second\n');
    await sleep(50);
    end.abort();
    await following;
    expect(seen).toBe('né\nlast of the first\nfirst of the second\n');
  });
});
