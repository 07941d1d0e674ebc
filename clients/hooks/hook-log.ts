// Agents hide what a hook says on stderr, so that a hook that has failed for weeks looks like one that has nothing to say. What went wrong
// is kept in a small file of its own: the daemon's log has one writer, and it may be the daemon that is missing.
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const maxBytes = 256 * 1024;

/** Adds a line; a full file becomes `.1`. Never throws: the log is no reason to fail. */
export function logHook(file: string, line: Readonly<Record<string, unknown>>): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, `${file}.1`);
    appendFileSync(file, `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`, { mode: 0o600 });
  } catch {
    // nowhere to say it
  }
}
