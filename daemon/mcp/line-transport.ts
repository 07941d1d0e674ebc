// One JSON-RPC message a line over a socket, in place of the SDK's stdio transport, which leaves invalid lines unanswered, hangs on a
// long one, aborts the work in flight when the client closes its side, and buffers without bound for a client that does not read.
// Here every line gets an answer, the next line is served, the connection ends after the last answer, at most 64 requests are in
// flight, and a client that leaves 4 MB unread is read no further.
import type { Socket } from 'node:net';
import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { isJSONRPCRequest } from '@modelcontextprotocol/server';
import { idOfLongLine, type RpcError, type RpcId, readLine, repeatedId, tooLong } from './json-rpc.ts';
import { createLineReader } from './line-reader.ts';

export type LineTransportOptions = {
  /** Bytes that were read from the socket before. */
  readonly firstBytes?: Buffer;
  readonly maxLineBytes?: number;
  readonly maxInFlight?: number;
  readonly maxUnsentBytes?: number;
  /** Changes a request before it is served, or refuses it. */
  readonly readRequest?: (request: JSONRPCRequest) => { request: JSONRPCRequest } | { error: RpcError };
};

type Waiting = { readonly request: JSONRPCRequest; readonly sizeBytes: number };

/** Requests beyond those in flight wait here, so that a cancellation behind them is still read; above this no more is read. */
const maxWaitingBytes = 2 ** 20;
const maxInFlightBytes = 32 * 2 ** 20;
/** How long a closed connection may take to flush. */
const closeTimeoutMs = 2_000;

export type LineTransport = Transport & {
  /** Begins no further request, and resolves when what is in flight has been answered; the rest is for the next daemon. */
  drain(): Promise<void>;
};

/** A transport for the SDK over a socket that allows half-open connections. */
export function createLineTransport(socket: Socket, options: LineTransportOptions = {}): LineTransport {
  const maxLineBytes = options.maxLineBytes ?? 16 * 2 ** 20;
  const maxInFlight = options.maxInFlight ?? 64;
  const maxUnsentBytes = options.maxUnsentBytes ?? 4 * 2 ** 20;
  const inFlight = new Map<RpcId, number>(); // id → size of the request
  const waiting = new Map<RpcId, Waiting>();
  let inFlightBytes = 0;
  let waitingBytes = 0;
  let hasEnded = false;
  let isScheduled = false;
  let onDrained: (() => void) | null = null;

  const reader = createLineReader({
    maxLineBytes,
    onLine: accept,
    onTooLong: (head, tail) => answer(tooLong(idOfLongLine(head, tail), maxLineBytes)),
  });

  const transport: LineTransport = {
    async start() {
      socket.on('data', read);
      socket.on('end', end);
      socket.on('drain', continueReading);
      socket.on('error', (error) => transport.onerror?.(error));
      socket.on('close', () => {
        onDrained?.();
        transport.onclose?.();
      });
      if (options.firstBytes !== undefined) read(options.firstBytes);
      if (socket.readableEnded) end();
      continueReading();
    },
    async send(message) {
      settle(message);
      write(message);
      scheduleReading();
    },
    async close() {
      socket.end();
      setTimeout(() => socket.destroy(), closeTimeoutMs).unref();
    },
    drain: () =>
      new Promise((resolve) => {
        onDrained = resolve;
        continueReading();
      }),
  };
  return transport;

  function read(chunk: Buffer): void {
    reader.push(chunk);
    continueReading();
  }

  function end(): void {
    reader.flush();
    hasEnded = true;
    continueReading();
  }

  function accept(line: Buffer): void {
    const read = readLine(line);
    if (read === null) return;
    if ('error' in read) answer(read.error);
    else if (isJSONRPCRequest(read.message)) acceptRequest(read.message, line.length);
    else deliver(read.message);
  }

  function acceptRequest(given: JSONRPCRequest, sizeBytes: number): void {
    const read = options.readRequest?.(given) ?? { request: given };
    if ('error' in read) answer(read.error);
    else if (inFlight.has(given.id) || waiting.has(given.id)) answer(repeatedId(given.id));
    else {
      waiting.set(given.id, { request: read.request, sizeBytes });
      waitingBytes += sizeBytes;
      startWaiting();
    }
  }

  function startWaiting(): void {
    if (onDrained !== null) return;
    for (const [id, { request, sizeBytes }] of waiting) {
      if (inFlight.size >= maxInFlight || socket.writableLength > maxUnsentBytes) return;
      if (inFlight.size > 0 && inFlightBytes + sizeBytes > maxInFlightBytes) return;
      forget(id);
      // a subscription stays open as long as the connection: it is no work whose end anybody waits for
      if (request.method !== 'subscriptions/listen') {
        inFlight.set(id, sizeBytes);
        inFlightBytes += sizeBytes;
      }
      deliver(request);
    }
  }

  function deliver(message: JSONRPCMessage): void {
    if ('method' in message && message.method === 'notifications/cancelled') {
      const { requestId } = (message.params ?? {}) as { requestId?: RpcId };
      if (requestId !== undefined) {
        if (forget(requestId)) return; // never begun
        release(requestId);
      }
    }
    transport.onmessage?.(message);
  }

  function settle(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) release(message.id);
  }

  function release(id: RpcId): void {
    inFlightBytes -= inFlight.get(id) ?? 0;
    inFlight.delete(id);
  }

  function forget(id: RpcId): boolean {
    waitingBytes -= waiting.get(id)?.sizeBytes ?? 0;
    return waiting.delete(id);
  }

  function answer({ id, code, message }: RpcError): void {
    write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  function write(message: unknown): void {
    if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
  }

  /** Not in the same tick as an answer: a burst of answers would otherwise begin their successors one inside the other. */
  function scheduleReading(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      continueReading();
    });
  }

  function continueReading(): void {
    startWaiting();
    const isFull = waitingBytes > maxWaitingBytes || socket.writableLength > maxUnsentBytes;
    if (isFull) socket.pause();
    else socket.resume();
    if (inFlight.size > 0) return;
    if (hasEnded && waiting.size === 0) socket.end();
    if (socket.writableLength === 0 || socket.destroyed) onDrained?.();
  }
}
