import type { Db, Trx } from '#daemon/storage/sqlite.ts';

/** Stores the bytes of a file in place of those it had; null leaves them alone. */
export async function keepBytes(trx: Trx, fileId: number, bytes: Buffer | null): Promise<void> {
  if (bytes === null) return;
  await trx
    .insertInto('file_contents')
    .values({ file_id: fileId, bytes })
    .onConflict((conflict) => conflict.column('file_id').doUpdateSet({ bytes }))
    .execute();
}

/** The bytes of a file; none where it is gone. */
export async function bytesOf(db: Db, fileId: number): Promise<Buffer> {
  const row = await db.selectFrom('file_contents').select('bytes').where('file_id', '=', fileId).executeTakeFirst();
  return row?.bytes ?? Buffer.alloc(0);
}
