// Files of the user's agent are read and replaced whole. A reader sees the old bytes or the new ones, the mode stays, a symbolic
// link keeps pointing where it did, and a file that changed since it was read is left alone.
import { randomBytes } from 'node:crypto';
import { chmod, lstat, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A larger file is no note that an agent reads. */
const maxBytes = 5 * 2 ** 20;

export type ReadFile = {
  /** Where the bytes are, symbolic links resolved. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly mode: number;
};

/** A regular file of up to 5 MB, or null for anything else: nothing there, a folder, a link to nowhere, one that may not be read. */
export async function readWhole(path: string): Promise<ReadFile | null> {
  try {
    const real = await realpath(path);
    const found = await stat(real);
    if (!found.isFile() || found.size > maxBytes) return null;
    return { path: real, bytes: await readFile(real), mode: found.mode & 0o7777 };
  } catch {
    return null;
  }
}

/** Writes `bytes` in place of what was read; false if the file is no longer what it was, or cannot be written. */
export async function replaceFile(before: ReadFile, bytes: Buffer): Promise<boolean> {
  return writeBeside(before.path, bytes, before.mode, async () => {
    const now = await readWhole(before.path);
    return now !== null && now.path === before.path && now.bytes.equals(before.bytes);
  });
}

/** Writes a new file, readable by its owner alone; false if there is something by now, or it cannot be written. */
export async function createFile(path: string, bytes: Buffer): Promise<boolean> {
  return writeBeside(path, bytes, 0o600, async () => (await lstat(path).catch(() => null)) === null);
}

async function writeBeside(
  path: string,
  bytes: Buffer,
  mode: number,
  mayReplace: () => Promise<boolean>,
): Promise<boolean> {
  const temporary = join(dirname(path), `.loci-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(temporary, mode);
    if (await mayReplace()) {
      await rename(temporary, path);
      return true;
    }
  } catch {
    // a folder that is read-only or gone: the file stays as it is
  }
  await rm(temporary, { force: true });
  return false;
}
