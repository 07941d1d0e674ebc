// The first line of a connection says who calls and from where, as `engine.md` lays down; it is compatible for ever, so unknown fields
// are ignored and absent ones have defaults. A client that knows no greeting begins with JSON-RPC at once and is served as it is.
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { z } from 'zod';
import { LociError } from '#shared/errors.ts';
import { greetingVersion } from '#shared/version.ts';

export type Greeting = z.output<typeof greetingLine>;

/** What the first line was: a greeting, or JSON-RPC whose bytes are to be served (`greeting` is null). */
export type Opening = { readonly greeting: Greeting | null; readonly rest: Buffer };

const shortText = z.string().max(1_000);
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

const greetingLine = z.object({
  loci: z.number().min(greetingVersion),
  session: z
    .string()
    .min(1)
    .max(200)
    .default(() => randomUUID()),
  version: optional(shortText),
  pid: optional(z.number()),
  cwd: optional(z.string().max(10_000)),
  tools: optional(shortText),
  resume: z.boolean().default(false),
  was: optional(shortText),
  token: optional(shortText),
  env: z.record(z.string(), z.string().max(10_000)).default({}),
});

/** Longer first lines are no greeting. */
const maxGreetingBytes = 128 * 1024;
const newline = 10;

/** Reads the opening of a connection; the socket is left paused. Resolves to null when it closes before. Throws `invalid_input` for a bad greeting. */
export async function readOpening(socket: Socket): Promise<Opening | null> {
  const bytes = await firstLine(socket);
  if (bytes === null) return null;
  const end = bytes.indexOf(newline);
  const line = end === -1 ? bytes : bytes.subarray(0, end);
  const value = line.length > maxGreetingBytes ? undefined : parseJson(line.toString());
  if (typeof value !== 'object' || value === null || !('loci' in value)) return { greeting: null, rest: bytes };
  const greeting = greetingLine.safeParse(value);
  if (!greeting.success) {
    const fields = greeting.error.issues.map(({ path }) => path.join('.')).join(', ');
    throw new LociError('invalid_input', `The greeting is not one that this daemon understands: see ${fields}.`);
  }
  return { greeting: greeting.data, rest: end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 1) };
}

function firstLine(socket: Socket): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const finish = (bytes: Buffer | null): void => {
      socket.off('data', onData).off('end', onEnd).off('close', onClose);
      socket.pause();
      resolve(bytes);
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (chunk.includes(newline) || sizeBytes > maxGreetingBytes) finish(Buffer.concat(chunks));
    };
    const onEnd = (): void => finish(sizeBytes === 0 ? null : Buffer.concat(chunks));
    const onClose = (): void => finish(null);
    socket.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
