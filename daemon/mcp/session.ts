// Who is at the other end of an MCP connection, and what of it goes with each call to an operation.
import type { CallContext, EncodingAgent } from '#daemon/kernel/context.ts';
import { noEncodingAgent } from '#daemon/kernel/context.ts';
import { folderOf, type Greeting } from './greeting.ts';

/** One client's session. It outlives connections when the client greets with the same id again. */
export type McpSession = {
  /** Null for a stateless request: such a change is recognised by an explicit `idempotency_key` alone. */
  readonly id: string | null;
  readonly userId: number;
  readonly scopes: readonly string[];
  /** Name of the tool profile; null is the daemon's own setting. */
  readonly profile: string | null;
  readonly greeting: Greeting | null;
  /** Folders that the client has named as its roots; filled in when it answers. */
  roots: readonly string[];
};

export type CallFacts = {
  readonly requestId: string | number;
  /** As the client names itself. */
  readonly clientName: string | null;
  readonly signal: AbortSignal;
};

/** The context of one call. Session and request id are the key by which a repeated change is recognised; their types keep 1 from "1". */
export function callContextOf(session: McpSession, { requestId, clientName, signal }: CallFacts): CallContext {
  const env = session.greeting?.env ?? {};
  return {
    userId: session.userId,
    scopes: session.scopes,
    transport: 'mcp',
    agent: env.AGENT_ID || clientName,
    encoding: encodingOf(env),
    session: session.id,
    folder: folderOf(session.greeting, session.roots),
    idempotencyKey: session.id === null ? null : `${session.id}:${typeof requestId}:${requestId}`,
    claim: null,
    signal,
  };
}

function encodingOf(env: Readonly<Record<string, string>>): EncodingAgent {
  return {
    ...noEncodingAgent,
    agentId: env.AGENT_ID || null,
    agentVersion: env.AGENT_VERSION || null,
    agentModel: env.AGENT_MODEL || null,
    encodingAgent: env.ENCODING_AGENT || null,
    encodingVersion: env.ENCODING_VERSION || null,
  };
}
