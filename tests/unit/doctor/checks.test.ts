import { chmodSync, cpSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agoText } from '#clients/doctor/agent-hooks.ts';
import type { DoctorDeps } from '#clients/doctor/check.ts';
import { judgeSpace } from '#clients/doctor/disk-space.ts';
import { nativeModules } from '#clients/doctor/native-modules.ts';
import { ownFolders } from '#clients/doctor/own-folders.ts';
import { settingsFile } from '#clients/doctor/settings-file.ts';
import { startServer } from '#clients/doctor/start-server.ts';
import { checkStore } from '#daemon/check-store.ts';
import { resolvePaths } from '#shared/paths.ts';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function depsIn(home: string, extra: Partial<DoctorDeps> = {}): DoctorDeps {
  const env = { HOME: home, LOCI_HOME: home, PATH: process.env.PATH };
  return {
    env,
    paths: resolvePaths(env),
    program: join(root, 'dist/locid.js'),
    script: join(root, 'dist/loci.cjs'),
    daemon: null,
    wire: {
      send: () => Promise.reject(new Error('nothing is asked here')),
      open: () => Promise.reject(new Error('nothing is asked here')),
      close: () => undefined,
    },
    call: () => Promise.reject(new Error('nothing is called here')),
    nowMs: Date.UTC(2026, 10, 30),
    ...extra,
  };
}

describe('room on the disk', () => {
  it('is broken when saves fail, worth a notice when they soon will, and told when there is enough', () => {
    expect(judgeSpace(10 * 2 ** 20, '/srv/loci')).toMatchObject({
      status: 'broken',
      mend: expect.stringContaining('du '),
    });
    expect(judgeSpace(150 * 2 ** 20, '/srv/loci')).toMatchObject({ status: 'notice' });
    expect(judgeSpace(5_000 * 2 ** 20, '/srv/loci')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('5,000 MB'),
    });
  });
});

describe('permissions', () => {
  it('that let others in are named with the command that mends them, and mended by the fix', async () => {
    const deps = depsIn(join(tempFolder(), 'My Home'));
    mkdirSync(deps.paths.config, { recursive: true, mode: 0o700 });
    writeFileSync(deps.paths.token, 'x', { mode: 0o600 });
    expect(await ownFolders.run(deps)).toMatchObject([{ status: 'ok' }]);
    chmodSync(deps.paths.token, 0o644);
    const [finding] = await ownFolders.run(deps);
    expect(finding).toMatchObject({ status: 'broken', mend: `chmod 600 '${deps.paths.token}'` });
    await finding?.fix?.();
    expect(statSync(deps.paths.token).mode & 0o777).toBe(0o600);
    expect(await ownFolders.run(deps)).toMatchObject([{ status: 'ok' }]);
  });
});

describe('settings', () => {
  it('that are no TOML are named with their line, a bad value with its key, and the file is opened by the command', async () => {
    const deps = depsIn(tempFolder());
    mkdirSync(deps.paths.config, { recursive: true });
    expect(await settingsFile.run(deps)).toMatchObject([{ status: 'ok' }]);
    writeFileSync(deps.paths.settings, '[http]\nport = = 1\n');
    expect(await settingsFile.run(deps)).toMatchObject([
      { status: 'broken', says: expect.stringContaining('line 2'), mend: `$EDITOR ${deps.paths.settings}` },
    ]);
    writeFileSync(deps.paths.settings, '[http]\nport = "harbour"\n');
    expect(await settingsFile.run(deps)).toMatchObject([
      { status: 'broken', says: expect.stringContaining('http.port') },
    ]);
  });

  it('of the environment that name nothing are told', async () => {
    const deps = depsIn(tempFolder());
    const found = await settingsFile.run({ ...deps, env: { ...deps.env, LOCI_PROT: '1' } });
    expect(found).toMatchObject([{ status: 'notice', mend: 'unset LOCI_PROT' }]);
  });
});

