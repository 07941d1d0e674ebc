import type { Readable } from 'node:stream';
import { LociError } from '#shared/errors.ts';

/** The largest request body of the daemon; more from stdin could not be sent anyway. */
const maxInputBytes = 16 * 2 ** 20;

/**
 * All of a stream as UTF-8 text without its last line break, which `echo` and editors add and nobody means.
 * Throws `payload_too_large` above 16 MB and `invalid_input` for bytes that are no UTF-8.
 */
export async function readInput(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    sizeBytes += bytes.length;
    if (sizeBytes > maxInputBytes) throw new LociError('payload_too_large', 'The text on stdin is larger than 16 MB.');
    chunks.push(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  } catch {
    throw new LociError('invalid_input', 'The text on stdin is not UTF-8: convert it first.');
  }
}
