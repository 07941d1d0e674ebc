import type { PendingThing } from '#daemon/memories/index.ts';
import { revOf } from '#daemon/storage/searchables.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import { cutPieces } from './cut-pieces.ts';
import { filedAs } from './index-thing.ts';
import { columnsOf, type ThingKind, type ThingRow } from './kind.ts';
import { thingById } from './things.repository.ts';

/** How the background embedder reads the things of a kind: a thing by its id, or null once it is gone. */
export function pendingThing<R extends ThingRow, X>(
  database: Database,
  { table, kind, search }: ThingKind<R, X>,
): (id: number) => Promise<PendingThing | null> {
  return async (id) => {
    // the rev before the text: should it grow in between, its vectors are thrown away and not this text taken for the newer one
    const rev = await revOf(database.db, { kind, id });
    const row = await thingById<R>(database.db, { table }, null, id);
    if (rev === null || row === null || search === undefined) return null;
    const pieces = search.pieces(columnsOf(row));
    return {
      ...filedAs(kind, search.type, row, rev),
      text: pieces.map((piece) => piece.text).join('\n'),
      async cut(split) {
        const passages = await cutPieces(pieces, split);
        return {
          texts: passages.map((passage) => passage.text),
          keep: async (trx) => search.keepPassages?.(trx, id, passages),
        };
      },
    };
  };
}
