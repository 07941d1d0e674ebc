// How every client but the shim speaks to the daemon. The call comes first and the care after: a daemon that answers costs one
// round trip; only when nobody is there is one started, and only then. Every change carries a key, so a call that was cut off by
// a restart is simply sent again: the daemon knows whether it had been done.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LociError, problemToError } from '#shared/errors.ts';
import type { LociPaths } from '#shared/paths.ts';
import { version } from '#shared/version.ts';
import { ensureDaemon, unreachable } from './ensure-daemon.ts';
import { findSocket, isAlive, lifeSignMs } from './find-daemon.ts';
import { createUpgradeCheck } from './upgrade.ts';
import {
  createWire,
  isCutOff,
  isNobodyThere,
  type Target,
  type Wire,
  type WireAnswer,
  type WireRequest,
  wireCode,
} from './wire.ts';

export type ConnectionOptions = {
  readonly paths: LociPaths;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute path of `locid.js`. */
  readonly program: string;
  /** A daemon elsewhere, `--server`; null for the one of this machine. */
  readonly server: { readonly url: string; readonly token: string | null } | null;
  /** Narrows what a call to the daemon of this machine may do; without it the caller is the owner. */
  readonly token?: string | null;
  /** The folder the user works in: the daemon resolves the project from it. */
  readonly folder: string | null;
  /** Sent with each call beside the common ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How this program names itself, `loci-cli`. */
  readonly agent: string;
  /** Gets a sentence that is worth a line on stderr, such as "the daemon is older than this program". */
  readonly notice?: (sentence: string) => void;
};

export type CallOptions = {
  /** The whole time for the answer, the start of a daemon included; five minutes unless given. */
  readonly deadlineMs?: number;
  /** Repeat with the same key to repeat a change safely; random unless given. */
  readonly idempotencyKey?: string;
  /** Another folder than the connection's own; a daemon elsewhere is told of none. */
  readonly folder?: string;
  readonly signal?: AbortSignal;
};

