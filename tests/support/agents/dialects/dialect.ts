import type { Conversation, Reply } from '../script.ts';

export type Body = Readonly<Record<string, unknown>>;

/** An event of a stream; `type` is null where the format names none. */
export type StreamEvent = { readonly type: string | null; readonly data: unknown };

/** One wire format of model providers: reads a request, writes the answer whole or as a stream. */
export type Dialect = {
  readonly name: string;
  readonly accepts: (path: string) => boolean;
  readonly isStream: (path: string, body: Body) => boolean;
  readonly read: (body: Body) => Conversation;
  readonly whole: (reply: Reply, body: Body) => unknown;
  readonly stream: (reply: Reply, body: Body) => StreamEvent[];
};

/** The text in whatever nests texts: a string, a list of parts, or an object with `text`, `content`, `parts` or `output`. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  const { text, content, parts, output } = value as Record<string, unknown>;
  return textOf(text ?? content ?? parts ?? output ?? '');
}

/** The list in a field of a body, as objects; empty when there is none. */
export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
}
