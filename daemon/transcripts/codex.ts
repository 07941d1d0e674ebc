// Codex: a rollout, one `{type, payload}` a line. `response_item` messages are what went to and from the model; the same words come again
// as `event_msg`, which is left out. What Codex itself tells the model stands there as a user, in a tag of its own.
import { isRecord } from '#daemon/kernel/is-record.ts';
import { textsOf, timeOf } from './content.ts';
import { type DialectLine, nothing } from './transcript.ts';

export function readCodex(value: Record<string, unknown>): DialectLine {
  const payload = isRecord(value.payload) ? value.payload : value; // early versions had no envelope
  if (value.type === 'session_meta') {
    return {
      messages: [],
      folder: stringOf(payload.cwd),
      session: stringOf(payload.id),
      isSubAgent: isRecord(payload.source) && 'subagent' in payload.source ? true : undefined,
    };
  }
  if (value.type !== 'response_item' && payload !== value) return nothing;
  const { type, role, content } = payload;
  if (type !== 'message' || (role !== 'user' && role !== 'assistant')) return nothing;
  const text = textsOf(content, ['input_text', 'output_text', 'text']);
  if (text === '' || (role === 'user' && isOfTheProgram(text))) return nothing;
  return { messages: [{ role, text, atMs: timeOf(value.timestamp), id: stringOf(payload.id) ?? null }] };
}

function isOfTheProgram(text: string): boolean {
  return /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|INSTRUCTIONS)>|# AGENTS\.md instructions)/.test(
    text,
  );
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
