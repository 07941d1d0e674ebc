// What the HTTP adapter needs from the daemon. It knows the registry and the one door `invoke`, never a room.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hono } from 'hono';
import type { Caller, CallerOf } from '#daemon/kernel/caller.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { OpenEventStream } from '#daemon/kernel/event-stream.ts';
import type { Invoke } from '#daemon/kernel/invoke.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { OpenExport, ReceiveImport } from '#daemon/kernel/transfer-streams.ts';
import type { Contract } from '#shared/contract/operation.ts';
import type { Metrics } from './metrics.ts';

export type HealthStatus = 'ok' | 'degraded' | 'starting';

/** Answers one Streamable HTTP request of MCP; its body has been read and is within the limit. */
export type McpHandler = (request: Request, context: CallContext) => Promise<Response>;

/** Sessions of the page: what a code is traded for, and whom a session acts for. */
export type PageSessions = {
  redeem(code: string, host: string): { readonly cookie: string; readonly key: string } | null;
  ownerOf(proof: PageProof): Caller | null;
  end(proof: PageProof): void;
};

export type PageProof = { readonly cookie: string; readonly key: string; readonly host: string };

export type HttpDeps = {
  /** Every operation of this daemon. The contracts are enough: handlers may still be on their way while the sockets answer. */
  readonly contracts: readonly Contract[];
  readonly invoke: Invoke;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly version: string;
  readonly pid: number;
  /** UTC ISO 8601. */
  readonly startedAt: string;
  /** Who a bearer token belongs to; asked for TCP alone, the socket's file permission is the owner's proof. */
  readonly callerOf: CallerOf;
  /** The code by which the owner can approve a token that a client has made for itself; without it there are no such logins. */
  readonly offerLogin?: (
    token: string,
    peer: string,
  ) => Promise<{ readonly code: string; readonly expiresInMs: number }>;
  /** Answers at once, also while the store is being opened. */
  health(): HealthStatus;
  /** Settles when this operation (or any) can be served; rejects with the `LociError` that the call should get. */
  ready(contract?: Contract): Promise<void>;
  /** How long a call waits for `ready` before it gets `unavailable`; 25 s unless given. */
  readonly readyTimeoutMs?: number;
  /** Begins an orderly stop; the answer to the request goes out first. */
  requestStop(): void;
  /** Memories in the store by status, for `/metrics`; absent while the store is closed. */
  memoryCounts?(): Promise<Readonly<Record<string, number>>>;
  readonly mcpHandler?: McpHandler;
  /** Absent where no page is served a session. */
  readonly pageSessions?: PageSessions;
  /** Fills an endless answer with what happens. */
  readonly openEventStream?: OpenEventStream;
  /** The lines of an export. */
  readonly openExport?: OpenExport;
  /** Keeps a part of an upload. */
  readonly receiveImport?: ReceiveImport;
};

export type Transport = 'socket' | 'tcp';

export type HttpEnv = {
  Bindings: {
    readonly incoming: IncomingMessage;
    readonly outgoing: ServerResponse;
    readonly transport: Transport;
  };
  Variables: { caller: Caller };
};

export type HttpApp = Hono<HttpEnv>;
