import { existsSync } from 'node:fs';
import { recordedMcpSocket } from '#clients/connect/daemon-card.ts';
import type { LociPaths } from '#shared/paths.ts';

/** Where to look for the daemon now: our own socket, or where that is missing the one that the daemon's card names. */
export function findMcpSocket(paths: LociPaths): string {
  if (existsSync(paths.mcpSocket)) return paths.mcpSocket;
  return recordedMcpSocket(paths.card) ?? paths.mcpSocket;
}
