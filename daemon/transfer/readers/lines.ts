// Lines of a file as they are read, a block at a time. A line that is too long or no UTF-8 is told as such and the next one is read: one
// damaged line must not cost the rest of the file.
import { closeSync, openSync, readSync } from 'node:fs';

export type Line =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly problem: string };

const blockBytes = 1024 * 1024;
/** A file of 10 MB in base64, with room. */
export const maxLineBytes = 32 * 2 ** 20;

/** Non-empty lines without their ends, numbered from 1; a byte order mark is no part of the first. */
export function* readLines(path: string, progress: (bytes: number) => void = () => undefined): Generator<Line> {
  const file = openSync(path, 'r');
  try {
    yield* linesOf(blocksOf(file, progress));
  } finally {
    closeSync(file);
  }
}

function* blocksOf(file: number, progress: (bytes: number) => void): Generator<Buffer> {
  for (let position = 0; ; ) {
    const block = Buffer.allocUnsafe(blockBytes);
    const read = readSync(file, block, 0, blockBytes, position);
    if (read === 0) return;
    position += read;
    progress(position);
    yield block.subarray(0, read);
  }
}

/** The same from blocks of bytes. */
export function* linesOf(blocks: Iterable<Buffer>): Generator<Line> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const take = function* (): Generator<Line> {
    number += 1;
    const bytes = length > maxLineBytes ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    const line = bytes === null ? { line: number, problem: tooLong } : decoded(bytes, number);
    if ('problem' in line || line.text.trim() !== '') yield line;
  };
  for (const block of blocks) {
    let start = 0;
    for (let end = block.indexOf(10); end !== -1; end = block.indexOf(10, start)) {
      keep(block.subarray(start, end));
      yield* take();
      start = end + 1;
    }
    keep(block.subarray(start));
  }
  if (length > 0) yield* take();

  /** Of a line that is too long nothing more is kept. */
  function keep(part: Buffer): void {
    length += part.length;
    if (length > maxLineBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  }
}

const tooLong = `the line has more than ${maxLineBytes / 2 ** 20} MB`;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Buffer, line: number): Line {
  try {
    const text = decoder.decode(bytes);
    const first = line === 1 ? text.replace(/^\uFEFF/, '') : text;
    return { line, text: first.endsWith('\r') ? first.slice(0, -1) : first };
  } catch {
    return { line, problem: 'the line is no text in UTF-8' };
  }
}

/** A line of JSON as an object, or what is wrong with it. */
export function parseLine({
  line,
  ...rest
}: Line): { line: number; value: Record<string, unknown> } | { line: number; problem: string } {
  if ('problem' in rest) return { line, problem: rest.problem };
  try {
    const value: unknown = JSON.parse(rest.text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { line, value: value as Record<string, unknown> };
    }
    return { line, problem: 'the line is JSON, but no object' };
  } catch {
    return {
      line,
      problem: rest.text.includes('\0')
        ? 'the line holds NUL bytes and is no JSON'
        : 'the line is no whole JSON object',
    };
  }
}
