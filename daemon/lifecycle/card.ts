import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { type DaemonCard, parseCard } from '#shared/daemon-card.ts';
import type { LociPaths } from '#shared/paths.ts';
import { version } from '#shared/version.ts';

/** The card of this process, before it listens on TCP. */
export function cardOf(paths: LociPaths, nowMs: number, hookDeadlineMs: number): DaemonCard {
  return {
    pid: process.pid,
    started_at: new Date(nowMs).toISOString(),
    host: hostname(),
    version,
    port: null,
    http_socket: paths.httpSocket,
    mcp_socket: paths.mcpSocket,
    node_path: process.execPath,
    script_path: process.argv[1] ?? '',
    hook_deadline_ms: hookDeadlineMs,
  };
}

/** Puts the card in place in one step: a reader sees the old one or the new one, 0600, and a planted link is replaced, never followed. */
export function writeCard(file: string, card: DaemonCard): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify(card, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** The card that another daemon left, or null. */
export function readCard(file: string): Partial<DaemonCard> | null {
  try {
    return parseCard(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
