import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { LociError } from '#shared/errors.ts';

export type OpenFile = { readonly descriptor: number; readonly sizeBytes: number; close(): void };

/** Opens a regular file of this user for reading. Throws `not_found` or `invalid_input`; a pipe or device is never waited for. */
export function openOwnFile(path: string): OpenFile {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    throw new LociError('not_found', 'There is no such file, or it cannot be read.', { path: 'cannot be read' });
  }
  const found = fstatSync(descriptor);
  const uid = process.getuid?.();
  if (!found.isFile() || (uid !== undefined && found.uid !== uid)) {
    closeSync(descriptor);
    throw new LociError('invalid_input', 'The path must lead to a regular file of your own.', {
      path: 'is no such file',
    });
  }
  return { descriptor, sizeBytes: found.size, close: () => closeSync(descriptor) };
}

const maxHeadBytes = 4_096;

/** SHA-256 of the beginning of a file, as far as `readBytes` goes: the same for a file that has only grown. */
export function headHashOf(descriptor: number, readBytes: number): string {
  const head = Buffer.alloc(Math.min(maxHeadBytes, readBytes));
  const count = readSync(descriptor, head, 0, head.length, 0);
  return createHash('sha256').update(head.subarray(0, count)).digest('hex');
}
