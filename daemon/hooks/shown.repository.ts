// What a session was shown: a memory is not told twice unless its text has changed. Ids and hashes, kept for two weeks.
import type { Db, Trx } from '#daemon/storage/sqlite.ts';

export type Shown = { readonly memoryId: number; readonly contentHash: string };

/** A session that says nothing for so long is over. */
export const shownLifetimeMs = 14 * 24 * 60 * 60 * 1000;

/** Content hashes by memory. */
export async function shownIn(db: Db, userId: number, session: string): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('shown_memories')
    .select(['memory_id', 'content_hash'])
    .where('user_id', '=', userId)
    .where('session', '=', session)
    .execute();
  return new Map(rows.map((row) => [row.memory_id, row.content_hash]));
}

export async function keepShown(
  trx: Trx,
  { userId, session, nowMs }: { userId: number; session: string; nowMs: number },
  shown: readonly Shown[],
): Promise<void> {
  for (const { memoryId, contentHash } of shown) {
    const row = { content_hash: contentHash, shown_at: nowMs };
    await trx
      .insertInto('shown_memories')
      .values({ user_id: userId, session, memory_id: memoryId, ...row })
      .onConflict((conflict) => conflict.columns(['user_id', 'session', 'memory_id']).doUpdateSet(row))
      .execute();
  }
  await trx
    .deleteFrom('shown_memories')
    .where('shown_at', '<', nowMs - shownLifetimeMs)
    .execute();
}

/** The session has lost its context: everything may be told again. */
export async function forgetShown(trx: Trx, userId: number, session: string): Promise<void> {
  await trx.deleteFrom('shown_memories').where('user_id', '=', userId).where('session', '=', session).execute();
}
