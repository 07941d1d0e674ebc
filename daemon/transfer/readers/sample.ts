// A look at an upload before it is read, by which the readers know their own.
import { closeSync, openSync, readSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { isRecord } from '#daemon/kernel/is-record.ts';
import { LociError } from '#shared/errors.ts';
import { parseLine, readLines } from './lines.ts';
import type { Sample } from './reader.ts';

const headBytes = 64 * 1024;
const sampledFiles = 50;
const sqliteMark = 'SQLite format 3\0';

/** The first line of a folder that the client packed. */
export const folderMark = 'loci_folder';

/** Throws `invalid_input` for a database that cannot be opened. */
export function sampleOf(path: string): Sample {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(headBytes);
  const read = readSync(file, bytes, 0, headBytes, 0);
  closeSync(file);
  if (bytes.subarray(0, sqliteMark.length).toString('latin1') === sqliteMark)
    return { head: '', tables: tablesOf(path), files: null };
  const head = bytes.subarray(0, read).toString('utf8');
  const isFolder = head.startsWith(`{"${folderMark}"`);
  return { head, tables: null, files: isFolder ? [...firstFiles(path)] : null };
}

function tablesOf(path: string): string[] {
  try {
    const db = new Sqlite(path, { readonly: true });
    try {
      return db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
    } finally {
      db.close();
    }
  } catch {
    throw new LociError(
      'invalid_input',
      'The file is a SQLite database that cannot be read: it is damaged, or was copied while in use.',
    );
  }
}

function* firstFiles(path: string): Generator<{ path: string; text: string }> {
  let count = 0;
  for (const line of readLines(path)) {
    const parsed = parseLine(line);
    if ('problem' in parsed || !isRecord(parsed.value) || typeof parsed.value.path !== 'string') continue;
    yield { path: parsed.value.path, text: typeof parsed.value.text === 'string' ? parsed.value.text : '' };
    count += 1;
    if (count === sampledFiles) return;
  }
}
