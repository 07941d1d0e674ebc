// A reader of server-sent events over a Unix socket or TCP, as small as the format.

import { type IncomingMessage, request } from 'node:http';
import { atEnd } from './at-end.ts';

export type SentEvent = { readonly id: string | null; readonly name: string; readonly data: Record<string, unknown> };

export type EventReader = {
  readonly response: IncomingMessage;
  readonly events: SentEvent[];
  /** True once the connection has ended, in order or not. */
  isClosed(): boolean;
  /** Begins to take what lies there, for a reader that was deaf. */
  listen(): void;
  close(): void;
};

export type ReaderOptions = {
  readonly socketPath: string;
  readonly path?: string;
  readonly lastEventId?: string;
  /** As whom: without one, as the owner. */
  readonly token?: string;
  /** Takes nothing from the connection until it is told to. */
  readonly isDeaf?: boolean;
};

/** Opens a stream and resolves with its headers; the end of the test closes it. */
export async function openEventReader(options: ReaderOptions): Promise<EventReader> {
  const { socketPath, path = '/events', lastEventId, token, isDeaf = false } = options;
  const headers = {
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath, path, headers, agent: false }, resolve).on('error', reject).end();
  });
  const events: SentEvent[] = [];
  let closed = false;
  let rest = '';
  response.on('error', () => undefined);
  response.socket.on('close', () => {
    closed = true;
  });
  const listen = (): void => {
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop() ?? '';
      events.push(...parts.flatMap(readEvent));
    });
  };
  if (!isDeaf) listen();
  const close = (): void => void response.destroy();
  atEnd(close);
  return { response, events, isClosed: () => closed, listen, close };
}

function readEvent(block: string): SentEvent[] {
  const fields = new Map(block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]));
  const data = fields.get('data');
  if (data === undefined) return [];
  return [{ id: fields.get('id') ?? null, name: fields.get('event') ?? 'message', data: JSON.parse(data) }];
}
