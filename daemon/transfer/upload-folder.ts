// The files of imports under way: what was uploaded, a write-ahead log that came with it, what was staged. In the state folder, for the
// owner alone, and gone as soon as an import has ended.
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadFile } from '#daemon/kernel/transfer-streams.ts';
import { invalidField, LociError } from '#shared/errors.ts';

export type UploadFolder = {
  uploadOf(uid: string): string;
  stagingOf(uid: string): string;
  /** Writes a part where it belongs; answers the size of the file. Throws `invalid_input` for a gap. */
  write(uid: string, file: UploadFile, offset: number, bytes: Uint8Array): Promise<number>;
  sizeOf(uid: string): number;
  /** 0 where nothing is staged. */
  stagedBytes(uid: string): number;
  remove(uid: string): void;
};

export function createUploadFolder(folder: string): UploadFolder {
  const uploadOf = (uid: string): string => join(folder, `${uid}.upload`);
  const stagingOf = (uid: string): string => join(folder, `${uid}.staged`);
  const sizeAt = (path: string): number => (existsSync(path) ? statSync(path).size : 0);
  return {
    uploadOf,
    stagingOf,
    sizeOf: (uid) => sizeAt(uploadOf(uid)),
    stagedBytes: (uid) => sizeAt(stagingOf(uid)),
    async write(uid, file, offset, bytes) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        // SQLite looks for the log of a database under this name
        return await writePart(file === 'wal' ? `${uploadOf(uid)}-wal` : uploadOf(uid), offset, bytes);
      } catch (error) {
        throw diskProblem(error);
      }
    },
    remove(uid) {
      for (const path of [uploadOf(uid), stagingOf(uid)]) {
        for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true });
      }
    },
  };
}

async function writePart(path: string, offset: number, bytes: Uint8Array): Promise<number> {
  const size = existsSync(path) ? statSync(path).size : 0;
  if (offset > size) throw invalidField('offset', `\`offset\` leaves a gap: ${size} bytes are here.`);
  const handle = await open(path, size === 0 ? 'w' : 'r+', 0o600);
  try {
    await handle.write(bytes, 0, bytes.byteLength, offset);
  } finally {
    await handle.close();
  }
  return Math.max(size, offset + bytes.byteLength);
}

function diskProblem(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new LociError('unavailable', 'The disk is full: make room, then send this part again.');
  if (code === 'EROFS' || code === 'EACCES')
    return new LociError('unavailable', 'The state folder cannot be written: nothing can be imported.');
  return error;
}
