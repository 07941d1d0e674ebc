// The files of imports under way: what was uploaded, a write-ahead log that came with it, what was staged. In the state folder, for the
// owner alone, and gone as soon as an import has ended.
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadFile } from '#daemon/kernel/transfer-streams.ts';
import { invalidField } from '#shared/errors.ts';

export type UploadFolder = {
  uploadOf(uid: string): string;
  stagingOf(uid: string): string;
  /** Writes a part where it belongs; answers the size of the file. Throws `invalid_input` for a gap. */
  write(uid: string, file: UploadFile, offset: number, bytes: Uint8Array): Promise<number>;
  sizeOf(uid: string): number;
  hasStaged(uid: string): boolean;
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
    hasStaged: (uid) => existsSync(stagingOf(uid)),
    async write(uid, file, offset, bytes) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // SQLite looks for the log of a database under this name
      const path = file === 'wal' ? `${uploadOf(uid)}-wal` : uploadOf(uid);
      const size = sizeAt(path);
      if (offset > size) throw invalidField('offset', `\`offset\` leaves a gap: ${size} bytes are here.`);
      const handle = await open(path, size === 0 ? 'w' : 'r+', 0o600);
      try {
        await handle.write(bytes, 0, bytes.byteLength, offset);
      } finally {
        await handle.close();
      }
      return Math.max(size, offset + bytes.byteLength);
    },
    remove(uid) {
      for (const path of [uploadOf(uid), stagingOf(uid)]) {
        for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true });
      }
    },
  };
}
