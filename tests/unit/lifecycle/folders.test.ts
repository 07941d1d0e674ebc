import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { prepareDataFolder, prepareFolders } from '#daemon/lifecycle/folders.ts';
import { type LociPaths, maxSocketPathBytes, resolvePaths } from '#shared/paths.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const nfs = 0x6969;
const ext4 = 0xef53;

function prepare(paths: LociPaths, options: { allowNetworkFs?: boolean; fileSystem?: number } = {}): void {
  prepareDataFolder(paths);
  const fileSystemOf = () => options.fileSystem ?? ext4;
  prepareFolders(paths, { allowNetworkFs: options.allowNetworkFs ?? false, fileSystemOf });
}

function newHome(): LociPaths {
  return resolvePaths({ LOCI_HOME: tempFolder() });
}

afterEach(() => vi.restoreAllMocks());

describe('the folders of the daemon', () => {
  it('are made for their owner alone, whatever the umask', () => {
    const paths = newHome();
    const before = process.umask(0);
    prepare(paths);
    process.umask(before);
    for (const folder of [paths.data, paths.config, paths.state, dirname(paths.log), paths.run]) {
      expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    }
    expect(readdirSync(paths.data)).toEqual([]);
  });

  it('B70 a data folder that was open to all is closed', () => {
    const paths = newHome();
    mkdirSync(paths.data);
    chmodSync(paths.data, 0o777);
    prepare(paths);
    expect(lstatSync(paths.data).mode & 0o777).toBe(0o700);
  });

  it('B70 a run folder that others may write to is refused', () => {
    const paths = newHome();
    mkdirSync(paths.run);
    chmodSync(paths.run, 0o777);
    expect(() => prepare(paths)).toThrow(/Others may write to the run folder/u);
  });

  it('B70 a run folder that is a link is refused', () => {
    const paths = newHome();
    const elsewhere = tempFolder();
    symlinkSync(elsewhere, paths.run);
    expect(() => prepare(paths)).toThrow(/symbolic link/u);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it.each(['lock', 'database', 'card', 'log', 'token', 'settings', 'vectors', 'backups'] as const)(
    'B70 a planted link in place of the %s is refused and its target unchanged',
    (name) => {
      const paths = newHome();
      const victim = join(tempFolder(), 'victim');
      writeFileSync(victim, 'mine');
      mkdirSync(dirname(paths[name]), { recursive: true });
      symlinkSync(victim, paths[name]);
      expect(() => prepare(paths)).toThrow(/symbolic link/u);
      expect(readFileSync(victim, 'utf8')).toBe('mine');
    },
  );

  it('B70 a folder of another user is refused', () => {
    const paths = newHome();
    mkdirSync(paths.data);
    const { uid } = lstatSync(paths.data);
    vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
    expect(() => prepare(paths)).toThrow(/belongs to another user/u);
  });

  it('a folder that the user chose for the socket keeps its mode', () => {
    const folder = tempFolder();
    chmodSync(folder, 0o755);
    prepare(resolvePaths({ LOCI_HOME: tempFolder(), LOCI_SOCKET: join(folder, 'mine.sock') }));
    expect(lstatSync(folder).mode & 0o777).toBe(0o755);
  });

  it('data on a network file system is refused unless it was allowed', () => {
    expect(() => prepare(newHome(), { fileSystem: nfs })).toThrow(/network file system \(NFS\).*allow_network_fs/u);
    expect(() => prepare(newHome(), { fileSystem: nfs, allowNetworkFs: true })).not.toThrow();
  });

  it('B43 a socket path that is too long is refused by path, length and limit', () => {
    const socket = join(tempFolder(), `${'x'.repeat(120)}.sock`);
    const attempt = () => prepare(resolvePaths({ LOCI_HOME: tempFolder(), LOCI_SOCKET: socket }));
    expect(attempt).toThrow(socket);
    expect(attempt).toThrow(`${socket.length} bytes`);
    expect(attempt).toThrow(String(maxSocketPathBytes));
  });

  it('a home that cannot be made is told by its path', () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    expect(() => prepare(resolvePaths({ LOCI_HOME: file }))).toThrow(`${file}/data cannot be made`);
  });
});
