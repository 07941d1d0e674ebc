// The unit's own command, run with the environment, descriptors and notify socket that systemd gives it (B44, B45).

import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { plannedFiles } from '#clients/service/install-service.ts';
import { homeIn, startProcess, untilUp } from '../../support/daemon-process.ts';
import { connectTo, locid } from '../../support/real-daemon.ts';
import { sendSignal } from '../../support/send-signal.ts';
import { runUnit, wouldRestart } from '../../support/service-manager.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A home with everything in its name that has broken somebody's unit, and its units. */
function awkwardHome() {
  const outer = tempFolder();
  const home = homeIn(join(outer, "My Home 100%&co $x 'q'"));
  mkdirSync(home.paths.config, { recursive: true, mode: 0o700 });
  writeFileSync(home.paths.settings, '[http]\nport = 0\n');
  const units = plannedFiles({ env: home.env, program: locid });
  return { ...home, units, specifiers: { h: outer, t: outer } };
}

async function until(look: () => boolean, withinMs = 10_000): Promise<void> {
  const deadlineMs = Date.now() + withinMs;
  while (!look()) {
    if (Date.now() > deadlineMs) throw new Error(`nothing was seen within ${withinMs} ms`);
    await sleep(20);
  }
}

describe('the command of the unit', () => {
  it('B44 runs with nothing but the unit’s environment, serves on the sockets it was given, and says that it is ready', async () => {
    const home = awkwardHome();
    const run = await runUnit(home.units, home.specifiers);
    const inode = lstatSync(home.paths.httpSocket).ino;
    expect(await untilUp(home)).toBe(run.child.pid);
    await until(() => run.told().includes('READY=1'));
    expect(run.told()).toContain(`MAINPID=${run.child.pid}`);
    expect(lstatSync(home.paths.httpSocket).ino).toBe(inode);

    const saved = await connectTo(home).call('memory_save', { content: 'The unit keeps the notes of the kiln.' });
    expect(saved).toMatchObject({ outcome: 'created' });
    expect(existsSync(home.paths.database)).toBe(true);
    expect(await firstLine(home.paths.mcpSocket, '{"jsonrpc":"2.0","id":7,"method":"ping"}')).toContain('"id":7');

    sendSignal(run.child.pid, 'SIGTERM');
    expect(await run.exited).toBe(0);
    await until(() => run.told().includes('STOPPING=1'));
  });

  it('takes over from a daemon that a client had started', async () => {
    const home = awkwardHome();
    const env = { ...home.env, LOCI_SOCKET: join(tempFolder(), 'loci.sock') };
    const before = startProcess(locid, env);
    await untilUp({ paths: { ...home.paths, httpSocket: env.LOCI_SOCKET } });
    const run = await runUnit(home.units, home.specifiers);
    expect(await before.exited).toBe(0);
    expect(await untilUp(home, before.pid, 20_000)).toBe(run.child.pid);
    await until(() => run.told().includes('READY=1'));
  });
});

describe('a daemon that cannot run is not started over and over', () => {
  const serviceOf = ({ units }: ReturnType<typeof awkwardHome>) => units[0]?.content ?? '';

  it('B45 where its folder cannot be used', async () => {
    const home = awkwardHome();
    rmSync(home.paths.data, { recursive: true, force: true });
    writeFileSync(home.paths.data, 'in the way');
    mkdirSync(join(home.paths.log, '..'), { recursive: true });
    const run = await runUnit(home.units, home.specifiers);
    const code = await run.exited;
    expect(code).toBe(78);
    expect(wouldRestart(serviceOf(home), code)).toBe(false);
    expect(run.stderr()).toMatch(/must be a folder; move what is there/);
    expect(readFileSync(home.paths.log, 'utf8')).toMatch(/^error: .*must be a folder/m);
    expect(run.told()).not.toContain('READY');
  });

  it('B45 where the disk is full', async () => {
    const home = awkwardHome();
    const run = await runUnit(home.units, home.specifiers, { limit: 'ulimit -f 0' });
    const code = await run.exited;
    expect(wouldRestart(serviceOf(home), code), `${code}: ${run.stderr()}`).toBe(false);
    expect(code).toBe(78);
    expect(run.stderr()).toMatch(/^error: .+/m);
  });

  it('where a setting is wrong', async () => {
    const home = awkwardHome();
    writeFileSync(home.paths.settings, '[http]\nport = "harbour"\n');
    const run = await runUnit(home.units, home.specifiers);
    const code = await run.exited;
    expect(code).toBe(2);
    expect(wouldRestart(serviceOf(home), code)).toBe(false);
    expect(run.stderr()).toContain('http.port');
  });

  it('but after a kill it is', async () => {
    const home = awkwardHome();
    const run = await runUnit(home.units, home.specifiers);
    await untilUp(home);
    sendSignal(run.child.pid, 'SIGKILL');
    expect(wouldRestart(serviceOf(home), await run.exited)).toBe(true);
  });
});

function firstLine(path: string, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(`${line}\n`));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}
