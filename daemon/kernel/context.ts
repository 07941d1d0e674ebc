/** Who calls, from where, and under which key a repeated change is recognised. Made by an adapter, passed to every handler. */
export type CallContext = {
  readonly userId: number;
  /** `*`, `read`, `write`, `read:<kind>`, `write:<kind>`, `admin`. */
  readonly scopes: readonly string[];
  readonly transport: 'socket' | 'tcp' | 'mcp' | 'internal';
  /** The client program, as it names itself (`claude-code`), or null. */
  readonly agent: string | null;
  readonly encoding: EncodingAgent;
  /** The agent session; for MCP the greeting's UUID. */
  readonly session: string | null;
  /** The folder the client works in, to resolve the project from. */
  readonly folder: string | null;
  /** Identifies a change: the same key within 24 h gets the first answer again. */
  readonly idempotencyKey: string | null;
  /** Set by `invoke` for a change with a key; `Database.write` records the answer under it in the same transaction. */
  readonly claim: Claim | null;
  readonly signal: AbortSignal | null;
  /** Aborted when the caller's right to call ends; absent where it never does. */
  readonly ended?: AbortSignal;
};

/** Provenance that a client's environment gives; fills nulls on create. */
export type EncodingAgent = {
  readonly agentId: string | null;
  readonly agentVersion: string | null;
  readonly agentModel: string | null;
  readonly encodingAgent: string | null;
  readonly encodingVersion: string | null;
};

export type Claim = {
  readonly userId: number;
  readonly key: string;
  readonly operation: string;
  /** SHA-256 of the canonical JSON of the input. */
  readonly bodyHash: string;
};

export const noEncodingAgent: EncodingAgent = {
  agentId: null,
  agentVersion: null,
  agentModel: null,
  encodingAgent: null,
  encodingVersion: null,
};

/** The context of the daemon itself: jobs and tests. */
export const internalContext: CallContext = {
  userId: 1,
  scopes: ['*'],
  transport: 'internal',
  agent: null,
  encoding: noEncodingAgent,
  session: null,
  folder: null,
  idempotencyKey: null,
  claim: null,
  signal: null,
};

/** The same claim for one part of a batch, so that a batch killed half-way repeats only what was not done. */
export function partOfClaim(context: CallContext, part: number): CallContext {
  if (context.claim === null) return context;
  return { ...context, claim: { ...context.claim, key: `${context.claim.key}#${part}` } };
}
