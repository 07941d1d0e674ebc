// What must be remembered about the LanceDB folder, kept in SQLite: which table is the whole one (a table that is still being built has no
// fact yet, so a crash leaves nothing half-built in use), and whether erased bytes still have to be got rid of.
import type { Db, Trx } from '../sqlite.ts';

export type VectorModel = { readonly modelId: string; readonly dimensions: number };

export type TableFact = VectorModel & { readonly table: string };

const tableKey = 'vectors.table';
const erasureKey = 'vectors.erase';
/** Of a team's table (postgres/shared-table-facts.ts). */
export const sharedTableKey = 'vectors.shared';

/** Keys of `store_facts` that speak of the LanceDB folder beside this database: a copy of it elsewhere has none. */
export const vectorTableFacts: readonly string[] = [tableKey, erasureKey, sharedTableKey];

/** The table in use, or null. */
export async function readTableFact(db: Db): Promise<TableFact | null> {
  const value = await readFact(db, tableKey);
  return value === null ? null : (JSON.parse(value) as TableFact);
}

export async function writeTableFact(trx: Trx, fact: TableFact | null): Promise<void> {
  if (fact === null) await trx.deleteFrom('store_facts').where('key', '=', tableKey).execute();
  else await writeFact(trx, tableKey, JSON.stringify(fact));
}

/** Remembers, in the transaction of a purge, that LanceDB still holds the bytes of what is erased. */
export async function markErasure(trx: Trx): Promise<void> {
  await writeFact(trx, erasureKey, '1');
}

export async function isErasureMarked(db: Db): Promise<boolean> {
  return (await readFact(db, erasureKey)) !== null;
}

export async function clearErasure(trx: Trx): Promise<void> {
  await trx.deleteFrom('store_facts').where('key', '=', erasureKey).execute();
}

async function readFact(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom('store_facts').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

async function writeFact(trx: Trx, key: string, value: string): Promise<void> {
  await trx
    .insertInto('store_facts')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
