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
  /** The setting `hooks.deadline_ms`: hooks have no time to read a settings file. */
  readonly hook_deadline_ms: number;
};

/** What `GET /daemon` answers on the Unix socket. */
export type DaemonIdentity = Pick<DaemonCard, 'version' | 'started_at'> & { readonly pid: number };

/** Reads a card; null for what is none. Any field may be missing in the card of another version. */
export function parseCard(text: string): Partial<DaemonCard> | null {
  try {
    const card: unknown = JSON.parse(text);
    return typeof card === 'object' && card !== null && !Array.isArray(card) ? (card as Partial<DaemonCard>) : null;
  } catch {
    return null;
  }
}
