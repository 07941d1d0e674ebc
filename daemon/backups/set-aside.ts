// What is damaged is never deleted: somebody may still get something out of it that we could not.
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupDeps } from './deps.ts';

/** Moves the files of the database into `damaged-<time>` beside it; answers that folder's name, null where there were none. */
export function setAside({ database, data }: BackupDeps['files'], nowMs: number): string | null {
  if (statSync(database, { throwIfNoEntry: false }) === undefined) return null;
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
  const folder = freeName(data, `damaged-${stamp}`);
  mkdirSync(join(data, folder), { mode: 0o700 });
  for (const suffix of ['-wal', '-shm', '']) {
    const file = `${database}${suffix}`;
    if (statSync(file, { throwIfNoEntry: false }) !== undefined)
      renameSync(file, join(data, folder, `loci.db${suffix}`));
  }
  return folder;
}

function freeName(parent: string, wanted: string): string {
  for (let at = 1; ; at += 1) {
    const name = at === 1 ? wanted : `${wanted}-${at}`;
    if (statSync(join(parent, name), { throwIfNoEntry: false }) === undefined) return name;
  }
}
