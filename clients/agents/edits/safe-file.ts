// Replaces a file that belongs to somebody else. A link stays a link and its target changes, because people keep these files in a
// repository of dotfiles; mode and owner stay; and what was written by somebody else between our reading and our writing is not lost:
// the file is read again at the last moment, and when it differs nothing is written. Agents rewrite their files all the time.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { LociError } from '#shared/errors.ts';

/** A file as it was read; null where there is none. */
export type FileState = {
  readonly bytes: Buffer;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
} | null;

export type ReplaceOptions = {
  /** Permission bits; those it has unless given. */
  readonly mode?: number;
  /** False spares the wait for the disk, for what can be written again. */
  readonly isDurable?: boolean;
  /** Runs just before the last look at the file. */
  readonly atLast?: (() => void) | undefined;
};

const maxLinks = 40;
const newFileMode = 0o600;

/** Where a path leads when every link is followed, also where nothing is there yet. Throws `conflict` for links in a circle. */
export function realTarget(file: string): string {
  let target = resolve(file);
  for (let links = 0; links < maxLinks; links += 1) {
    if (existsSync(dirname(target))) target = join(realpathSync(dirname(target)), basename(target));
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new LociError('conflict', 'is a link that leads to itself');
}

/** Throws `conflict` for what is no file or cannot be read. */
export function readState(target: string): FileState {
  const stat = attempt('cannot be read', () => statSync(target, { throwIfNoEntry: false }));
  if (stat === undefined) return null;
  if (!stat.isFile()) throw new LociError('conflict', 'is no file');
  const bytes = attempt('cannot be read', () => readFileSync(target));
  return { bytes, mode: stat.mode & 0o7777, uid: stat.uid, gid: stat.gid };
}

/** Throws `conflict` for a file that its owner has made read-only: that is a word of theirs, though a rename would get past it. */
export function refuseReadOnly(state: FileState): void {
  if (state !== null && (state.mode & 0o200) === 0) throw new LociError('conflict', 'is read-only');
}

/**
 * Puts `bytes` in the place of what was read as `before`; answers the folders that had to be made, outermost first. Throws `conflict` when the
 * file has changed since.
 */
export function replaceFile(
  target: string,
  before: FileState,
  bytes: Buffer,
  { mode = before?.mode ?? newFileMode, isDurable = true, atLast }: ReplaceOptions = {},
): string[] {
  const folders = attempt('cannot be written: its folder cannot be made', () => makeFolders(dirname(target)));
  const draft = join(dirname(target), `.${basename(target)}.loci-${randomBytes(6).toString('hex')}`);
  try {
    attempt('cannot be written', () => writeDraft(draft, bytes, { mode, before, isDurable }));
    atLast?.();
    refuseChanged(target, before);
    attempt('cannot be written', () => renameSync(draft, target));
  } catch (error) {
    rmSync(draft, { force: true });
    removeFolders(folders);
    throw error;
  }
  if (isDurable) attempt('was written, but its folder cannot be synced', () => sync(dirname(target)));
  return folders;
}

/** Removes a file that is as it was read. Throws `conflict` when it has changed since. */
export function removeFile(target: string, before: FileState): void {
  refuseChanged(target, before);
  attempt('cannot be removed', () => rmSync(target, { force: true }));
}

/** Removes those of the folders that are empty and answers the others; outermost first, both. */
export function removeFolders(folders: readonly string[]): string[] {
  return [...folders]
    .sort((a, b) => b.length - a.length)
    .filter((folder) => {
      try {
        rmdirSync(folder);
        return false;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code !== 'ENOENT';
      }
    })
    .reverse();
}

function refuseChanged(target: string, before: FileState): void {
  const now = realTarget(target) === target ? readState(target) : null;
  const isSame = before === null ? now === null : now?.bytes.equals(before.bytes) === true;
  if (!isSame) throw new LociError('conflict', 'was changed by another program meanwhile: run the setup again');
}

type Draft = { readonly mode: number; readonly before: FileState; readonly isDurable: boolean };

function writeDraft(draft: string, bytes: Buffer, { mode, before, isDurable }: Draft): void {
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    if (before !== null) keepOwner(descriptor, before);
    fchmodSync(descriptor, mode);
    if (isDurable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws where the file is another user's; a group that we are not in is given up, since its members could read the file before. */
function keepOwner(descriptor: number, { uid, gid }: NonNullable<FileState>): void {
  const now = fstatSync(descriptor);
  if (now.uid === uid && now.gid === gid) return;
  try {
    fchownSync(descriptor, uid, gid);
  } catch (error) {
    if (now.uid !== uid) throw error;
  }
}

function makeFolders(folder: string): string[] {
  if (existsSync(folder)) return [];
  const above = makeFolders(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
  return [...above, folder];
}

function sync(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The system's own words hold paths and codes; the reader needs to know which file, and that stands before ours. */
function attempt<Result>(why: string, run: () => Result): Result {
  try {
    return run();
  } catch {
    throw new LociError('conflict', why);
  }
}
