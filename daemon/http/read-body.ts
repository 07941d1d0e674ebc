// Reads a request's JSON body with a limit and without trust: a body over the limit is counted and thrown away, never held,
// but read on for a while, so that a client which is still sending gets its 413 and not a broken pipe.
import type { IncomingMessage } from 'node:http';
import { LociError } from '#shared/errors.ts';
import type { Transport } from './http-deps.ts';

/** 16 MB: the limit of a body whose contract names none. */
export const defaultBodyLimitBytes = 16 * 2 ** 20;

/** Deeper nesting is refused before parsing, which would otherwise build millions of arrays from a few megabytes of brackets. */
const maxNesting = 100;

/** How much of a refused body is still read and thrown away. */
const maxDiscardedBytes = 256 * 2 ** 20;

/** The body as an object; an absent or blank body is `{}`. Throws `invalid_input`, `unsupported_media_type`, `payload_too_large`. */
export async function readJsonBody(
  incoming: IncomingMessage,
  transport: Transport,
  limitBytes: number,
): Promise<Record<string, unknown>> {
  const bytes = await readBytes(incoming, limitBytes);
  if (bytes.length === 0) return {};
  if (transport === 'tcp') requireJsonType(incoming.headers['content-type']);
  return parseObject(bytes);
}

/** The raw body; throws `payload_too_large` naming the limit. */
export async function readBytes(incoming: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const encoding = incoming.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new LociError('unsupported_media_type', 'Send the body as it is: Loci reads no content encoding.');
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes <= limitBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (sizeBytes > maxDiscardedBytes) break;
    }
  } catch {
    throw new LociError('invalid_input', 'The request ended before its body did.');
  }
  if (sizeBytes > limitBytes) {
    throw new LociError('payload_too_large', `The body may have at most ${limitBytes / 2 ** 20} MB.`, {
      limit_bytes: limitBytes,
    });
  }
  return Buffer.concat(chunks, sizeBytes);
}

function requireJsonType(header: string | undefined): void {
  const [type, ...parameters] = (header ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (type !== 'application/json' || (charset !== undefined && charset.replaceAll('"', '') !== 'utf-8')) {
    throw new LociError(
      'unsupported_media_type',
      'Send JSON in UTF-8, with the header `Content-Type: application/json`.',
    );
  }
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new LociError('invalid_input', 'The body must be text in UTF-8.');
  }
  if (text.trim() === '') return {};
  if (nestsTooDeep(bytes)) {
    throw new LociError('invalid_input', `The body must not nest deeper than ${maxNesting} levels.`);
  }
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new LociError('invalid_input', 'The body must be a JSON object, such as {"query": "deploy"}.');
  }
  return value as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LociError('invalid_input', 'The body is not well-formed JSON.');
  }
}

/** Counts brackets outside of strings; in UTF-8 none of these bytes occurs inside a longer character. */
function nestsTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === 0x5c) index += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (depth > maxNesting) return true;
  }
  return false;
}
