// A transcript of JSON lines. A damaged line costs that line and is named, never what follows it; an unfinished last line is left for the
// next reading; a file that was replaced by another of the same name is read from its start.
import { isRecord } from '#daemon/kernel/is-record.ts';
import { headHashOf, type OpenFile } from './open-file.ts';
import { type FileLine, readLines } from './read-lines.ts';
import {
  type DialectLine,
  type DialectMessage,
  maxLineBytes,
  maxNamedSkips,
  type SkippedLine,
  type Transcript,
  type TranscriptFormat,
  type TranscriptMessage,
  type TranscriptPosition,
} from './transcript.ts';

export type Dialect = (value: Record<string, unknown>) => DialectLine;

export type JsonLinesOptions = {
  readonly format: TranscriptFormat;
  readonly dialect: Dialect;
  readonly from: TranscriptPosition | null;
  /** What stands there as the user was written by an agent. */
  readonly isSubAgent: boolean;
};

/** Remembered ids of messages: the same one comes again within a few lines. */
const maxIds = 2_000;

export function readJsonLines(file: OpenFile, options: JsonLinesOptions): Transcript {
  const start = startOf(file, options.from);
  const skippedLines: SkippedLine[] = [];
  const texts = new Map<string, string>();
  let { isSubAgent } = options;
  let skipped = 0;
  let position = start.position;
  let line = start.line;
  let folder: string | null = null;
  let session: string | null = null;

  function* messages(): Generator<TranscriptMessage> {
    const from = { from: start.position, linesBefore: start.line, maxBytes: maxLineBytes };
    for (const read of readLines(file.descriptor, from)) {
      const value = valueOnLine(read);
      if (value === 'unfinished') return;
      if (typeof value === 'string') skip(read.line, value);
      else if (value !== null) yield* said(value, read.line);
      position = read.end;
      line = read.line;
    }
  }

  function* said(value: Record<string, unknown>, at: number): Generator<TranscriptMessage> {
    const found = options.dialect(value);
    folder ??= found.folder ?? null;
    session ??= found.session ?? null;
    if (found.isSubAgent !== undefined) isSubAgent = true;
    for (const message of found.messages) {
      if (isRepeated(message)) continue;
      const { text, atMs } = message;
      yield { role: isSubAgent ? 'assistant' : message.role, text, atMs, line: at };
    }
  }

  function isRepeated({ id, text }: DialectMessage): boolean {
    if (id === null) return false;
    const mark = `${text.length} ${text.slice(0, 500)}`;
    if (texts.get(id) === mark) return true;
    texts.delete(id);
    texts.set(id, mark);
    if (texts.size > maxIds) texts.delete(texts.keys().next().value ?? '');
    return false;
  }

  function skip(at: number, why: string): void {
    skipped += 1;
    if (skippedLines.length < maxNamedSkips) skippedLines.push({ line: at, why });
  }

  return {
    format: options.format,
    messages,
    end: () => ({
      position: { headHash: headHashOf(file.descriptor, position), position, line },
      folder,
      session,
      skipped,
      skippedLines,
    }),
  };
}

function startOf(file: OpenFile, from: TranscriptPosition | null): { position: number; line: number } {
  const isSame =
    from !== null && from.position <= file.sizeBytes && headHashOf(file.descriptor, from.position) === from.headHash;
  return isSame ? from : { position: 0, line: 0 };
}

/** The object on a line; null for an empty one, a reason for one that cannot be read. */
function valueOnLine({ bytes, isClosed }: FileLine): Record<string, unknown> | null | string {
  if (bytes === null) return 'is longer than 16 MB';
  const text = bytes.toString('utf8');
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : 'is no JSON object';
  } catch {
    return isClosed ? 'is no JSON' : 'unfinished';
  }
}
