// Driver errors are translated once, here, by their code: what a caller can act on becomes a `LociError`, the rest stays as it is
// and is logged whole at the edge as `internal`.
import { LociError } from '#shared/errors.ts';

/** SQLite result codes (https://www.sqlite.org/rescode.html) to the sentence that says what to do. */
const causes: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'The disk is full: nothing was changed. Free some space and try again.',
  SQLITE_READONLY: 'The data folder is read-only: nothing was changed. Make it writable and try again.',
  SQLITE_IOERR: 'The disk refused to read or write: nothing was changed. Check the disk and try again.',
  SQLITE_CANTOPEN: 'The database cannot be opened. Check that the data folder exists and is yours.',
  SQLITE_BUSY: 'The database is in use by another program: nothing was changed. Try again.',
  SQLITE_CORRUPT:
    'The database is damaged: `loci backup repair` makes it whole again from the newest backup and what can still be read.',
  SQLITE_NOTADB:
    'The database file is not a database: `loci backup repair` puts the newest backup in its place and keeps the file.',
};

/** The rooms look before they write; what is left is what another call removed in between. */
export const removedMeanwhile =
  'Something that this refers to was removed meanwhile: read it again and repeat the change.';

/** A `LociError` for a driver error that has a known cause; anything else unchanged. */
export function sqliteProblem(error: unknown): unknown {
  if (error instanceof LociError || !(error instanceof Error)) return error;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string') return error;
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new LociError('conflict', removedMeanwhile, {});
  const cause = Object.entries(causes).find(([name]) => code === name || code.startsWith(`${name}_`));
  return cause === undefined ? error : new LociError('unavailable', cause[1], { cause: cause[0].toLowerCase() });
}
