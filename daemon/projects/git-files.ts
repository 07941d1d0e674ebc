// What git keeps in files, read without running git: a program started in a folder that somebody else made can be told by
// that folder's own configuration to run other programs. Reads are bounded, and nothing found is trusted with more than a name.
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';

export type GitFolder = {
  /** Top folder of the working tree. */
  readonly top: string;
  /** This working tree's own folder: HEAD is here. */
  readonly gitDir: string;
  /** What worktrees share: the config is here. */
  readonly commonDir: string;
};

const maxPointerBytes = 8 * 1024;
const maxConfigBytes = 256 * 1024;

/** The git folder of a working tree whose top is `folder`, or null. */
export async function gitFolderAt(folder: string): Promise<GitFolder | null> {
  const dotGit = resolve(folder, '.git');
  const gitDir = await pointedAt(dotGit, folder);
  if (gitDir === null || (await readBounded(resolve(gitDir, 'HEAD'), maxPointerBytes)) === null) return null;
  const shared = (await readBounded(resolve(gitDir, 'commondir'), maxPointerBytes))?.trim();
  const commonDir = shared === undefined || shared === '' ? gitDir : resolve(gitDir, shared);
  return { top: folder, gitDir, commonDir };
}

async function pointedAt(dotGit: string, folder: string): Promise<string | null> {
  const found = await stat(dotGit).catch(() => null);
  if (found?.isDirectory() === true) return dotGit;
  if (found?.isFile() !== true) return null;
  const target = /^gitdir:[ \t]*(.+)/.exec((await readBounded(dotGit, maxPointerBytes)) ?? '')?.[1]?.trim();
  return target === undefined || target.includes('\0') ? null : resolve(folder, target);
}

/** The branch that HEAD names, or null when it is detached. */
export async function branchOf({ gitDir }: GitFolder): Promise<string | null> {
  const head = (await readBounded(resolve(gitDir, 'HEAD'), maxPointerBytes)) ?? '';
  const branch = /^ref:[ \t]*refs\/heads\/(.+)/.exec(head)?.[1]?.trim();
  // a repository with the reftable format keeps a stand-in there
  return branch === undefined || branch === '.invalid' || /\p{Cc}/u.test(branch) ? null : branch;
}

/** Git's own name of a linked worktree; null for the main working tree. */
export function worktreeOf({ gitDir, commonDir }: GitFolder): string | null {
  return gitDir !== commonDir && dirname(gitDir) === resolve(commonDir, 'worktrees') ? basename(gitDir) : null;
}

/** The folder name that stands for a repository without a remote: that of the common directory, so that worktrees share it. */
export function folderNameOf({ commonDir }: GitFolder): string {
  const own = basename(commonDir);
  return own.startsWith('.') ? basename(dirname(commonDir)) : own.replace(/\.git$/i, '');
}

/** The URLs of `origin`, then of the other remotes, in the order of the file. */
export async function remoteUrls({ commonDir }: GitFolder): Promise<string[]> {
  const config = (await readBounded(resolve(commonDir, 'config'), maxConfigBytes)) ?? '';
  const urls: { remote: string; url: string }[] = [];
  let remote: string | null = null;
  for (const line of config.split(/\r?\n/)) {
    const section = /^[ \t]*\[[ \t]*([\w.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?[ \t]*\]/.exec(line);
    if (section !== null) remote = section[1]?.toLowerCase() === 'remote' ? (section[2] ?? null) : null;
    const value = /(?:^|\])[ \t]*url[ \t]*=(.*)/i.exec(line)?.[1];
    if (remote !== null && value !== undefined) urls.push({ remote, url: configValue(value) });
  }
  return [
    ...urls.filter((entry) => entry.remote === 'origin'),
    ...urls.filter((entry) => entry.remote !== 'origin'),
  ].map((entry) => entry.url);
}

/** A value without quotes and trailing comment. */
function configValue(text: string): string {
  const value = text.trim();
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
  return (value.split(/[ \t][#;]/, 1)[0] ?? '').trim();
}

/** A regular file's text up to `maxBytes`; null when it is absent, larger, or something else than a file (a pipe would hang). */
export async function readBounded(file: string, maxBytes: number): Promise<string | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat().then((found) => (found.isFile() ? found : { size: maxBytes + 1 }));
    if (size > maxBytes) return null;
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await handle.read(buffer, 0, size, 0);
    return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
  } catch {
    return null;
  } finally {
    await handle.close().catch(() => undefined);
  }
}
