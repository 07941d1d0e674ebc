import { createHash } from 'node:crypto';

/** Longer texts are kept in the change log by what they can be recognised by: a log of whole documents would outgrow the documents. */
const maxLoggedLength = 20_000;

/** A text as the change log keeps it: itself, or its size in bytes and SHA-256. */
export function loggedText(text: string): string | { readonly size_bytes: number; readonly sha256: string } {
  if (text.length <= maxLoggedLength) return text;
  return { size_bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}
