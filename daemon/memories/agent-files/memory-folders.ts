// Where Claude Code keeps notes: `<folder>/projects/<name>/memory/`, the name being the path of the project with every other
// character made a dash. That cannot be read backwards, so the project is found by what is left of it: the folder that the
// transcripts beside it name, a folder that exists and reads so, and last a project whose name ends the name.
import { open, readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';

export type MemoryFolder = {
  readonly path: string;
  /** The agent's name for the project: its path, dashed. Null for a folder that was named by the caller. */
  readonly projectName: string | null;
};

/** Memory folders below an agent's folder, in order of their names; `root` may also be its `projects` or one memory folder. */
export async function memoryFoldersIn(root: string): Promise<MemoryFolder[]> {
  const projects = (await isFolder(join(root, 'projects'))) ? join(root, 'projects') : root;
  const found: MemoryFolder[] = [];
  for (const projectName of (await namesIn(projects)).sort()) {
    const path = join(projects, projectName, 'memory');
    if (await isFolder(path)) found.push({ path, projectName });
  }
  if (found.length > 0 || projects !== root) return found;
  return (await isFolder(root)) ? [{ path: root, projectName: null }] : [];
}

/** The folder that a project of the agent stands for, or null where none is known. */
export async function workingFolderOf({ path, projectName }: MemoryFolder): Promise<string | null> {
  return (await folderInTranscripts(join(path, '..'))) ?? (projectName === null ? null : folderByName(projectName));
}

/** A path, or a project's name, as the agent writes it. */
export function dashed(text: string): string {
  return text.replace(/[^a-zA-Z0-9]/g, '-');
}

const headBytes = 64 * 1024;
const maxTranscripts = 3;

/** Each line of a transcript names the folder it was written in; the first that does is enough. */
async function folderInTranscripts(folder: string): Promise<string | null> {
  const transcripts = (await namesIn(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  for (const name of transcripts.slice(-maxTranscripts)) {
    const cwd = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(await headOf(join(folder, name)))?.[1];
    if (cwd === undefined) continue;
    try {
      return JSON.parse(cwd) as string;
    } catch {
      // a line that was cut: the next transcript may say it whole
    }
  }
  return null;
}

async function headOf(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  } finally {
    await file.close();
  }
}

const maxFolders = 500;

/** Walks down from the root along folders whose dashed names fit; null where none, or more than one, fits to the end. */
async function folderByName(projectName: string): Promise<string | null> {
  const { root } = parse(process.cwd());
  const ends: string[] = [];
  let looked = 0;
  const walk = async (folder: string, rest: string): Promise<void> => {
    if (rest === '') ends.push(folder);
    looked += 1;
    if (rest === '' || looked > maxFolders) return;
    for (const name of await namesIn(folder)) {
      const step = `-${dashed(name)}`;
      const fits = rest.startsWith(step) && (rest.length === step.length || rest[step.length] === '-');
      if (fits && (await isFolder(join(folder, name)))) await walk(join(folder, name), rest.slice(step.length));
    }
  };
  await walk(root, projectName);
  return ends.length === 1 ? (ends[0] ?? null) : null;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}