export type Connection = {
  /** Calls an operation and gives its output. Rejects with the daemon's `LociError`, or `unavailable` with `details.reachable` false. */
  call(operation: string, input: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<unknown>;
  /** The body of a GET, for the few answers that are no JSON. */
  getText(path: string, options?: CallOptions): Promise<string>;
  /** The body of a GET that is read as it comes. Destroyed by whoever stops reading; `complete` tells whether it was whole. */
  openStream(path: string, options?: CallOptions): Promise<IncomingMessage>;
  /** Puts bytes as they are, and gives the daemon's JSON. Repeated when the daemon goes away under it. */
  putBytes(path: string, bytes: Uint8Array, options?: CallOptions): Promise<unknown>;
  /** Waits for a restart that this client asked for, then lets go of the sockets. */
  close(): Promise<void>;
};

const defaultDeadlineMs = 300_000;

/** How often one call is sent anew when the daemon goes away under it. */
const maxSendings = 4;

export function createConnection(options: ConnectionOptions): Connection {
  const wire = createWire();
  const upgrade = options.server === null ? createUpgradeCheck({ ...options, wire }) : null;
  const headers = commonHeaders(options);

  async function send(request: Omit<WireRequest, 'timeoutMs'>, deadlineMs: number): Promise<WireAnswer> {
    const endMs = Date.now() + deadlineMs;
    for (let sending = 1; ; sending += 1) {
      try {
        return await sendOnce(request, endMs);
      } catch (error) {
        const again = sending < maxSendings && Date.now() < endMs && (isNobodyThere(error) || isCutOff(error));
        if (!again || options.server !== null) throw wireError(error, options.server?.url ?? null, deadlineMs);
        await ensureDaemon({ ...options, wire, timeoutMs: Math.min(20_000, endMs - Date.now()) });
      }
    }
  }

  async function sendOnce(request: Omit<WireRequest, 'timeoutMs'>, endMs: number): Promise<WireAnswer> {
    const timeoutMs = Math.max(1, endMs - Date.now());
    if (options.server !== null) {
      const target: Target = { kind: 'server', ...options.server };
      return wire.send(target, { ...request, timeoutMs });
    }
    const target: Target = { kind: 'socket', path: findSocket(options.paths), token: options.token ?? null };
    const watch = watchLife(wire, options.paths, request.signal);
    try {
      return await wire.send(target, { ...request, timeoutMs, signal: watch.signal });
    } catch (error) {
      throw watch.isDead() ? unreachable('The daemon does not answer; run `loci restart`, then `loci logs`.') : error;
    } finally {
      watch.stop();
    }
  }

  return {
    async call(operation, input, call = {}) {
      const answer = await send(
        {
          method: 'POST',
          path: `/operations/${encodeURIComponent(operation)}`,
          headers: {
            ...headers,
            ...(call.folder === undefined || options.server !== null
              ? {}
              : { 'loci-folder': encodeURIComponent(call.folder.toWellFormed()) }),
            'idempotency-key': call.idempotencyKey ?? randomUUID(),
          },
          body: JSON.stringify(input),
          signal: call.signal,
        },
        call.deadlineMs ?? defaultDeadlineMs,
      );
      upgrade?.seen(answer.version);
      const body = parseJson(answer);
      if (answer.status >= 400) throw problemToError(body);
      return body;
    },

    async getText(path, call = {}) {
      const answer = await send(
        { method: 'GET', path, headers, signal: call.signal },
        call.deadlineMs ?? defaultDeadlineMs,
      );
      upgrade?.seen(answer.version);
      if (answer.status >= 400) throw problemToError(parseJson(answer));
      return answer.body;
    },

    async openStream(path, call = {}) {
      // a call first: it starts a daemon that is down, and a stream is not worth that care
      await send({ method: 'GET', path: '/daemon', headers }, call.deadlineMs ?? defaultDeadlineMs);
      const target: Target =
        options.server === null
          ? { kind: 'socket', path: findSocket(options.paths), token: options.token ?? null }
          : { kind: 'server', ...options.server };
      const response = await wire.open(target, {
        method: 'GET',
        path,
        headers,
        timeoutMs: call.deadlineMs ?? defaultDeadlineMs,
      });
      if ((response.statusCode ?? 0) < 400) return response;
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString('utf8');
      throw problemToError(parseJson({ status: response.statusCode ?? 0, contentType: '', version: null, body }));
    },

    async putBytes(path, bytes, call = {}) {
      const request = { method: 'PUT', path, headers, body: bytes, signal: call.signal } as const;
      const answer = await send(request, call.deadlineMs ?? defaultDeadlineMs);
      if (answer.status >= 400) throw problemToError(parseJson(answer));
      return parseJson(answer);
    },

    async close() {
      await upgrade?.done();
      wire.close();
    },
  };
}

function commonHeaders({ folder, agent, headers }: ConnectionOptions): Record<string, string> {
  return {
    accept: 'application/json, application/problem+json',
    'user-agent': `loci/${version}`,
    'loci-agent': encodeURIComponent(agent),
    ...headers,
    ...(folder === null ? {} : { 'loci-folder': encodeURIComponent(folder) }),
  };
}

/** While an answer is awaited, asks every two seconds whether the daemon lives: a long import is patience, a hung daemon is not. */
function watchLife(wire: Wire, paths: LociPaths, outer: AbortSignal | undefined) {
  const inner = new AbortController();
  let missed = 0;
  let dead = false;
  const timer = setInterval(async () => {
    missed = (await isAlive(wire, paths).catch(() => false)) ? 0 : missed + 1;
    if (missed < 2) return;
    dead = true;
    inner.abort();
  }, lifeSignMs);
  return {
    signal: outer === undefined ? inner.signal : AbortSignal.any([inner.signal, outer]),
    isDead: () => dead,
    stop: () => clearInterval(timer),
  };
}

function wireError(error: unknown, server: string | null, deadlineMs: number): unknown {
  const code = wireCode(error);
  if (error instanceof LociError || code === null) return error;
  if (code === 'LOCI_ABORTED') return new LociError('unavailable', 'The call was given up.');
  if (code === 'LOCI_TIMEOUT') {
    return new LociError('unavailable', `No answer came within ${Math.round(deadlineMs / 1000)} s.`, {
      reachable: true,
    });
  }
  if (server !== null) return unreachable(`No daemon answers at ${server} (${code}); check the address and the token.`);
  return unreachable('The daemon went away under the call; see `loci logs`.');
}

function parseJson({ body, contentType, status }: WireAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new LociError(
      'internal',
      `The answer is no JSON (status ${status}, ${contentType || 'no type'}): something other than Loci answers there.`,
    );
  }
}
