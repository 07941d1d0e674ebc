// Originals of the memory files that stubs stand for.
import type { Db, Trx } from '#daemon/storage/sqlite.ts';

export type CompressedFile = {
  readonly path: string;
  readonly memoryId: number;
  readonly original: Buffer;
  /** SHA-256 of the stub. */
  readonly stubHash: string;
};

/** Keeps an original; a later one of the same path takes its place. */
export async function keepOriginal(
  trx: Trx,
  file: CompressedFile & { readonly userId: number; readonly nowMs: number },
): Promise<void> {
  const row = {
    user_id: file.userId,
    memory_id: file.memoryId,
    original: file.original,
    stub_hash: file.stubHash,
    compressed_at: file.nowMs,
  };
  await trx
    .insertInto('compressed_files')
    .values({ path: file.path, ...row })
    .onConflict((conflict) => conflict.column('path').doUpdateSet(row))
    .execute();
}

export async function dropOriginal(trx: Trx, path: string): Promise<void> {
  await trx.deleteFrom('compressed_files').where('path', '=', path).execute();
}

/** Paths of a user's kept originals, in order. */
export async function compressedPaths(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('compressed_files')
    .select('path')
    .where('user_id', '=', userId)
    .orderBy('path')
    .execute();
  return rows.map((row) => row.path);
}

export async function compressedFile(db: Db, userId: number, path: string): Promise<CompressedFile | null> {
  const row = await db
    .selectFrom('compressed_files')
    .selectAll()
    .where('user_id', '=', userId)
    .where('path', '=', path)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { path: row.path, memoryId: row.memory_id, original: row.original, stubHash: row.stub_hash };
}
