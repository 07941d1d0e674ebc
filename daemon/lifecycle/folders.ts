// Everything of Loci is its owner's alone. A run folder below a shared temporary folder has a name that a stranger can guess and
// make first, as a link or open to all, to read what agents say or to have us write over a file; so folders are judged
// before they are used, by what they are and not by what we asked mkdir for.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  statfsSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LociError } from '#shared/errors.ts';
import { type LociPaths, maxSocketPathBytes } from '#shared/paths.ts';

/** Makes the data folder, so that the lock can be taken in it. Throws `unavailable` when it is not ours. */
export function prepareDataFolder(paths: LociPaths): void {
  ownFolder(paths.data);
  for (const file of [paths.lock, paths.database, paths.card, paths.vectors, paths.backups]) refuseLink(file);
}

export type FolderOptions = {
  readonly allowNetworkFs: boolean;
  /** The file system's magic number; tests give their own. */
  readonly fileSystemOf?: (folder: string) => number;
};

/** Makes the other folders and proves that data can be written there and reaches the disk. Throws `unavailable` with what to change. */
export function prepareFolders(paths: LociPaths, options: FolderOptions): void {
  const network = networkFileSystem((options.fileSystemOf ?? fileSystemOf)(paths.data));
  if (network !== null && !options.allowNetworkFs) {
    throw new LociError(
      'unavailable',
      `The data folder ${paths.data} is on a network file system (${network}), whose locks may lie; move it, or set storage.allow_network_fs = true.`,
    );
  }
  ownFolder(paths.config);
  ownFolder(paths.state);
  ownFolder(dirname(paths.log));
  for (const file of [paths.log, paths.token, paths.settings]) refuseLink(file);
  for (const socket of [paths.httpSocket, paths.mcpSocket]) refuseLongSocketPath(socket);
  const run = dirname(paths.httpSocket);
  privateRunFolder(run);
  const isOurs = run === paths.run || /^loci-\d+-[0-9a-f]{16}$/u.test(basename(run)); // the short one of shared/paths.ts
  if (isOurs) ownFolder(run); // one that the user chose keeps its mode
  proveWritable(paths.data);
}

/** A folder that may be a link of our own; others' write permission on it is taken away. */
function ownFolder(folder: string): void {
  make(folder);
  const link = lstatSync(folder);
  const found = statSync(folder);
  if (!found.isDirectory()) throw new LociError('unavailable', `${folder} must be a folder; move what is there.`);
  refuseForeign(folder, link.uid);
  refuseForeign(folder, found.uid);
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Makes the folder of the sockets: never a link, never one that others could write to. Throws `unavailable` with what to change. */
export function privateRunFolder(folder: string): void {
  make(folder);
  const found = lstatSync(folder);
  if (found.isSymbolicLink()) {
    throw new LociError('unavailable', `The run folder ${folder} is a symbolic link; remove it and start again.`);
  }
  if (!found.isDirectory()) throw new LociError('unavailable', `${folder} must be a folder; move what is there.`);
  refuseForeign(folder, found.uid);
  if ((found.mode & 0o022) !== 0) {
    throw new LociError('unavailable', `Others may write to the run folder ${folder}; make it private with chmod 700.`);
  }
}

function make(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return; // judged by what it is, next
    throw new LociError('unavailable', `The folder ${folder} cannot be made (${code ?? 'unknown error'}).`);
  }
}

function refuseForeign(path: string, ownerUid: number): void {
  const uid = process.getuid?.();
  if (uid === undefined || ownerUid === uid) return;
  throw new LociError('unavailable', `${path} belongs to another user (uid ${ownerUid}); remove it or set LOCI_HOME.`);
}

function refuseLink(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) {
    throw new LociError('unavailable', `${file} is a symbolic link; remove it and start again.`);
  }
  refuseForeign(file, found.uid);
}

function refuseLongSocketPath(path: string): void {
  const lengthBytes = Buffer.byteLength(path);
  if (lengthBytes <= maxSocketPathBytes) return;
  throw new LociError(
    'unavailable',
    `The socket path ${path} has ${lengthBytes} bytes and this system takes ${maxSocketPathBytes}; set LOCI_SOCKET or TMPDIR to a shorter one.`,
  );
}

/** Writes, syncs and removes a probe: a disk that is full or read-only is told at the start, not at the first save. */
function proveWritable(folder: string): void {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    const descriptor = openSync(probe, 'wx', 0o600);
    try {
      writeSync(descriptor, Buffer.alloc(4096, 1));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
      unlinkSync(probe);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new LociError('unavailable', `The data folder ${folder} cannot be written (${writeProblem(code)}).`, {
      cause: code ?? 'unknown',
    });
  }
}

/** A file or folder that the system refuses, as `unavailable` in plain words; any other error unchanged. */
export function fileProblem(error: unknown): unknown {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof LociError || typeof syscall !== 'string' || typeof path !== 'string') return error;
  return new LociError('unavailable', `${path} cannot be used (${writeProblem(code)}).`, { cause: code ?? 'unknown' });
}

function writeProblem(code: string | undefined): string {
  const words: Record<string, string> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EROFS: 'the file system is read-only',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
  };
  return words[code ?? ''] ?? code ?? 'unknown error';
}

function fileSystemOf(folder: string): number {
  return process.platform === 'linux' ? statfsSync(folder).type : 0;
}

/** Magic numbers of `statfs(2)` on Linux. */
function networkFileSystem(magic: number): string | null {
  const names: Record<number, string> = {
    26985: 'NFS',
    20859: 'SMB',
    4283649346: 'CIFS',
    4266872130: 'SMB2',
    16914839: '9p',
    1397113167: 'AFS',
    1937076805: 'Coda',
    12805120: 'Ceph',
    198183888: 'Lustre',
    1196443219: 'GPFS',
  };
  return names[magic] ?? null;
}
