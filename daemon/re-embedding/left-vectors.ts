// Vectors of models that nothing needs any more. The set that was replaced last stays until the next run: going back is then a matter of
// seconds. Deleted a few rows at a time, because nobody may wait for it.
import { sql } from 'kysely';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import { deleteVectorRows, lastVectorRow } from '#daemon/storage/vectors/vector-rows.ts';

const rowsAtATime = 1_000;

/** Drops the vectors and marks of every model but `keep`; answers how many vectors went. */
export async function dropVectorsExcept(
  database: Database,
  keep: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let dropped = 0;
  let after = 0;
  for (;;) {
    const from = after;
    const until = await lastVectorRow(database.db);
    if (signal.aborted || from >= until) break;
    const part = { after: from, upTo: from + rowsAtATime, keep };
    dropped += await database.write(internalContext, (trx) => deleteVectorRows(trx, part));
    after += rowsAtATime;
    await new Promise((resolve) => setImmediate(resolve));
  }
  while (!signal.aborted && (await dropMarks(database, keep)) > 0)
    await new Promise((resolve) => setImmediate(resolve));
  return dropped;
}

function dropMarks(database: Database, keep: readonly string[]): Promise<number> {
  return database.write(internalContext, async (trx) => {
    const { numAffectedRows } = await sql`DELETE FROM reembedded WHERE (kind, thing_id) IN (
      SELECT kind, thing_id FROM reembedded WHERE model_id NOT IN (${sql.join(keep)}) LIMIT ${rowsAtATime}
    )`.execute(trx);
    return Number(numAffectedRows ?? 0);
  });
}
