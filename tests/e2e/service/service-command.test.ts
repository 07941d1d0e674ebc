import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeIn, pidOf, untilUp } from '../../support/daemon-process.ts';
import { connectTo, locid } from '../../support/real-daemon.ts';
import { runLoci } from '../../support/run-program.ts';
import { fakeSystemctl } from '../../support/service-manager.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const onLinux = process.platform === 'linux';

function homeWithSystemd(options: { readonly code?: number } = {}) {
  const home = homeIn(tempFolder());
  const systemctl = fakeSystemctl(home.folder, locid, options);
  const env = { ...home.env, PATH: systemctl.path };
  const units = join(home.folder, '.config', 'systemd', 'user');
  return { ...home, env, units, unit: join(units, 'loci.service'), asked: systemctl.asked };
}

describe.runIf(onLinux)('loci service', () => {
  it('install writes both units, has the manager start them, and ends with a daemon that answers', async () => {
    const home = homeWithSystemd();
    const run = await runLoci(['service', 'install', '--json'], { env: home.env });
    expect(run, run.stderr).toMatchObject({ code: 0 });
    const answer = JSON.parse(run.stdout);
    expect(answer).toMatchObject({ installed: true, state: 'active', starts_at_login: true, problems: [] });
    expect(answer.written).toEqual([home.unit, join(home.units, 'loci.socket')]);
    expect(home.asked()).toEqual(
      expect.arrayContaining([
        '--user daemon-reload',
        '--user --quiet enable loci.socket loci.service',
        '--user start loci.socket',
        '--user --no-block start loci.service',
      ]),
    );
    expect(readFileSync(home.unit, 'utf8')).toContain(`"${locid}"`);
    expect(await pidOf(home)).not.toBeNull();
  });

  it('install again changes nothing and takes over the daemon that runs', async () => {
    const home = homeWithSystemd();
    await connectTo(home).call('memory_sync', {});
    const first = await untilUp(home);
    await runLoci(['service', 'install'], { env: home.env });
    const second = await untilUp(home, first);
    const text = readFileSync(home.unit, 'utf8');
    expect(await runLoci(['service', 'install'], { env: home.env })).toMatchObject({ code: 0 });
    expect(readFileSync(home.unit, 'utf8')).toBe(text);
    expect(await untilUp(home, second)).not.toBe(second);
  });

  it('install --dry-run prints the files and writes none', async () => {
    const home = homeWithSystemd();
    const run = await runLoci(['service', 'install', '--dry-run'], { env: home.env });
    expect(run.stdout).toContain('ExecStart="');
    expect(run.stdout).toContain(home.unit);
    expect(existsSync(home.unit)).toBe(false);
    expect(() => home.asked()).toThrow();
  });

  it('B44 status says that node was moved, and with what to mend it', async () => {
    const home = homeWithSystemd();
    await runLoci(['service', 'install'], { env: home.env });
    const moved = readFileSync(home.unit, 'utf8').replace(
      /ExecStart="[^"]+"/,
      'ExecStart="/home/u/.nvm/gone/bin/node"',
    );
    writeFileSync(home.unit, moved);
    const run = await runLoci(['service', 'status'], { env: home.env });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(
      '! The service starts /home/u/.nvm/gone/bin/node, which is no longer there: Node was moved or removed. Run `loci service install`.',
    );
    await runLoci(['service', 'install'], { env: home.env });
    expect(await runLoci(['service', 'status'], { env: home.env })).toMatchObject({ code: 0 });
  });

  it('uninstall removes the files and asks the manager to stop; a second time there is nothing', async () => {
    const home = homeWithSystemd();
    await runLoci(['service', 'install'], { env: home.env });
    const run = await runLoci(['service', 'uninstall'], { env: home.env });
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(existsSync(home.unit)).toBe(false);
    expect(home.asked()).toContain('--user stop loci.socket loci.service');
    expect((await runLoci(['service', 'uninstall'], { env: home.env })).stdout).toBe('No service is installed.\n');
  });

  it('a unit of that name that is not ours is left alone', async () => {
    const home = homeWithSystemd();
    mkdirSync(home.units, { recursive: true });
    writeFileSync(home.unit, '[Service]\nExecStart=/usr/bin/other\n');
    const mtimeMs = statSync(home.unit).mtimeMs;
    for (const verb of ['install', 'uninstall']) {
      expect(await runLoci(['service', verb], { env: home.env }), verb).toMatchObject({ code: 4 });
    }
    expect(statSync(home.unit).mtimeMs).toBe(mtimeMs);
  });

  it('where no manager answers nothing is written, and clients start the daemon', async () => {
    const home = homeWithSystemd({ code: 1 });
    const run = await runLoci(['service', 'install'], { env: home.env });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('No systemd user manager answers here');
    expect(existsSync(home.unit)).toBe(false);
    expect(await connectTo(home).call('memory_sync', {})).toMatchObject({ stats: { active: 0 } });
  });

  it('installed for another home is not asked to start this one', async () => {
    const home = homeWithSystemd();
    mkdirSync(home.units, { recursive: true });
    writeFileSync(
      home.unit,
      '# Written by `loci service install`\nExecStart=/bin/true\nEnvironment="LOCI_HOME=/srv/another"\n',
    );
    await connectTo(home).call('memory_sync', {});
    expect(() => home.asked()).toThrow();
    const run = await runLoci(['service', 'status'], { env: home.env });
    expect(run.stdout).toContain('serves another home');
  });
});
