// Lines of a file from any byte on, in slices of a quarter megabyte. A line that is longer than it may be is passed over without being
// held; the last one without a line break is given too, marked, because its writer may still be at it.
import { readSync } from 'node:fs';

export type FileLine = {
  /** From 1. */
  readonly line: number;
  /** Null where it is longer than allowed. */
  readonly bytes: Buffer | null;
  /** Offset behind it and its line break. */
  readonly end: number;
  readonly isClosed: boolean;
};

export type LineOptions = {
  readonly from: number;
  /** Lines before `from`. */
  readonly linesBefore: number;
  readonly maxBytes: number;
};

const sliceBytes = 256 * 1024;
const newline = 10;

export function* readLines(descriptor: number, { from, linesBefore, maxBytes }: LineOptions): Generator<FileLine> {
  const slice = Buffer.allocUnsafe(sliceBytes);
  let parts: Buffer[] = [];
  let held = 0;
  let isTooLong = false;
  let offset = from;
  let line = linesBefore;

  const take = (bytes: Buffer): void => {
    held += bytes.length;
    if (held > maxBytes) {
      isTooLong = true;
      parts = [];
    } else if (bytes.length > 0) parts.push(Buffer.from(bytes));
  };
  const finish = (end: number, isClosed: boolean): FileLine => {
    line += 1;
    const bytes = isTooLong ? null : parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    parts = [];
    held = 0;
    isTooLong = false;
    return { line, bytes, end, isClosed };
  };

  for (;;) {
    const count = readSync(descriptor, slice, 0, sliceBytes, offset);
    if (count === 0) break;
    let start = 0;
    for (let at = slice.indexOf(newline); at !== -1 && at < count; at = slice.indexOf(newline, start)) {
      take(slice.subarray(start, at));
      start = at + 1;
      yield finish(offset + start, true);
    }
    take(slice.subarray(start, count));
    offset += count;
  }
  if (held > 0) yield finish(offset, false);
}
