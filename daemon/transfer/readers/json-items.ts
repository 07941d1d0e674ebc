// The members of a list in a JSON file, one after the other: a file of hundreds of megabytes is mostly one list, and parsed whole it would
// need many times its size. The bytes are walked by a small automaton that knows strings and brackets; each member is then parsed alone.
import { closeSync, openSync, readSync } from 'node:fs';
import { isRecord } from '#daemon/kernel/is-record.ts';
import { maxLineBytes, parseLine, readLines } from './lines.ts';

export type JsonItem =
  | { readonly line: number; readonly value: Record<string, unknown> }
  | { readonly line: number | null; readonly problem: string };

const blockBytes = 256 * 1024;
const [quote, backslash, comma, newline] = [0x22, 0x5c, 0x2c, 0x0a];

/** Members of the outermost list, or of the list under one of `keys` in the outermost object; of a file of JSON lines, its lines. */
export function* jsonItems(
  path: string,
  keys: readonly string[],
  progress: (bytes: number) => void,
): Generator<JsonItem> {
  if (isLines(path)) {
    for (const line of readLines(path, progress)) yield parseLine(line);
    return;
  }
  let hasList = false;
  for (const item of membersOf(path, keys, progress)) {
    if (item === 'list') hasList = true;
    else yield item;
  }
  if (!hasList)
    yield {
      line: null,
      problem: `there is no list in the file${keys.length > 0 ? `, neither at its root nor under ${keys.join(' or ')}` : ''}`,
    };
}

/** Whether the first line is a whole object by itself, and not the only one. */
function isLines(path: string): boolean {
  let count = 0;
  for (const line of readLines(path)) {
    const parsed = parseLine(line);
    if (count === 0 && 'problem' in parsed) return false;
    if (
      count === 0 &&
      !('problem' in parsed) &&
      Object.values(parsed.value).some((value) => Array.isArray(value) && value.some(isRecord))
    )
      return false;
    count += 1;
    if (count === 2) return true;
  }
  return count === 1;
}

type Walk = {
  depth: number;
  inString: boolean;
  isEscaped: boolean;
  line: number;
  listDepth: number | null;
  key: string;
  text: number[];
};

function* membersOf(
  path: string,
  keys: readonly string[],
  progress: (bytes: number) => void,
): Generator<JsonItem | 'list'> {
  const walk: Walk = { depth: 0, inString: false, isEscaped: false, line: 1, listDepth: null, key: '', text: [] };
  const member = createMember();
  for (const block of blocksOf(path, progress)) {
    member.enter(block);
    for (let at = 0; at < block.length; at += 1) {
      const byte = block[at] as number;
      if (byte === newline) walk.line += 1;
      if (walk.inString) {
        stepInString(walk, byte);
        continue;
      }
      const isInList = walk.depth === walk.listDepth;
      if (isInList && !isSpace(byte) && byte !== comma && byte !== 0x5d) member.begin(at, walk.line);
      if (byte === quote) {
        walk.inString = true;
        walk.text = [];
      } else if (byte === 0x7b || byte === 0x5b) {
        walk.depth += 1;
        const isWanted = walk.depth === 1 || (walk.depth === 2 && keys.includes(walk.key));
        if (byte === 0x5b && walk.listDepth === null && isWanted) {
          walk.listDepth = walk.depth;
          yield 'list';
        }
      } else if (byte === 0x7d || byte === 0x5d) {
        if (isInList && byte === 0x5d) {
          yield* member.end(at);
          walk.listDepth = null;
          walk.key = '';
        }
        walk.depth -= 1;
        if (walk.depth === walk.listDepth) yield* member.end(at + 1);
      } else if (isInList && byte === comma) yield* member.end(at);
    }
    member.leave();
  }
  if (walk.depth > 0 || walk.inString) yield { line: walk.line, problem: 'the file ends in the middle of a record' };
}

function stepInString(walk: Walk, byte: number): void {
  if (walk.isEscaped) walk.isEscaped = false;
  else if (byte === backslash) walk.isEscaped = true;
  else if (byte === quote) {
    walk.inString = false;
    if (walk.depth === 1) walk.key = String.fromCharCode(...walk.text);
    return;
  }
  if (walk.depth === 1 && walk.text.length < 64) walk.text.push(byte);
}

/** Gathers the bytes of one member over the blocks that it spans. */
function createMember() {
  let block: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let length = 0;
  let start: number | null = null;
  let line = 0;
  const keep = (end: number): void => {
    if (start === null) return;
    length += end - start;
    if (length <= maxLineBytes) parts.push(block.subarray(start, end));
    else parts = [];
  };
  return {
    enter(next: Buffer): void {
      block = next;
      if (start !== null) start = 0;
    },
    leave: () => keep(block.length),
    begin(at: number, atLine: number): void {
      if (start !== null) return;
      start = at;
      line = atLine;
    },
    *end(at: number): Generator<JsonItem> {
      if (start === null) return;
      keep(at);
      const isTooLong = length > maxLineBytes;
      const text = isTooLong ? '' : Buffer.concat(parts).toString('utf8');
      [parts, length, start] = [[], 0, null];
      if (isTooLong) yield { line, problem: `the record has more than ${maxLineBytes / 2 ** 20} MB` };
      else if (text.trim() !== '') yield parseLine({ line, text });
    },
  };
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;
}

function* blocksOf(path: string, progress: (bytes: number) => void): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (let position = 0; ; ) {
      const block = Buffer.allocUnsafe(blockBytes);
      const read = readSync(file, block, 0, blockBytes, position);
      if (read === 0) return;
      // a byte order mark is no part of the JSON
      const skip = position === 0 && block.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
      position += read;
      progress(position);
      yield block.subarray(skip, read);
    }
  } finally {
    closeSync(file);
  }
}