describe('native modules', () => {
  it('load in the Node of this machine', async () => {
    expect(await nativeModules.run(depsIn(tempFolder()))).toMatchObject([
      { status: 'ok', says: expect.stringContaining(`ABI ${process.versions.modules}`) },
    ]);
  });

  it('that were built for another Node are told with both ABIs, and how to build them anew', async () => {
    const package_ = join(tempFolder(), 'package');
    for (const name of ['better-sqlite3', '@lancedb/lancedb', '@huggingface/transformers', 'onnxruntime-node']) {
      mkdirSync(join(package_, 'node_modules', name), { recursive: true });
      writeFileSync(join(package_, 'node_modules', name, 'index.js'), 'module.exports = {};\n');
    }
    const stranger = `throw Object.assign(new Error('The module was compiled using NODE_MODULE_VERSION 127.'), { code: 'ERR_DLOPEN_FAILED' });\n`;
    writeFileSync(join(package_, 'node_modules/better-sqlite3/index.js'), stranger);
    const deps = depsIn(tempFolder(), { program: join(package_, 'dist', 'locid.js') });
    expect(await nativeModules.run(deps)).toMatchObject([
      {
        status: 'broken',
        says: `better-sqlite3 cannot be loaded by Node ${process.version} (ABI ${process.versions.modules}): they were built for ABI 127.`,
        mend: expect.stringContaining(`npm rebuild --prefix ${package_}`),
      },
    ]);
  });

  it('are tried with the Node that the daemon recorded; one that is gone is told', async () => {
    const deps = depsIn(tempFolder());
    mkdirSync(deps.paths.data, { recursive: true });
    writeFileSync(deps.paths.card, JSON.stringify({ node_path: '/nowhere/.nvm/bin/node' }));
    expect(await nativeModules.run(deps)).toMatchObject([
      { status: 'notice', says: expect.stringContaining('/nowhere/.nvm/bin/node'), mend: 'loci restart' },
      { status: 'ok' },
    ]);
  });
});

describe('the model', () => {
  it('that was cut short is named by its file', async () => {
    const models = tempFolder();
    cpSync(join(root, 'models'), models, { recursive: true });
    const { paths } = depsIn(tempFolder());
    expect(await checkStore(paths, { modelsFolder: models })).toMatchObject({ store: 'absent', model: null });
    const [folder = ''] = ['bge-small-en-v1.5'];
    const checksums = JSON.parse(readFileSync(join(models, folder, 'checksums.json'), 'utf8')) as { files: object };
    const weights = Object.keys(checksums.files).find((name) => name.endsWith('.onnx')) ?? '';
    truncateSync(join(models, folder, weights), 1_000);
    expect(await checkStore(paths, { modelsFolder: models })).toMatchObject({
      model: { reason: 'truncated', file: expect.stringMatching(/\.onnx$/) },
    });
  });
});

describe('the command of an agent', () => {
  const env = { HOME: '/nonexistent', PATH: process.env.PATH };

  it('that is not there, or that is looked for on a PATH which agents do not have, is told', async () => {
    expect(await startServer({ command: '/nowhere/node', args: [], env: {} }, env, true)).toEqual({
      kind: 'failure',
      text: '/nowhere/node is not there, or not on the PATH that agents have',
    });
    expect(await startServer({ command: 'a-tool-of-nvm', args: [], env: {} }, env, true)).toMatchObject({
      kind: 'failure',
    });
  });

  it('that crashes is told by its own sentence', async () => {
    const server = { command: process.execPath, args: ['/nowhere/loci.cjs', 'mcp'], env: {} };
    expect(await startServer(server, env, false)).toMatchObject({
      kind: 'failure',
      text: expect.stringMatching(/^it ended with code 1: Error: Cannot find module/),
    });
  });

  it('gets no variable of the shell, and those of its entry', async () => {
    const program = `process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { message: Object.keys(process.env).sort().join() } }) + '\\n'); setInterval(() => {}, 1000)`;
    const server = { command: process.execPath, args: ['-e', program], env: { LOCI_HOME: '/srv/loci' } };
    const answer = await startServer(server, { ...env, OPENAI_API_KEY: 'x', NODE_OPTIONS: '--title=x' }, true);
    expect(answer).toEqual({ kind: 'refusal', text: 'HOME,LOCI_HOME,PATH' });
  });
});

it('time is told in the largest unit that fits', () => {
  expect([0, 59_000, 60_000, 7_200_000, 86_400_000 * 3].map(agoText)).toEqual([
    'just now',
    'just now',
    '1 minute ago',
    '2 hours ago',
    '3 days ago',
  ]);
});
