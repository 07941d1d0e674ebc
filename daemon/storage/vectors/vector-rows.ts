// The table of vectors in the order of its rows, whatever they belong to: for work that goes through all of it, a part at a time.
import { sql } from 'kysely';
import type { Db, Trx } from '../sqlite.ts';

/** The number of the last row, or 0. */
export async function lastVectorRow(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`SELECT max(rowid) AS last FROM vectors`.execute(db);
  return rows[0]?.last ?? 0;
}

/** Deletes the vectors of other models than `keep` in the rows after one up to another; answers how many. */
export async function deleteVectorRows(
  trx: Trx,
  { after, upTo, keep }: { readonly after: number; readonly upTo: number; readonly keep: readonly string[] },
): Promise<number> {
  const { numAffectedRows } = await sql`DELETE FROM vectors WHERE rowid > ${after} AND rowid <= ${upTo}
    AND model_id NOT IN (${sql.join(keep)})`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
