import type { Db, Trx } from '#daemon/storage/sqlite.ts';

export type TakenFile = { readonly memoryId: number; readonly textHash: string };

/** What a file became, or null. */
export async function takenFile(db: Db, userId: number, path: string): Promise<TakenFile | null> {
  const row = await db
    .selectFrom('taken_files')
    .select(['memory_id', 'text_hash'])
    .where('user_id', '=', userId)
    .where('path', '=', path)
    .executeTakeFirst();
  return row === undefined ? null : { memoryId: row.memory_id, textHash: row.text_hash };
}

export async function keepTakenFile(
  trx: Trx,
  { userId, path, memoryId, textHash, nowMs }: TakenFile & { userId: number; path: string; nowMs: number },
): Promise<void> {
  const row = { memory_id: memoryId, text_hash: textHash, taken_at: nowMs };
  await trx
    .insertInto('taken_files')
    .values({ user_id: userId, path, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'path']).doUpdateSet(row))
    .execute();
}
