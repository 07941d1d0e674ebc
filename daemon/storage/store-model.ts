// Which model the vectors of this store are of. Vectors of two models are never compared, so under another model the old texts
// are found by keyword alone; nobody would know why, if the store did not remember.
import { internalContext } from '#daemon/kernel/context.ts';
import type { Database } from './sqlite.ts';

const modelKey = 'embedding.model';

/** Remembers the model of a store without vectors; answers the id of the other model that a store's vectors are of, or null. */
export async function noteModel(database: Database, modelId: string): Promise<string | null> {
  const { db } = database;
  const known = await db.selectFrom('store_facts').select('value').where('key', '=', modelKey).executeTakeFirst();
  if (known?.value === modelId) return null;
  if (known !== undefined && (await db.selectFrom('vectors').select('rev').limit(1).executeTakeFirst()) !== undefined) {
    return known.value;
  }
  await database.write(internalContext, async (trx) => {
    await trx
      .insertInto('store_facts')
      .values({ key: modelKey, value: modelId })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: modelId }))
      .execute();
  });
  return null;
}
