// Who is at the other end of an MCP connection, and what of it goes with each call to an operation.
import { isAbsolute } from 'node:path';
import type { Caller } from '#daemon/kernel/caller.ts';
import type { CallContext, EncodingAgent } from '#daemon/kernel/context.ts';
import type { Greeting } from './greeting.ts';

/** One client's session. It outlives connections when the client greets with the same id again. */
export type McpSession = Caller & {
  /** Null for a stateless request: such a change is recognised by an explicit key alone. */
  readonly id: string | null;
  /** Name of the tool profile; null is the daemon's own setting. */
  readonly profile: string | null;
  /** The agent's name where its surroundings say it, which is better than what it calls itself. */
  readonly agent: string | null;
  readonly encoding: EncodingAgent;
  /** The project's folder as the surroundings say; before the client's roots. */
  readonly projectFolder: string | null;
  /** The folder the client runs in; after its roots. */
  readonly workingFolder: string | null;
  /** Key that came with the one request of a stateless session. */
  readonly explicitKey: string | null;
  /** Folders that the client has named as its roots; filled in when it answers. */
  roots: readonly string[];
};

export type CallFacts = {
  readonly requestId: string | number;
  /** As the client names itself. */
  readonly clientName: string | null;
  readonly signal: AbortSignal;
};

/** The session of a greeting; null is a client that began with JSON-RPC and is known by `fallbackId`. */
export function greetingToSession(greeting: Greeting | null, caller: Caller, fallbackId: string): McpSession {
  const env = greeting?.env ?? {};
  const workspace = env.WORKSPACE_FOLDER_PATHS?.split(/[,:;\n]/)[0];
  return {
    ...caller,
    id: greeting?.session ?? fallbackId,
    profile: greeting?.tools || null,
    agent: env.AGENT_ID || null,
    encoding: {
      agentId: env.AGENT_ID || null,
      agentVersion: env.AGENT_VERSION || null,
      agentModel: env.AGENT_MODEL || null,
      encodingAgent: env.ENCODING_AGENT || null,
      encodingVersion: env.ENCODING_VERSION || null,
    },
    projectFolder: firstFolder([env.CLAUDE_PROJECT_DIR, env.CURSOR_PROJECT_DIR, workspace]),
    workingFolder: firstFolder([greeting?.cwd]),
    explicitKey: null,
    roots: [],
  };
}

/** The session of an HTTP request; `id` is the one that the daemon gave, or null. */
export function requestToSession(context: CallContext, id: string | null, profile: string | null): McpSession {
  return {
    userId: context.userId,
    scopes: context.scopes,
    id,
    profile,
    agent: context.agent,
    encoding: context.encoding,
    projectFolder: context.folder,
    workingFolder: null,
    explicitKey: id === null ? context.idempotencyKey : null,
    roots: [],
  };
}

/** The context of one call. Session and request id are the key by which a repeated change is recognised; their types keep 1 from "1". */
export function callContextOf(session: McpSession, { requestId, clientName, signal }: CallFacts): CallContext {
  return {
    userId: session.userId,
    scopes: session.scopes,
    transport: 'mcp',
    agent: session.agent ?? clientName,
    encoding: session.encoding,
    session: session.id,
    folder: session.projectFolder ?? firstFolder([...session.roots, session.workingFolder]),
    idempotencyKey: session.id === null ? session.explicitKey : `${session.id}:${typeof requestId}:${requestId}`,
    claim: null,
    signal,
  };
}

function firstFolder(folders: readonly (string | null | undefined)[]): string | null {
  return folders.find((folder): folder is string => typeof folder === 'string' && isAbsolute(folder)) ?? null;
}
