// The one place that every change passes before its room sees it: private spans are dropped, and no text that holds a credential goes
// further, whichever field it stands in. Rooms look again at what they make of it, and at what reaches them on other ways (sweeps, imports,
// summaries); this is what a room added later cannot forget.
import { isRecord } from '#daemon/kernel/is-record.ts';
import type { Contract } from '#shared/contract/operation.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import { findSecrets, refuseSecrets } from './detect-secrets.ts';
import { withoutPrivateSpans } from './private-spans.ts';
import { redactSecrets } from './redact.ts';
import { readableOf, redactBytes, textOfBytes } from './redact-bytes.ts';

export type SecretsMode = 'refuse' | 'redact';

/** Longer texts are left to their room, which reads them anyway: twice would stop everybody else for twice as long. */
const maxLookedAtHere = 64 * 1024;

/**
 * The input of a change, without private spans and, in the mode `redact`, with each secret replaced by its kind.
 * Throws `rejected_by_policy` for a secret in the mode `refuse`, and `invalid_input` where nothing but a private span was given.
 */
export function guardInput<Input>(contract: Contract, input: Input, mode: SecretsMode): Input {
  if (contract.hints.readOnly || !isRecord(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => {
      // a key is compared, never shown: it is what it is or it is refused
      if (field === 'idempotency_key') refuseSecrets({ [field]: String(value ?? '') });
      if (field === 'idempotency_key') return [field, value];
      const place = { field, name: field, mode };
      return [
        field,
        field === 'data' && typeof value === 'string' ? guardedBytes(value, place) : guarded(value, place),
      ];
    }),
  ) as Input;
}

type Place = {
  /** The field of the input, by which a refusal names it. */
  readonly field: string;
  /** The nearest name: `password` beside a text says what the text is. */
  readonly name: string;
  readonly mode: SecretsMode;
};

function guarded(value: unknown, place: Place): unknown {
  if (typeof value === 'string') return guardedText(value, place);
  if (Array.isArray(value)) return value.map((member) => guarded(member, place));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const named = { ...place, name };
      return [
        guardedText(name, place),
        typeof member === 'string' ? guardedPair(name, member, named) : guarded(member, named),
      ];
    }),
  );
}

function guardedText(text: string, { field, mode }: Place): string {
  const said = withoutPrivateSpans(text);
  if (said.trim() === '' && text.trim() !== '') {
    throw invalidField(field, `\`${field}\` holds nothing outside of <private>, which is never stored.`);
  }
  if (mode === 'redact') return redactSecrets(said).text;
  if (said.length <= maxLookedAtHere) refuseSecrets({ [field]: said });
  return said;
}

/** `{"password": "…"}`: a name beside the text can give away what the text alone does not. */
function guardedPair(name: string, text: string, place: Place): string {
  const said = guardedText(text, place);
  const lead = `${JSON.stringify(name)}: `;
  const [secret] = said.length > maxLookedAtHere ? [] : findSecrets(`${lead}${JSON.stringify(said)}`);
  if (secret === undefined) return said;
  if (place.mode === 'redact') return `[redacted: ${secret.kind}]`;
  throw new LociError(
    'rejected_by_policy',
    `\`${place.field}\` looks as if it holds a secret (${secret.kind}): record where the secret lives, not the secret itself.`,
    { [place.field]: `looks like a secret (${secret.kind})` },
  );
}

/** The bytes of a file, in base64. What is no text holds no private span. */
function guardedBytes(base64: string, place: Place): string {
  const bytes = Buffer.from(base64, 'base64');
  const found = textOfBytes(bytes);
  if (found !== null && found.text !== '') {
    const said = guardedText(found.text, place);
    return said === found.text ? base64 : Buffer.from(said, found.encoding).toString('base64');
  }
  if (place.mode === 'refuse') {
    refuseSecrets({ [place.field]: readableOf(bytes) });
    return base64;
  }
  const { bytes: masked, kinds } = redactBytes(bytes);
  return kinds.length === 0 ? base64 : masked.toString('base64');
}
