// Which project the notes of an agent's memory folder belong to. Claude Code names such a folder after the project's path with dashes, which
// cannot be read backwards; the transcripts beside it say in which folder they were written, and the daemon knows the project of a folder.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Connection } from '#clients/connect/connection.ts';
import { memorySync } from '#shared/contract/overview.ts';

/** The name of the project of a note, or null. */
export type ProjectOf = (note: string) => Promise<string | null>;

const headBytes = 64 * 1024;
const maxTranscripts = 3;

/** Asks the daemon once for each memory folder; what cannot be found out is no project. */
export function createProjectOf(connection: () => Promise<Connection>): ProjectOf {
  const known = new Map<string, Promise<string | null>>();
  const ask = async (folder: string | null): Promise<string | null> => {
    if (folder === null) return null;
    try {
      const { project } = (await (await connection()).call(memorySync.name, {}, { folder })) as { project: unknown };
      return typeof project === 'string' ? project : null;
    } catch {
      return null;
    }
  };
  return async (note) => {
    const memory = dirname(note);
    if (basename(memory) !== 'memory') return null;
    const answer = known.get(memory) ?? ask(workingFolderBeside(dirname(memory)));
    known.set(memory, answer);
    return answer;
  };
}

/** The folder that the newest transcripts there name first. */
function workingFolderBeside(folder: string): string | null {
  try {
    const transcripts = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    for (const name of transcripts.sort().slice(-maxTranscripts)) {
      const cwd = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(headOf(join(folder, name)))?.[1];
      if (cwd !== undefined) return JSON.parse(cwd) as string;
    }
  } catch {
    // a folder that cannot be read names none
  }
  return null;
}

function headOf(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(headBytes);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, headBytes, 0));
  } finally {
    closeSync(descriptor);
  }
}
