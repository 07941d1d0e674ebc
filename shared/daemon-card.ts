/** What a daemon writes beside its lock, for clients to read before they start one. Never proof of life: only an answer on the socket is. */
export type DaemonCard = {
  /** Null once the daemon has stopped cleanly. */
  readonly pid: number | null;
  readonly started_at: string;
  readonly host: string;
  readonly version: string;
  /** The TCP port that answers, or null. */
  readonly port: number | null;
  readonly http_socket: string;
  readonly mcp_socket: string;
  readonly node_path: string;
  readonly script_path: string;
};

/** What `GET /daemon` answers on the Unix socket. */
export type DaemonIdentity = Pick<DaemonCard, 'version' | 'started_at'> & { readonly pid: number };

/** Reads a card; null for anything that is not one, since a crash or a stranger may have left it. */
export function parseCard(text: string): DaemonCard | null {
  try {
    const card: unknown = JSON.parse(text);
    return isCard(card) ? card : null;
  } catch {
    return null;
  }
}

function isCard(value: unknown): value is DaemonCard {
  if (typeof value !== 'object' || value === null) return false;
  const card = value as Record<string, unknown>;
  const texts = [card.started_at, card.version, card.http_socket, card.mcp_socket, card.node_path, card.script_path];
  return texts.every((text) => typeof text === 'string') && (card.pid === null || Number.isSafeInteger(card.pid));
}
