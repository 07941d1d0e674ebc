// Headers of a request → who calls, from which folder, under which key. A header that cannot be used is refused by name:
// a folder or key that is silently dropped would save into the wrong project, or save twice.
import type { Context } from 'hono';
import { type CallContext, noEncodingAgent } from '#daemon/kernel/context.ts';
import { isBlank } from '#shared/contract/common.ts';
import { invalidField } from '#shared/errors.ts';
import type { HttpEnv } from './http-deps.ts';

const maxKeyLength = 200;
const maxAgentLength = 100;
const maxFolderLength = 4_096;

/** `idempotency-key` as it stands; `loci-folder` and `loci-agent` percent-encoded. */
export function requestToContext(c: Context<HttpEnv>): CallContext {
  const { headers } = c.env.incoming;
  const { userId, scopes, ended } = c.get('caller');
  return {
    userId,
    scopes,
    transport: c.env.transport,
    agent: headerText(headers['loci-agent'], 'loci-agent', maxAgentLength),
    encoding: noEncodingAgent,
    session: null,
    folder: headerText(headers['loci-folder'], 'loci-folder', maxFolderLength),
    idempotencyKey: plainHeader(headers['idempotency-key'], 'idempotency-key', maxKeyLength),
    claim: null,
    signal: c.req.raw.signal,
    ...(ended === undefined ? {} : { ended }),
  };
}

function plainHeader(value: string | string[] | undefined, name: string, maxLength: number): string | null {
  const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
  if (isBlank(text)) return null;
  if (text.length > maxLength)
    throw invalidField(name, `The header \`${name}\` may have at most ${maxLength} characters.`);
  return text;
}

function headerText(value: string | string[] | undefined, name: string, maxLength: number): string | null {
  const plain = plainHeader(value, name, maxLength * 3);
  if (plain === null) return null;
  const text = decoded(plain);
  if (text === null || text.includes('\u0000') || [...text].length > maxLength) {
    throw invalidField(
      name,
      `The header \`${name}\` must be percent-encoded UTF-8 of at most ${maxLength} characters.`,
    );
  }
  return text;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
