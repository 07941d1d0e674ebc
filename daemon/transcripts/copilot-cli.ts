// Copilot CLI: `session-state/<session>/events.jsonl`, one `{type, data, id, timestamp, parentId}` a line. Its makers promise no format, so
// whatever is not known is left out. `content` is what the person wrote; `transformedContent` is the same with what the program added.
import { isRecord } from '#daemon/kernel/is-record.ts';
import { textsOf, timeOf } from './content.ts';
import { type DialectLine, nothing } from './transcript.ts';

export function readCopilotCli(value: Record<string, unknown>): DialectLine {
  const { type, data, id, timestamp } = value;
  if (!isRecord(data)) return nothing;
  if (type === 'session.start' || type === 'session.resume') {
    const context = isRecord(data.context) ? data.context : {};
    return { messages: [], folder: stringOf(context.cwd), session: stringOf(data.sessionId) };
  }
  if (type !== 'user.message' && type !== 'assistant.message') return nothing;
  const text = textsOf(data.content, ['text']);
  // a skill that is read out stands there as a user, with its source named
  if (text === '' || (type === 'user.message' && isOfTheProgram(data.source))) return nothing;
  const isSubAgent = value.agentId !== undefined || data.parentToolCallId !== undefined;
  const role = type === 'user.message' && !isSubAgent ? 'user' : 'assistant';
  return { messages: [{ role, text, atMs: timeOf(timestamp), id: stringOf(id) ?? null }] };
}

function isOfTheProgram(source: unknown): boolean {
  return typeof source === 'string' && source !== '' && source !== 'user';
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
