// One request to a daemon and its whole answer. `node:http` and not `fetch`: fetch cannot speak to a Unix socket, and loading another
// client library would cost a command more than its work does.
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import type { RequestOptions as HttpsOptions } from 'node:https';

/** Where a daemon answers. */
export type Target =
  | { readonly kind: 'socket'; readonly path: string; readonly token?: string | null }
  | { readonly kind: 'server'; readonly url: string; readonly token: string | null };

export type WireRequest = {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON as text, or bytes as they are. */
  readonly body?: string | Uint8Array;
  /** From the first byte sent to the last byte read. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
};

export type WireAnswer = {
  readonly status: number;
  readonly contentType: string;
  /** Of the daemon; null when something else answers. */
  readonly version: string | null;
  readonly body: string;
};

/** Node's error codes (`ECONNREFUSED`, `ENOENT`, `ECONNRESET`) plus `LOCI_TIMEOUT` and `LOCI_ABORTED`. */
export type WireFailure = Error & { readonly code: string };

export type Wire = {
  /** Rejects with a `WireFailure` when there is no whole answer; any status is an answer. */
  send(target: Target, request: WireRequest): Promise<WireAnswer>;
  /** The same for an answer that is read as it comes: settles with its head; `timeoutMs` is until then. */
  open(target: Target, request: WireRequest): Promise<IncomingMessage>;
  close(): void;
};

export function createWire(): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  return {
    async send(target, request) {
      const { send, options } = await wayTo(target, agent);
      return exchange(send, options, request);
    },
    async open(target, request) {
      const { send, options } = await wayTo(target, agent);
      return begin(send, options, request);
    },
    close: () => agent.destroy(),
  };
}

async function wayTo(target: Target, agent: Agent): Promise<{ send: Sender; options: RequestOptions }> {
  if (target.kind === 'socket') {
    const place = { socketPath: target.path, host: 'localhost', agent };
    return { send: httpRequest, options: { ...place, headers: bearer(target.token ?? null) } };
  }
  const url = new URL(target.url);
  const options: RequestOptions = {
    host: url.hostname.replace(/^\[|\]$/gu, ''),
    port: url.port,
    headers: bearer(target.token),
  };
  if (url.protocol !== 'https:') return { send: httpRequest, options: { ...options, agent } };
  const { request: httpsRequest } = await import('node:https');
  return { send: httpsRequest, options };
}

function bearer(token: string | null): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

type Sender = (
  options: HttpsOptions,
  onResponse: (response: IncomingMessage) => void,
) => ReturnType<typeof httpRequest>;

function exchange(send: Sender, options: RequestOptions, request: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const body = request.body === undefined ? null : Buffer.from(request.body);
    const type = typeof request.body === 'string' ? 'application/json' : 'application/octet-stream';
    const headers = {
      ...options.headers,
      ...request.headers,
      ...(body === null ? {} : { 'content-type': type, 'content-length': body.length }),
    };
    const sent = send({ ...options, method: request.method, path: request.path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        settle();
        if (response.complete) resolve(answerOf(response, Buffer.concat(chunks).toString('utf8')));
        else reject(failure('ECONNRESET'));
      });
    });
    const timer = setTimeout(() => sent.destroy(failure('LOCI_TIMEOUT')), request.timeoutMs);
    const abort = () => sent.destroy(failure('LOCI_ABORTED'));
    const settle = () => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', abort);
    };
    function fail(error: Error): void {
      settle();
      reject(error);
    }
    request.signal?.addEventListener('abort', abort, { once: true });
    sent.on('error', fail);
    if (request.signal?.aborted === true) abort();
    else sent.end(body);
  });
}

function begin(send: Sender, options: RequestOptions, request: WireRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { ...options.headers, ...request.headers };
    const sent = send({ ...options, method: request.method, path: request.path, headers }, (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    const timer = setTimeout(() => sent.destroy(failure('LOCI_TIMEOUT')), request.timeoutMs);
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sent.end();
  });
}

function answerOf(response: IncomingMessage, body: string): WireAnswer {
  const version = response.headers['loci-version'];
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    version: typeof version === 'string' ? version : null,
    body,
  };
}

function failure(code: string): WireFailure {
  return Object.assign(new Error(code), { code });
}

/** The code of a `WireFailure`, or null for any other error. */
export function wireCode(error: unknown): string | null {
  const code = error instanceof Error ? (error as Partial<WireFailure>).code : undefined;
  return typeof code === 'string' ? code : null;
}

/** Nobody listens: the request was not seen by any daemon. */
export function isNobodyThere(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(wireCode(error) ?? '');
}

/** The daemon went away under the request, which may have been carried out. */
export function isCutOff(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(wireCode(error) ?? '');
}
