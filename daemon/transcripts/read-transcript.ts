// The one interface over the formats: which it is, is told by the file, not by who says so.
import { readSync } from 'node:fs';
import { basename } from 'node:path';
import { isRecord } from '#daemon/kernel/is-record.ts';
import { LociError } from '#shared/errors.ts';
import { readClaudeCode } from './claude-code.ts';
import { readCodex } from './codex.ts';
import { readCopilotCli } from './copilot-cli.ts';
import { readGeminiCli } from './gemini-cli.ts';
import { type Dialect, readJsonLines } from './json-lines.ts';
import { type OpenFile, openOwnFile } from './open-file.ts';
import { readOpenCode } from './opencode.ts';
import type { Transcript, TranscriptFormat, TranscriptPosition } from './transcript.ts';

export type ReadOptions = {
  readonly path: string;
  /** Which session of a database; null for the one that was worked on last. */
  readonly session?: string | null;
  readonly from?: TranscriptPosition | null;
};

const dialects: Readonly<Record<Exclude<TranscriptFormat, 'opencode'>, Dialect>> = {
  'claude-code': readClaudeCode,
  codex: readCodex,
  'gemini-cli': readGeminiCli,
  'copilot-cli': readCopilotCli,
};

const sniffedBytes = 64 * 1024;

/** Opens a transcript. Throws `not_found` for a file that cannot be read and `invalid_input` for one of no format that is known. */
export function readTranscript({ path, session = null, from = null }: ReadOptions): Transcript & { close(): void } {
  const file = openOwnFile(path);
  try {
    const format = formatOf(file);
    if (format === null) {
      throw new LociError(
        'invalid_input',
        'The file is no transcript of Claude Code, Codex, Gemini CLI, Copilot CLI or OpenCode.',
        { transcript_path: 'has no known format' },
      );
    }
    if (format === 'opencode') {
      file.close();
      return readOpenCode(path, { session, from });
    }
    const isSubAgent = /^agent-/.test(basename(path));
    const transcript = readJsonLines(file, { format, dialect: dialects[format], from, isSubAgent });
    return { ...transcript, close: () => file.close() };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Judged by the first lines: the head of a file says what wrote it. */
function formatOf({ descriptor }: OpenFile): TranscriptFormat | null {
  const head = Buffer.alloc(sniffedBytes);
  const text = head.subarray(0, readSync(descriptor, head, 0, sniffedBytes, 0)).toString('utf8');
  if (text.startsWith('SQLite format 3\0')) return 'opencode';
  for (const line of text.split('\n')) {
    const format = formatOfLine(line);
    if (format !== null) return format;
  }
  return null;
}

function formatOfLine(line: string): TranscriptFormat | null {
  const value = parsed(line);
  if (value === null) return formatByFields(line);
  if ('payload' in value || value.record_type !== undefined) return 'codex';
  if (isRecord(value.data) && /^[a-z]+\.[a-z_]+$/.test(String(value.type))) return 'copilot-cli';
  if ('projectHash' in value || '$set' in value || value.type === 'gemini') return 'gemini-cli';
  if (value.type === 'message' && typeof value.role === 'string') return 'codex';
  const isClaude =
    'uuid' in value || 'parentUuid' in value || isRecord(value.message) || ('sessionId' in value && 'type' in value);
  return isClaude ? 'claude-code' : null;
}

/** A first line may be longer than what is looked at, or damaged: its field names still tell. */
function formatByFields(line: string): TranscriptFormat | null {
  if (
    /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"(?:session_meta|response_item|event_msg|turn_context)"/.test(
      line,
    )
  ) {
    return 'codex';
  }
  if (/^\{"\$set":/.test(line)) return 'gemini-cli';
  if (/^\{"type":"[a-z]+\.[a-z_]+","data":\{/.test(line)) return 'copilot-cli';
  return /"(?:parentUuid|sessionId)":/.test(line.slice(0, 2_000)) && /"type":"(?:user|assistant)"/.test(line)
    ? 'claude-code'
    : null;
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
