import { connect, type Socket } from 'node:net';

/** A raw client of a line socket: no SDK in between, so that what goes over the wire is what the test says. */
export type RawClient = {
  readonly socket: Socket;
  readonly lines: string[];
  send(message: unknown): void;
  /** Writes bytes as they are. */
  write(bytes: string | Uint8Array): void;
  /** The first message, from now on or before, for which `isIt` holds. */
  next(isIt: (message: Record<string, unknown>) => boolean, timeoutMs?: number): Promise<Record<string, unknown>>;
  answer(id: unknown, timeoutMs?: number): Promise<Record<string, unknown>>;
  readonly closed: Promise<void>;
};

export async function connectRaw(path: string): Promise<RawClient> {
  const socket = connect({ path, allowHalfOpen: true });
  const lines: string[] = [];
  let partial = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const parts = (partial + chunk).split('\n');
    partial = parts.pop() ?? '';
    lines.push(...parts);
  });
  socket.on('end', () => socket.end());
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  await new Promise((resolve, reject) => socket.on('connect', resolve).on('error', reject));

  const next: RawClient['next'] = async (isIt, timeoutMs = 20_000) => {
    const endMs = Date.now() + timeoutMs;
    while (Date.now() < endMs) {
      for (const line of lines) {
        const message = JSON.parse(line) as Record<string, unknown>;
        if (isIt(message)) return message;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`nothing fitting within ${timeoutMs} ms among: ${lines.join('\n').slice(0, 500)}`);
  };
  return {
    socket,
    lines,
    send: (message) => void socket.write(`${JSON.stringify(message)}\n`),
    write: (bytes) => void socket.write(bytes),
    next,
    answer: (id, timeoutMs) => next((message) => message.id === id && message.method === undefined, timeoutMs),
    closed,
  };
}
