// How far each transcript was read, and which statements were taken: a statement is taken once, also when its transcript was copied, or
// its memory erased since.

import type { Db, Trx } from '#daemon/storage/sqlite.ts';
import type { TranscriptPosition } from '#daemon/transcripts/transcript.ts';

const lifetimeMs = 400 * 24 * 60 * 60 * 1000;

export async function sweptPosition(db: Db, userId: number, path: string): Promise<TranscriptPosition | null> {
  const row = await db
    .selectFrom('swept_transcripts')
    .select(['head_hash', 'position', 'line'])
    .where('user_id', '=', userId)
    .where('path', '=', path)
    .executeTakeFirst();
  return row === undefined ? null : { headHash: row.head_hash, position: row.position, line: row.line };
}

export async function keepSweptPosition(
  trx: Trx,
  { userId, path, nowMs }: { userId: number; path: string; nowMs: number },
  { headHash, position, line }: TranscriptPosition,
): Promise<void> {
  const row = { head_hash: headHash, position, line, swept_at: nowMs };
  await trx
    .insertInto('swept_transcripts')
    .values({ user_id: userId, path, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'path']).doUpdateSet(row))
    .execute();
  await trx
    .deleteFrom('swept_transcripts')
    .where('swept_at', '<', nowMs - lifetimeMs)
    .execute();
  await trx
    .deleteFrom('swept_statements')
    .where('swept_at', '<', nowMs - lifetimeMs)
    .execute();
}

/** Those of the hashes that were taken before. */
export async function sweptStatements(db: Db, userId: number, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db
    .selectFrom('swept_statements')
    .select('hash')
    .where('user_id', '=', userId)
    .where('hash', 'in', [...hashes])
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}

export async function keepSweptStatement(trx: Trx, userId: number, hash: string, nowMs: number): Promise<void> {
  await trx
    .insertInto('swept_statements')
    .values({ user_id: userId, hash, swept_at: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
