// Leaves an entry in the spool folder, before the daemon is asked for anything: whatever happens to it or to this process then, the entry is
// there. One file for one transcript or file, so that leaving it twice is leaving it once; written beside and renamed, so that a
// reader sees all or nothing.
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxSpoolEntries, type SpoolEntry, spoolEntryToText, spoolNameOf, spoolSuffix } from '#shared/spool-entry.ts';

/** Throws where the folder cannot be written or holds too much already. */
export function leaveEntry(folder: string, entry: SpoolEntry): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = spoolNameOf(entry);
  const waiting = readdirSync(folder).filter((file) => file.endsWith(spoolSuffix));
  if (waiting.length >= maxSpoolEntries && !waiting.includes(name)) {
    throw new Error(`${maxSpoolEntries} sessions wait for the daemon already; this one is not kept`);
  }
  const draft = join(folder, `${name}.${process.pid}`);
  writeFileSync(draft, spoolEntryToText(entry), { mode: 0o600, flag: 'wx' });
  renameSync(draft, join(folder, name));
}
