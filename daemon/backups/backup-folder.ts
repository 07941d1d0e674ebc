// The folder of the backups. It may hold files of other people and programs: what does not bear a name of ours is not looked at, and
// what bears one and cannot be read is shown as damaged and left where it is.
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LociError } from '#shared/errors.ts';
import { readManifest } from './archive.ts';
import { type Backup, manifestToBackup } from './manifest.ts';

const nameOfOurs = /^loci-\d{8}T\d{9}Z(-\d+)?\.tar\.gz$/;
const unfinishedPrefix = '.loci-unfinished-';
const ledgerName = '.loci-ledger.json';

const ledgerSchema = z.object({
  /** The highest sequence ever given. */
  sequence: z.int().min(0),
  rehearsed: z.object({ name: z.string(), at: z.string() }).nullable(),
});

export type Ledger = z.output<typeof ledgerSchema>;

export type Listed = {
  /** Newest first. */
  readonly backups: Backup[];
  readonly damaged: { readonly name: string; readonly bytes: number; readonly why: string }[];
};

/** Makes the folder private, and takes away what a killed daemon left half done in it. */
export function prepareBackupFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    if (name.startsWith(unfinishedPrefix)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** A new private folder inside, for work that is not to be seen before it is done. */
export function workFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(folder, unfinishedPrefix));
}

export async function listFolder(folder: string): Promise<Listed> {
  const listed: Listed = { backups: [], damaged: [] };
  for (const name of namesOfOurs(folder)) {
    const file = join(folder, name);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined || !found.isFile()) continue;
    try {
      listed.backups.push(manifestToBackup(await readManifest(file), name, found.size));
    } catch (error) {
      const why = error instanceof LociError ? error.message : 'It cannot be read.';
      listed.damaged.push({ name, bytes: found.size, why });
    }
  }
  listed.backups.sort((a, b) => b.sequence - a.sequence);
  return listed;
}

/** The path of a backup by its name. Throws `invalid_input` for a name that is none, `not_found` where no such plain file lies. */
export function fileOfBackup(folder: string, name: string): string {
  if (!nameOfOurs.test(name)) {
    throw new LociError('invalid_input', '`name`: must be a name as `loci backup list` shows it, without a folder.', {
      name: 'must be the name of a backup',
    });
  }
  const file = join(folder, name);
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw noBackup(name);
  return file;
}

export function noBackup(name: string): LociError {
  return new LociError('not_found', `There is no backup "${name}": \`loci backup list\` shows those there are.`, {
    name: 'no such backup',
  });
}

/** `loci-20261130T093000000Z.tar.gz`: a name that no file has yet. */
export function newBackupName(folder: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
  for (let at = 1; ; at += 1) {
    const name = `loci-${stamp}${at === 1 ? '' : `-${at}`}.tar.gz`;
    if (lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined) return name;
  }
}

/** Gives a finished archive its name and makes that last: from here on it is listed. */
export function publishArchive(folder: string, archive: string, name: string): void {
  renameSync(archive, join(folder, name));
  syncFolder(folder);
}

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function readLedger(folder: string): Ledger {
  try {
    return ledgerSchema.parse(JSON.parse(readFileSync(join(folder, ledgerName), 'utf8')));
  } catch {
    return { sequence: 0, rehearsed: null };
  }
}

export function writeLedger(folder: string, ledger: Ledger): void {
  const work = workFolder(folder);
  try {
    const file = join(work, ledgerName);
    writeFileSync(file, `${JSON.stringify(ledger)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(file, join(folder, ledgerName));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function namesOfOurs(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => nameOfOurs.test(name));
  } catch {
    return [];
  }
}
