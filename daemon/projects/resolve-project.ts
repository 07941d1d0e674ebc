// From the folder a client works in to the name of its project. The rule of the contract: the nearest `.loci.toml`, else the
// git remote, else the folder of the git common directory, else none. Home, `/` and the temporary folders are no project, so
// neither a dotfiles repository in the home folder nor a stray file in /tmp may claim what lies below.
import { realpath, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { parse } from 'smol-toml';
import type { Clock } from '#daemon/kernel/clock.ts';
import {
  branchOf,
  folderNameOf,
  type GitFolder,
  gitFolderAt,
  readBounded,
  remoteUrls,
  worktreeOf,
} from './git-files.ts';
import { normaliseRemote } from './normalise-remote.ts';
import { cleanName } from './project-name.ts';

export type ResolvedProject = {
  /** Null where the folder belongs to no project. */
  readonly name: string | null;
  /** What gave the name. */
  readonly source: 'file' | 'remote' | 'folder' | null;
  readonly branch: string | null;
  /** The linked worktree's name; null in the main one. */
  readonly worktree: string | null;
};

export type ProjectResolver = {
  /** Never throws: a folder that is gone, unreadable or a loop of links is no project. */
  resolve(folder: string | null): Promise<ResolvedProject>;
};

export type ResolverDeps = {
  readonly clock: Clock;
  readonly home?: string;
  readonly temp?: string;
};

export const noProject: ResolvedProject = { name: null, source: null, branch: null, worktree: null };

/** How long an answer is used again: a hook, a save and a search of one prompt ask within seconds. */
const cacheMs = 3_000;
const maxCached = 500;
const maxFileBytes = 64 * 1024;
/** A path has at most 4,096 bytes on Linux, hence at most half as many steps. */
const maxSteps = 2_048;

export function createProjectResolver(deps: ResolverDeps): ProjectResolver {
  const cache = new Map<string, { atMs: number; answer: Promise<ResolvedProject> }>();
  const never = [deps.home ?? homedir(), deps.temp ?? tmpdir(), '/tmp', '/var/tmp', '/'];

  return {
    async resolve(folder) {
      if (folder === null || !isAbsolute(folder) || folder.includes('\0')) return noProject;
      const nowMs = deps.clock.now();
      const known = cache.get(folder);
      if (known !== undefined && Math.abs(nowMs - known.atMs) < cacheMs) return known.answer;
      const answer = resolveFolder(folder, never).catch(() => noProject);
      if (cache.size >= maxCached) cache.clear();
      cache.set(folder, { atMs: nowMs, answer });
      return answer;
    },
  };
}

async function resolveFolder(folder: string, never: readonly string[]): Promise<ResolvedProject> {
  const start = await realpath(folder);
  if (!(await stat(start)).isDirectory()) return noProject;
  const closed = new Set(await Promise.all(never.map((place) => realpath(place).catch(() => place))));
  if (closed.has(start)) return noProject;

  let fromFile: string | null = null;
  let git: GitFolder | null = null;
  for (const step of upwards(start)) {
    if (closed.has(step)) continue;
    fromFile ??= await nameInFile(join(step, '.loci.toml'));
    git ??= await gitFolderAt(step);
  }
  const place = git === null ? {} : { branch: await branchOf(git), worktree: worktreeOf(git) };
  if (fromFile !== null) return { ...noProject, ...place, name: fromFile, source: 'file' };
  if (git === null) return noProject;
  return { ...noProject, ...place, ...(await nameOfRepository(git)) };
}

function* upwards(start: string): Generator<string> {
  let step = start;
  for (let count = 0; count < maxSteps; count += 1) {
    yield step;
    const above = dirname(step);
    if (above === step) return;
    step = above;
  }
}

/** Only the name is taken from a repository's file: no setting, no folder, no hook. */
async function nameInFile(file: string): Promise<string | null> {
  const text = await readBounded(file, maxFileBytes);
  if (text === null) return null;
  try {
    return cleanName(parse(text).project);
  } catch {
    return null;
  }
}

async function nameOfRepository(git: GitFolder): Promise<Pick<ResolvedProject, 'name' | 'source'>> {
  for (const url of await remoteUrls(git)) {
    const name = cleanName(normaliseRemote(url));
    if (name !== null) return { name, source: 'remote' };
  }
  const name = cleanName(folderNameOf(git));
  return { name, source: name === null ? null : 'folder' };
}
