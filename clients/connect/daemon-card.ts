// Run folders differ between a desktop, ssh, cron and containers that share one home; the data folder does not. The daemon's card
// lies there, so a client whose own socket is missing still finds the daemon. Node built-ins only: the shim bundles this file.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { type DaemonCard, parseCard } from '#shared/daemon-card.ts';

/** The card at `file`, or null when there is none or it is not one. */
export function readCard(file: string): Partial<DaemonCard> | null {
  try {
    return parseCard(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** The MCP socket that the card names, when its daemon is one of this machine. */
export function recordedMcpSocket(file: string): string | null {
  const card = readCard(file);
  return card?.host === hostname() && typeof card.mcp_socket === 'string' ? card.mcp_socket : null;
}
