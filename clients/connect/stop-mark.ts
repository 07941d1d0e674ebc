import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LociPaths } from '#shared/paths.ts';

// `loci stop` means stopped: an editor that retries every second would otherwise bring the daemon back at once.
// The mark is looked at in spawn-daemon.ts alone.

export function setStopMark({ stopMark }: LociPaths): void {
  mkdirSync(dirname(stopMark), { recursive: true, mode: 0o700 });
  writeFileSync(stopMark, `${new Date().toISOString()}\n`, { mode: 0o600 });
}

export function clearStopMark({ stopMark }: LociPaths): void {
  rmSync(stopMark, { force: true });
}
