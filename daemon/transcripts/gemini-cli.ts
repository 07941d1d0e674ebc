// Gemini CLI: a head line, then messages and `$set` patches of the whole. A message is written again as it grows, under the same id.
import { isRecord } from '#daemon/kernel/is-record.ts';
import { textsOf, timeOf } from './content.ts';
import type { DialectLine, DialectMessage } from './transcript.ts';

export function readGeminiCli(value: Record<string, unknown>): DialectLine {
  const patch = isRecord(value.$set) ? value.$set : value;
  const session = typeof patch.sessionId === 'string' ? patch.sessionId : undefined;
  const isSubAgent = patch.kind === 'subagent' ? true : undefined;
  const written = Array.isArray(patch.messages) ? patch.messages : [value];
  return { messages: written.flatMap(toMessage), session, isSubAgent };
}

function toMessage(value: unknown): DialectMessage[] {
  if (!isRecord(value) || (value.type !== 'user' && value.type !== 'gemini')) return [];
  const text = textsOf(value.content, ['text']);
  if (text === '' || /^\s*<session_context>/.test(text)) return [];
  const role = value.type === 'user' ? 'user' : 'assistant';
  return [{ role, text, atMs: timeOf(value.timestamp), id: typeof value.id === 'string' ? value.id : null }];
}
