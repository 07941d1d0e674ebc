// JSON that may hold secrets: each text in it by itself, and each text beside its name, because `{"password": "…"}` says by the name what the
// text alone does not.
import { isRecord } from '#daemon/kernel/is-record.ts';
import { findSecrets } from './detect-secrets.ts';
import { redactSecrets } from './redact.ts';

export type RedactedValue = { readonly value: unknown; readonly kinds: readonly string[] };

/** The value with each secret replaced by its kind; `kinds` is empty where there was none, and `value` the same then. */
export function redactValue(value: unknown): RedactedValue {
  const kinds: string[] = [];
  const redacted = redact(value, kinds);
  return { value: kinds.length === 0 ? value : redacted, kinds: [...new Set(kinds)] };
}

function redact(value: unknown, kinds: string[]): unknown {
  if (typeof value === 'string') return redactText(value, kinds);
  if (Array.isArray(value)) return value.map((member) => redact(member, kinds));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      redactText(name, kinds),
      typeof member === 'string' ? redactPair(name, member, kinds) : redact(member, kinds),
    ]),
  );
}

function redactText(text: string, kinds: string[]): string {
  const found = findSecrets(text);
  if (found.length === 0) return text;
  kinds.push(...found.map(({ kind }) => kind));
  return redactSecrets(text).text;
}

/** Long texts are no values of a name. */
const maxPairedText = 1_000;

function redactPair(name: string, text: string, kinds: string[]): string {
  const alone = redactText(text, kinds);
  if (alone !== text || text.length > maxPairedText) return alone;
  const [secret] = findSecrets(`${JSON.stringify(name)}: ${JSON.stringify(text)}`);
  if (secret === undefined) return text;
  kinds.push(secret.kind);
  return `[redacted: ${secret.kind}]`;
}
