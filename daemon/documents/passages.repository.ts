import type { Trx } from '#daemon/storage/sqlite.ts';
import type { Passage } from '#daemon/things/index.ts';

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
