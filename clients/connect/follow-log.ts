// `loci logs`: the newest lines across the files of the rotation, and with `-f` what comes, over rotations and restarts.
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export type FollowOptions = {
  readonly file: string;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
  readonly everyMs?: number;
};

/** The last `count` lines, oldest first, from as many rotated files (`.1`, `.2`, …) as it takes. */
export function lastLogLines(file: string, count: number): string[] {
  const lines: string[] = [];
  for (let index = 0; lines.length < count; index += 1) {
    const name = index === 0 ? file : `${file}.${index}`;
    if (!existsSync(name)) break;
    const found = readFileSync(name, 'utf8').split('\n').filter(Boolean);
    lines.unshift(...found.slice(-(count - lines.length)));
  }
  return lines;
}

/** Writes what is appended from now on, until the signal. A file that is replaced is read to its end, then the new one from its start. */
export async function followLog({ file, write, signal, everyMs = 250 }: FollowOptions): Promise<void> {
  let position = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let descriptor = existsSync(file) ? openSync(file, 'r') : null;
  try {
    while (!signal.aborted) {
      if (descriptor !== null) position += drain(descriptor, position, write);
      if (isReplaced(file, descriptor)) {
        if (descriptor !== null) {
          drain(descriptor, position, write);
          closeSync(descriptor);
        }
        descriptor = existsSync(file) ? openSync(file, 'r') : null;
        position = 0;
        continue;
      }
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function isReplaced(file: string, descriptor: number | null): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (descriptor === null) return true;
  const open = fstatSync(descriptor);
  return found.ino !== open.ino || found.dev !== open.dev;
}

/** Writes whole characters from `position` on; the bytes that were written. */
function drain(descriptor: number, position: number, write: (text: string) => void): number {
  const buffer = Buffer.alloc(64 * 1024);
  let read = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, 0, buffer.length, position + read);
    const whole = buffer.lastIndexOf(0x0a, count - 1) + 1; // whole lines, so that no character is cut
    if (count === 0 || (whole === 0 && count < buffer.length)) return read;
    const used = whole === 0 ? count : whole;
    write(buffer.toString('utf8', 0, used));
    read += used;
  }
}
