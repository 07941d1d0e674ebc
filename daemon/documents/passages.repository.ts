import type { Db, Trx } from '#daemon/storage/sqlite.ts';
import type { Passage } from '#daemon/things/index.ts';

/** Where a passage of a document stands; offsets are UTF-16 units of its content. */
export type Place = {
  readonly documentId: number;
  readonly passage: number;
  readonly startAt: number;
  readonly endAt: number;
  /** Outermost first. */
  readonly headings: readonly string[];
};

/** Rows of one statement. */
const rowsAtOnce = 500;

/** Keeps where the passages of a document stand, in place of all that was kept of it. */
export async function keepPassages(trx: Trx, documentId: number, passages: readonly Passage[]): Promise<void> {
  await trx.deleteFrom('document_passages').where('document_id', '=', documentId).execute();
  const rows = passages.map(({ startAt, endAt, headings }, passage) => ({
    document_id: documentId,
    passage,
    start_at: startAt,
    end_at: endAt,
    headings: JSON.stringify(headings),
  }));
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    await trx
      .insertInto('document_passages')
      .values(rows.slice(first, first + rowsAtOnce))
      .execute();
  }
}

/** Where the passages of some documents stand that a search has found; absent where the text has changed since. */
export async function placesOf(
  db: Db | Trx,
  found: readonly { readonly documentId: number; readonly passage: number }[],
): Promise<Place[]> {
  if (found.length === 0) return [];
  const rows = await db
    .selectFrom('document_passages')
    .selectAll()
    .where(({ eb, or, and }) =>
      or(
        found.map(({ documentId, passage }) => and([eb('document_id', '=', documentId), eb('passage', '=', passage)])),
      ),
    )
    .execute();
  return rows.map((row) => ({
    documentId: row.document_id,
    passage: row.passage,
    startAt: row.start_at,
    endAt: row.end_at,
    headings: JSON.parse(row.headings) as string[],
  }));
}
