/** As much of a JSON-RPC message as the shim needs to know. */
export type Message = {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown } | null;
};

/** The message on a line; empty for what is none. Parsed whole: no guess about the order of fields is safe. */
export function parseMessage(line: Buffer): Message {
  try {
    const message: unknown = JSON.parse(line.toString());
    return typeof message === 'object' && message !== null ? message : {};
  } catch {
    return {};
  }
}

/** A key that tells the id 1 from the id "1"; null for what JSON-RPC does not allow as one. */
export function idKey(id: unknown): string | null {
  return typeof id === 'string' || typeof id === 'number' ? `${typeof id}:${id}` : null;
}

/** A line that answers the request `id` with an error which carries the problem of every other surface. */
export function errorLine(id: unknown, problem: { code: string; message: string }): string {
  const error = { code: -32000, message: problem.message, data: { ...problem, details: {} } };
  return `${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`;
}
