// What a foreign text may not bring in (contract, rule 4): NUL is stripped and counted, half surrogates become the replacement character,
// invisible characters of the Tags block are dropped. So is what stands in <private>, in whichever field: the other programs keep it there
// and only do not show it. Secrets are replaced by their kind, because nobody is there to say it otherwise.

import { findSecrets } from '#daemon/secrets/detect-secrets.ts';
import { withoutPrivateSpans } from '#daemon/secrets/private-spans.ts';
import { redactSecrets } from '#daemon/secrets/redact.ts';
import { redactBytes } from '#daemon/secrets/redact-bytes.ts';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';

export type Cleaned = {
  readonly value: ExportRecord;
  readonly nuls: number;
  /** Whether a whole field was private: of a memory it is null now, of anything else blank. */
  readonly isEmptied: boolean;
};

/** The record with every text in it cleaned, keys too. */
export function cleanTexts(record: ExportRecord): Cleaned {
  let nuls = 0;
  const clean = (given: unknown): unknown => {
    if (typeof given === 'string') {
      const { text, stripped } = cleanText(given);
      nuls += stripped;
      return withoutPrivateSpans(text);
    }
    if (Array.isArray(given)) return cleanList(given);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, member]) => [clean(key), clean(member)]));
  };
  /** A member that was private is none. */
  const cleanList = (given: readonly unknown[]): unknown[] =>
    given
      .map((member) => [member, clean(member)])
      .flatMap(([was, is]) => (isBlankText(is) && !isBlankText(was) ? [] : [is]));
  const value = clean(record) as Record<string, unknown>;
  const emptied = Object.keys(record).filter((word) => isBlankText(value[word]) && !isBlankText(record[word]));
  if (record.kind === 'memory') for (const word of emptied) value[word] = null;
  return { value: value as ExportRecord, nuls, isEmptied: emptied.length > 0 };
}

function isBlankText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

export function cleanText(given: string): { text: string; stripped: number } {
  let text = given.isWellFormed() ? given : given.toWellFormed();
  const length = text.length;
  if (text.includes('\0')) text = text.replaceAll('\0', '');
  const stripped = length - text.length;
  if (/[\u{E0000}-\u{E007F}]/u.test(text)) text = text.replace(/[\u{E0000}-\u{E007F}]/gu, '');
  return { text, stripped };
}

/** Fields that are no text: bytes, and what was checked to be a name or a time. */
const plain: ReadonlySet<string> = new Set(['kind', 'uid', 'field_times', 'data']);

/** The record with its secrets replaced, and how many there were. */
export function redactRecord(record: ExportRecord): { readonly record: ExportRecord; readonly redactions: number } {
  let redactions = 0;
  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value.length < 8) return value;
      const redacted = redactSecrets(value);
      redactions += redacted.redactions;
      return redacted.text;
    }
    if (Array.isArray(value)) return value.map(redact);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [redact(name), redact(member)]));
  };
  /** Names beside their values give secrets away that neither does alone. */
  const redactNamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(redactNamed);
    if (typeof value !== 'object' || value === null) return redact(value);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (typeof member !== 'string') return [redact(name), redactNamed(member)];
        const alone = redact(member) as string;
        if (alone !== member || findSecrets(`${name}=${JSON.stringify(member)}`).length === 0)
          return [redact(name), alone];
        redactions += 1;
        return [name, '[redacted: secret]'];
      }),
    );
  };
  const fields = Object.entries(record).map(([word, value]) => [
    word,
    plain.has(word) ? value : word === 'metadata' ? redactNamed(value) : redact(value),
  ]);
  const redacted: Record<string, unknown> = Object.fromEntries(fields);
  if (record.kind === 'file') redacted.data = redactData(String(record.data), (count) => (redactions += count));
  return { record: redactions === 0 ? record : redacted, redactions };
}

function redactData(base64: string, count: (redactions: number) => void): string {
  const { bytes, kinds } = redactBytes(Buffer.from(base64, 'base64'));
  count(kinds.length);
  return kinds.length === 0 ? base64 : bytes.toString('base64');
}
