// What is damaged is never deleted: somebody may still get something out of it that we could not. The files get a second name in a folder
// beside the database and keep their own, so that at no moment there is no database: a daemon that started then would make an empty one.
import { linkSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupDeps } from './deps.ts';

/** Answers the name of that folder, null where there is no database. */
export function setAside({ database, data }: BackupDeps['files'], nowMs: number): string | null {
  if (!exists(database)) return null;
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
  const folder = freeName(data, `damaged-${stamp}`);
  mkdirSync(join(data, folder), { mode: 0o700 });
  for (const suffix of ['', '-wal']) {
    if (exists(`${database}${suffix}`)) secondName(`${database}${suffix}`, join(data, folder, `loci.db${suffix}`));
  }
  return folder;
}

function secondName(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch {
    renameSync(file, name); // a file system without links
  }
}

function freeName(parent: string, wanted: string): string {
  for (let at = 1; ; at += 1) {
    const name = at === 1 ? wanted : `${wanted}-${at}`;
    if (!exists(join(parent, name))) return name;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
