// Exports under way, a few questions each: the thread answers searches between two pages. An export that nobody asks about any more
// (its reader stalled) would keep the write-ahead log from ever being folded in, so it is given up after a while.
import { LociError } from '#shared/errors.ts';
import type { ReaderQuery } from '../reader-query.ts';
import { type ExportCursor, openExportCursor } from '../records/export-cursor.ts';

const idleMs = 10 * 60_000;

type OpenExport = { readonly cursor: ExportCursor; timer: NodeJS.Timeout };

const exportsById = new Map<number, OpenExport>();
// begins anywhere, so that a question for an export of a thread that ended is not answered with lines of another one
let lastId = Math.floor(Math.random() * 2 ** 40);

export const exportOpen: ReaderQuery<'exportOpen'> = (db, scope) => {
  const cursor = openExportCursor(db, scope);
  lastId += 1;
  exportsById.set(lastId, { cursor, timer: giveUpLater(lastId) });
  return { cursor: lastId };
};

export const exportHead: ReaderQuery<'exportHead'> = (_db, { cursor }) => ({ head: found(cursor).count() });

export const exportNext: ReaderQuery<'exportNext'> = (_db, { cursor, maxBytes }) => ({
  lines: found(cursor).next(maxBytes),
});

export const exportClose: ReaderQuery<'exportClose'> = (_db, { cursor }) => {
  close(cursor);
  return null;
};

/** Throws `unavailable` for one that was given up, or that another thread had begun. */
function found(id: number): ExportCursor {
  const open = exportsById.get(id);
  if (open === undefined) throw new LociError('unavailable', 'The export was interrupted: begin it again.');
  clearTimeout(open.timer);
  open.timer = giveUpLater(id);
  return open.cursor;
}

function giveUpLater(id: number): NodeJS.Timeout {
  const timer = setTimeout(() => close(id), idleMs);
  timer.unref();
  return timer;
}

function close(id: number): void {
  const open = exportsById.get(id);
  if (open === undefined) return;
  clearTimeout(open.timer);
  exportsById.delete(id);
  open.cursor.close();
}
