import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandOfAgent, launchdAgent } from '#clients/service/launchd-agent.ts';
import { createServicePlan } from '#clients/service/service-plan.ts';
import { commandOfUnit, systemdUnits } from '#clients/service/systemd-units.ts';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const templates = join(root, 'service-units');
const program = '/opt/loci/dist/locid.js';
const hasVerify = commandWorks('systemd-analyze', ['--version']);

function commandWorks(name: string, args: readonly string[]): boolean {
  try {
    execFileSync(name, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a systemd unit', () => {
  it('B44 carries node below `/home/u/My Tools/.nvm`, a home with a space and `100%&co` as they are', () => {
    const env = { HOME: '/home/u x', LOCI_HOME: '/srv/100%&co', PATH: '/opt/100%&co/bin' };
    const plan = createServicePlan(env, program, '/home/u/My Tools/.nvm/bin/node');
    const { service, socket } = systemdUnits(plan, templates);
    expect(service).toContain(
      '\nExecStart="/home/u/My Tools/.nvm/bin/node" --max-semi-space-size=2 "/opt/loci/dist/locid.js"\n',
    );
    expect(service).toContain('\nEnvironment="LOCI_HOME=/srv/100%%&co"\n');
    expect(socket).toContain('\nListenStream=/srv/100%%&co/run/loci.sock\nListenStream=/srv/100%%&co/run/mcp.sock\n');
    expect(service).not.toContain('PATH=');
  });

  it('gives back the very words of any command', () => {
    const path = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !/\p{Cc}/u.test(text))
      .map((text) => `/${text}`);
    fc.assert(
      fc.property(path, path, (node, script) => {
        const { service } = systemdUnits(createServicePlan({ HOME: '/home/u' }, script, node), templates);
        expect(commandOfUnit(service)).toEqual([node, '--max-semi-space-size=2', script]);
      }),
    );
  });

  it('names every variable that says where things are, and no secret', () => {
    const env = { HOME: '/home/u', XDG_DATA_HOME: '/data/u', OPENAI_API_KEY: 'not-for-units', LOCI_TOOLS: 'all' };
    const { service } = systemdUnits(createServicePlan(env, program), templates);
    expect(service).toContain('Environment="XDG_DATA_HOME=/data/u"');
    expect(service).toContain('Environment="MALLOC_ARENA_MAX=2"');
    expect(service).not.toMatch(/OPENAI|LOCI_TOOLS/);
  });

  it('of the usual home leaves the run folder to the session', () => {
    const { service, socket } = systemdUnits(createServicePlan({ HOME: '/home/u' }, program), templates);
    expect(socket).toContain('ListenStream=%t/loci/loci.sock');
    expect(service).toContain('Environment="XDG_RUNTIME_DIR=%t"');
  });

  it('is refused for a path with a line break', () => {
    expect(() => createServicePlan({ LOCI_HOME: '/srv/a\nExecStart=/bin/x' }, program)).toThrow(/control character/);
  });

  it.runIf(hasVerify)('B44 passes `systemd-analyze verify` below paths with blanks, `%`, `&`, `$` and quotes', () => {
    const folder = join(tempFolder(), `My Tools 100%&co $x 'q' "d"`);
    mkdirSync(folder);
    const node = join(folder, 'node');
    symlinkSync(process.execPath, node);
    const units = systemdUnits(
      createServicePlan({ HOME: folder, LOCI_HOME: join(folder, 'home') }, program, node),
      templates,
    );
    const out = tempFolder();
    writeFileSync(join(out, 'loci.service'), units.service);
    writeFileSync(join(out, 'loci.socket'), units.socket);
    const env = { PATH: process.env.PATH, HOME: out, XDG_RUNTIME_DIR: out, SYSTEMD_LOG_LEVEL: 'warning' };
    const verify = (name: string) =>
      execFileSync('systemd-analyze', ['--user', '--man=no', 'verify', join(out, name)], {
        env,
        stdio: 'pipe',
        encoding: 'utf8',
      });
    expect(verify('loci.service')).toBe('');
    expect(verify('loci.socket')).toBe('');
  });

  it.runIf(hasVerify)('whose node is gone does not pass, so that the check above can fail', () => {
    const units = systemdUnits(createServicePlan({ HOME: '/home/u' }, program, '/nowhere/node'), templates);
    const out = tempFolder();
    writeFileSync(join(out, 'loci.service'), units.service);
    writeFileSync(join(out, 'loci.socket'), units.socket);
    const env = { PATH: process.env.PATH, HOME: out, XDG_RUNTIME_DIR: out };
    expect(() =>
      execFileSync('systemd-analyze', ['--user', '--man=no', 'verify', join(out, 'loci.service')], {
        env,
        stdio: 'pipe',
      }),
    ).toThrow(/\/nowhere\/node/);
  });
});

describe('a launchd agent', () => {
  it('B44 escapes `&` and leaves `%`', () => {
    const plan = createServicePlan({ LOCI_HOME: '/srv/100%&co' }, program, '/home/u/My Tools/<node>');
    const plist = launchdAgent(plan, templates);
    expect(plist).toContain('<string>/home/u/My Tools/&lt;node&gt;</string>');
    expect(plist).toContain('<key>LOCI_HOME</key>\n    <string>/srv/100%&amp;co</string>');
    expect(plist).not.toMatch(/&(?!amp;|lt;|gt;)/);
  });

  it('gives back the very words of any command', () => {
    const path = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !/\p{Cc}/u.test(text))
      .map((text) => `/${text}`);
    fc.assert(
      fc.property(path, path, (node, script) => {
        const plist = launchdAgent(createServicePlan({ HOME: '/home/u' }, script, node), templates);
        expect(commandOfAgent(plist)).toEqual([node, '--max-semi-space-size=2', script]);
      }),
    );
  });
});
