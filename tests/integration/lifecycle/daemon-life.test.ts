// The life of the daemon as a process, with a toy for an app: see toy-daemon.ts.
import { spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readCard } from '#clients/connect/daemon-card.ts';
import { version } from '#shared/version.ts';
import { endProcess, homeIn, pidOf, startProcess, untilUp } from '../../support/daemon-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { toyPrograms } from '../../support/toy-programs.ts';

const toys = toyPrograms();

describe('one daemon', () => {
  it('a second one names the first and exits 0', async () => {
    const home = homeIn(tempFolder());
    const first = startProcess(toys.daemon, home.env);
    await untilUp(home);
    const second = startProcess(toys.daemon, home.env);
    expect(await second.exited).toBe(0);
    expect(second.stderr()).toContain(`process ${first.pid}`);
    expect(second.stderr()).toContain(home.paths.httpSocket);
    expect(await pidOf(home)).toBe(first.pid);
  });

  it('of eight that start at once one lives', async () => {
    const home = homeIn(tempFolder());
    const all = Array.from({ length: 8 }, () => startProcess(toys.daemon, home.env));
    const pid = await untilUp(home);
    const others = await Promise.all(all.filter((one) => one.pid !== pid).map((one) => one.exited));
    expect(others).toEqual(Array(7).fill(0));
    expect(readCard(home.paths.card)?.pid).toBe(pid);
  });

  it('after kill -9 the next start serves at once', async () => {
    const home = homeIn(tempFolder());
    for (let round = 0; round < 3; round += 1) {
      const daemon = startProcess(toys.daemon, home.env);
      expect(await untilUp(home)).toBe(daemon.pid);
      daemon.child.kill('SIGKILL');
      await daemon.exited;
      expect(existsSync(home.paths.httpSocket)).toBe(true);
    }
  });

  it('two homes have two daemons', async () => {
    const [one, two] = [homeIn(tempFolder()), homeIn(tempFolder())];
    startProcess(toys.daemon, one.env);
    startProcess(toys.daemon, two.env);
    expect(await untilUp(one)).not.toBe(await untilUp(two));
  });

  it('B41 starts although card and lock name a foreign process, which it leaves alone', async () => {
    const home = homeIn(tempFolder());
    const stranger = spawn('sleep', ['600']);
    onTestFinished(() => void stranger.kill('SIGKILL'));
    mkdirSync(home.paths.data, { recursive: true });
    writeFileSync(home.paths.lock, `${stranger.pid}\n`);
    writeFileSync(home.paths.card, JSON.stringify({ pid: stranger.pid, http_socket: home.paths.httpSocket }));
    const daemon = startProcess(toys.daemon, home.env);
    expect(await untilUp(home, null, 5_000)).toBe(daemon.pid);
    expect(readCard(home.paths.card)?.pid).toBe(daemon.pid);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it('exits 70 and leaves the sockets alone when its lock is taken away', async () => {
    const home = homeIn(tempFolder(), { LOCI_TOY_LOCK_CHECK_MS: '50' });
    const daemon = startProcess(toys.daemon, home.env);
    await untilUp(home);
    rmSync(home.paths.lock);
    expect(await daemon.exited).toBe(70);
    expect(daemon.stderr()).toContain('lock');
    expect(existsSync(home.paths.httpSocket)).toBe(true);
  });
});

describe('the end of a daemon', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s: exits 0, no socket left, the card without a pid', async (signal) => {
    const home = homeIn(tempFolder());
    const daemon = startProcess(toys.daemon, home.env);
    await untilUp(home);
    daemon.child.kill(signal);
    expect(await daemon.exited).toBe(0);
    expect(existsSync(home.paths.httpSocket)).toBe(false);
    expect(existsSync(home.paths.mcpSocket)).toBe(false);
    expect(readCard(home.paths.card)).toMatchObject({ pid: null, port: null, version });
  });

  it('a second signal ends at once', async () => {
    const home = homeIn(tempFolder(), { LOCI_TOY_STOP_MS: '8000' });
    const daemon = startProcess(toys.daemon, home.env);
    await untilUp(home);
    daemon.child.kill('SIGTERM');
    await sleep(100);
    daemon.child.kill('SIGTERM');
    expect(await daemon.exited).toBe(1);
  });

  it('the terminal that started it may close', async () => {
    const home = homeIn(tempFolder());
    const daemon = startProcess(toys.daemon, home.env);
    await untilUp(home);
    daemon.child.kill('SIGHUP');
    await sleep(100);
    expect(await pidOf(home)).toBe(daemon.pid);
  });
});

