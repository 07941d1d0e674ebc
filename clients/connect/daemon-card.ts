// Run folders differ between a desktop, ssh, cron and containers that share one home; the data folder does not. The daemon's card
// lies there, so a client whose own socket is missing still finds the daemon. Node built-ins only: the shim bundles this file.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** What a client needs of `locid.json`; every field may be absent in a card of another version. */
export type DaemonCard = {
  readonly pid?: number;
  readonly host?: string;
  readonly version?: string;
  readonly node_path?: string;
  readonly socket?: string;
  readonly mcp_socket?: string;
};

/** The card at `file`, or null when there is none or it is not one. */
export function readCard(file: string): DaemonCard | null {
  try {
    const card: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof card === 'object' && card !== null ? (card as DaemonCard) : null;
  } catch {
    return null;
  }
}

/** The MCP socket that the card names, when its daemon is one of this machine. */
export function recordedMcpSocket(file: string): string | null {
  const card = readCard(file);
  return card?.host === hostname() && typeof card.mcp_socket === 'string' ? card.mcp_socket : null;
}
