import { existsSync, lstatSync } from 'node:fs';
import { recordedMcpSocket } from '#clients/connect/daemon-card.ts';
import type { LociPaths } from '#shared/paths.ts';

/** Where to look for the daemon now: our own socket, or where that is missing the one that the daemon's card names. */
export function findMcpSocket(paths: LociPaths): string {
  if (existsSync(paths.mcpSocket)) return paths.mcpSocket;
  return recordedMcpSocket(paths.card) ?? paths.mcpSocket;
}

/** True for a socket that another user has put there, below a temporary folder: what an agent says must not be told to it. */
export function isForeign(socketPath: string): boolean {
  const owner = lstatSync(socketPath, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && process.getuid !== undefined && owner !== process.getuid();
}
