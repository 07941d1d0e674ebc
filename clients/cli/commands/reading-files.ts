// A file or folder of the caller's that cannot be read is nothing that Loci did: it is named, with why and with what to do about it.
import { createReadStream } from 'node:fs';
import { LociError } from '#shared/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read it: change its permissions, or leave it out.',
  EPERM: 'this user may not read it: change its permissions, or leave it out.',
  ELOOP: 'its symbolic links lead in a circle: name the file or folder itself.',
  EISDIR: 'it is a folder where a file is wanted.',
  ENAMETOOLONG: 'its name is longer than this system allows.',
  EIO: 'the disk reports an error: copy what can be read elsewhere, and take the copy.',
};
const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/** Reads something of a path. Throws `not_found` where there is nothing, `invalid_input` for what cannot be read. */
export function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The bytes of a file, with the same errors. */
export async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Buffer>;
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The error to throw for one of the system's; any other comes back as it is. */
export function unreadable(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (absent.has(code)) return new LociError('not_found', `There is no file or folder ${path}.`, { path });
  if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) return error;
  const why = reasons[code] ?? `the system says ${code}: read it with another program first.`;
  return new LociError('invalid_input', `${path} cannot be read: ${why}`, { path });
}
