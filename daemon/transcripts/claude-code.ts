// Claude Code: one JSON object a line. `user` and `assistant` are what was said; a `user` line may also be the result of a tool, a note
// of the program (`isMeta`) or the summary that a compaction leaves, none of which anybody said.
import { isRecord } from '#daemon/kernel/is-record.ts';
import { textsOf, timeOf } from './content.ts';
import { type DialectLine, nothing } from './transcript.ts';

export function readClaudeCode(value: Record<string, unknown>): DialectLine {
  const place = {
    folder: stringOf(value.cwd),
    session: stringOf(value.sessionId),
    isSubAgent: isTrue(value.isSidechain),
  };
  const { type, message } = value;
  if ((type !== 'user' && type !== 'assistant') || !isRecord(message)) return { ...nothing, ...place };
  if (value.isMeta === true || value.isCompactSummary === true || value.isApiErrorMessage === true) {
    return { ...nothing, ...place };
  }
  const text = textsOf(message.content, ['text']);
  if (text === '') return { ...nothing, ...place };
  return {
    messages: [{ role: type, text, atMs: timeOf(value.timestamp), id: stringOf(value.uuid) ?? null }],
    ...place,
  };
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isTrue(value: unknown): true | undefined {
  return value === true ? true : undefined;
}