describe('what keeps a daemon from starting', () => {
  it('a bad setting: exit 2, key, value and what is allowed', async () => {
    const daemon = startProcess(toys.daemon, homeIn(tempFolder(), { LOCI_PORT: '99999' }).env);
    expect(await daemon.exited).toBe(2);
    expect(daemon.stderr()).toBe(
      'error: `http.port` (LOCI_PORT) must be a whole number from 0 to 65535, not "99999".\n',
    );
  });

  it('an unknown key of the file: exit 2', async () => {
    const home = homeIn(tempFolder());
    mkdirSync(home.paths.config, { recursive: true });
    writeFileSync(home.paths.settings, '[log]\nlevle = "info"\n');
    const daemon = startProcess(toys.daemon, home.env);
    expect(await daemon.exited).toBe(2);
    expect(daemon.stderr()).toContain('`log.level`');
  });

  it('an unknown option: exit 2; --version and --help: exit 0', async () => {
    const { env } = homeIn(tempFolder());
    expect(await startProcess(toys.daemon, env, ['--prot', '1']).exited).toBe(2);
    expect(await startProcess(toys.daemon, env, ['--version']).exited).toBe(0);
    expect(await startProcess(toys.daemon, env, ['--help']).exited).toBe(0);
  });

  it('an app that throws: exit 1, and the lock is free', async () => {
    const home = homeIn(tempFolder());
    const failing = startProcess(toys.daemon, { ...home.env, LOCI_TOY_FAILS: '1' });
    expect(await failing.exited).toBe(1);
    startProcess(toys.daemon, home.env);
    await untilUp(home);
  });

  it('B70 planted links: refused, the victim unchanged', async () => {
    const home = homeIn(tempFolder());
    const victim = join(home.folder, 'victim');
    writeFileSync(victim, 'mine');
    mkdirSync(dirname(home.paths.log), { recursive: true });
    symlinkSync(victim, home.paths.log);
    const daemon = startProcess(toys.daemon, home.env);
    expect(await daemon.exited).toBe(78);
    expect(daemon.stderr()).toContain('symbolic link');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });
});

describe('where a daemon is reached', () => {
  it('B43 two deep homes that share 107 bytes have two short sockets', async () => {
    const root = tempFolder();
    const shared = join(root, 'd'.repeat(Math.max(1, 107 - root.length - 1)));
    const homes = ['a', 'b'].map((end) => homeIn(`${shared}${end.repeat(130 - shared.length)}`, { TMPDIR: root }));
    for (const home of homes) {
      expect(home.folder.length).toBe(130);
      startProcess(toys.daemon, home.env);
    }
    const pids = await Promise.all(homes.map((home) => untilUp(home)));
    expect(new Set(pids).size).toBe(2);
    for (const { paths } of homes) {
      expect(lstatSync(dirname(paths.httpSocket)).mode & 0o777).toBe(0o700);
      expect(lstatSync(paths.httpSocket).mode & 0o777).toBe(0o600);
    }
  });

  it('a taken TCP port is logged with its holder, and the socket serves', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void squatter.close());
    await new Promise((resolve) => squatter.once('listening', resolve));
    const port = (squatter.address() as { port: number }).port;
    const home = homeIn(tempFolder(), { LOCI_PORT: String(port) });
    const daemon = startProcess(toys.daemon, home.env);
    expect(await untilUp(home)).toBe(daemon.pid);
    const line = await until(() =>
      readFileSync(home.paths.log, 'utf8')
        .split('\n')
        .find((text) => text.includes('taken')),
    );
    expect(line).toContain(`port ${port} is taken`);
    if (process.platform === 'linux') expect(line).toContain(`process ${process.pid}`);
    expect(readCard(home.paths.card)?.port).toBeNull();
  });

  it('serves on a socket that the service manager opened', async () => {
    const home = homeIn(tempFolder());
    mkdirSync(home.paths.run, { recursive: true, mode: 0o700 });
    const opened = createServer().listen(home.paths.httpSocket);
    await new Promise((resolve) => opened.once('listening', resolve));
    const { fd } = (opened as unknown as { _handle: { fd: number } })._handle;
    const child = spawn('sh', ['-c', `LISTEN_PID=$$ exec "$0" "$1"`, process.execPath, toys.daemon], {
      env: { ...home.env, LISTEN_FDS: '1', LISTEN_FDNAMES: 'loci.sock' },
      stdio: ['ignore', 'ignore', 'ignore', fd],
    });
    onTestFinished(() => endProcess(child.pid));
    linkSync(home.paths.httpSocket, `${home.paths.httpSocket}.kept`); // closing it here removes the name, not the child's socket
    await new Promise((resolve) => opened.close(resolve));
    renameSync(`${home.paths.httpSocket}.kept`, home.paths.httpSocket);
    expect(await untilUp(home)).toBe(child.pid);
  });

  it('tells systemd when it is ready', async () => {
    const home = homeIn(tempFolder());
    const bin = join(home.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'systemd-notify'), `#!/bin/sh\necho "$@" "$NOTIFY_SOCKET" >> ${home.folder}/notified\n`, {
      mode: 0o755,
    });
    const env = { ...home.env, PATH: `${bin}:${home.env.PATH}`, NOTIFY_SOCKET: '@systemd' };
    const daemon = startProcess(toys.daemon, env);
    await untilUp(home);
    const said = await until(() =>
      existsSync(`${home.folder}/notified`) ? readFileSync(`${home.folder}/notified`, 'utf8') : undefined,
    );
    expect(said).toContain(`--ready --pid=${daemon.pid} @systemd`);
  });
});

async function until<T>(look: () => T | undefined, withinMs = 5_000): Promise<T> {
  const deadlineMs = Date.now() + withinMs;
  while (Date.now() < deadlineMs) {
    const seen = look();
    if (seen !== undefined) return seen;
    await sleep(20);
  }
  throw new Error(`nothing was seen within ${withinMs} ms`);
}
