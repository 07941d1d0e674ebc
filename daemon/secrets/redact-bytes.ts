// The bytes of a file. A text may be in UTF-16, as programs of Windows write it, or in an old encoding of one byte a character; what is
// no text at all (an image, a database, an archive) is looked at for tokens that tell what they are: nothing else in it is a sentence.
import { findSecrets } from './detect-secrets.ts';
import { redactSecrets } from './redact.ts';
import type { Found } from './secret-words.ts';
import { findTokens } from './token-rules.ts';

export type RedactedBytes = { readonly bytes: Buffer; readonly kinds: readonly string[] };

type Encoding = 'utf8' | 'utf16le' | 'latin1';

/** The text of the bytes and how it is written back, or null for what is no text. */
export function textOfBytes(bytes: Buffer): { readonly text: string; readonly encoding: Encoding } | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: bytes.toString('utf16le'), encoding: 'utf16le' };
  if (bytes.includes(0)) return null;
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') ? { text: bytes.toString('latin1'), encoding: 'latin1' } : { text, encoding: 'utf8' };
}

/** What the detector should read of the bytes: their text, or the tokens that stand in what is none. */
export function readableOf(bytes: Buffer): string {
  const found = textOfBytes(bytes);
  if (found !== null) return found.text;
  return tokensIn(bytes)
    .map(({ start, end }) => bytes.toString('latin1', start, end))
    .join('\n');
}

/** The bytes with each secret replaced by its kind; in what is no text by as many `*`, so that every other byte keeps its place. */
export function redactBytes(bytes: Buffer): RedactedBytes {
  const found = textOfBytes(bytes);
  if (found !== null) {
    const kinds = findSecrets(found.text).map(({ kind }) => kind);
    if (kinds.length === 0) return { bytes, kinds };
    return { bytes: Buffer.from(redactSecrets(found.text).text, found.encoding), kinds };
  }
  const tokens = tokensIn(bytes);
  const masked = Buffer.from(bytes);
  for (const { start, end } of tokens) masked.fill('*', start, end);
  return { bytes: tokens.length === 0 ? bytes : masked, kinds: tokens.map(({ kind }) => kind) };
}

/** Runs of letters are rare in what is compressed: they alone are asked, so that an image of ten megabytes costs little. */
function tokensIn(bytes: Buffer): Found[] {
  return [...bytes.toString('latin1').matchAll(/[\x21-\x7E]{15,}/g)].flatMap(({ 0: run, index }) =>
    findTokens(run).map(({ kind, start, end }) => ({ kind, start: index + start, end: index + end })),
  );
}
