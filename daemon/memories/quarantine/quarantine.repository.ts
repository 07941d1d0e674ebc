import type { Db, Queries, Trx } from '#daemon/storage/sqlite.ts';

export type Verdict = 'held' | 'released' | 'rejected';

export type Quarantined = {
  readonly memoryId: number;
  readonly contentHash: string;
  readonly reasons: readonly string[];
  readonly verdict: Verdict;
  readonly foundAtMs: number;
  readonly judgedAtMs: number | null;
};

type Row = {
  memory_id: number;
  content_hash: string;
  reasons: string;
  verdict: string;
  found_at: number;
  judged_at: number | null;
};

export async function quarantinedById(db: Queries, userId: number, memoryId: number): Promise<Quarantined | null> {
  const row = await db
    .selectFrom('quarantined_memories')
    .selectAll()
    .where('user_id', '=', userId)
    .where('memory_id', '=', memoryId)
    .executeTakeFirst();
  return row === undefined ? null : rowToQuarantined(row);
}

/** Newest first. */
export async function quarantinePage(
  db: Db,
  userId: number,
  { verdict, limit, offset }: { verdict: Verdict; limit: number; offset: number },
): Promise<{ rows: Quarantined[]; total: number }> {
  const wanted = db.selectFrom('quarantined_memories').where('user_id', '=', userId).where('verdict', '=', verdict);
  const rows = await wanted.selectAll().orderBy('memory_id', 'desc').limit(limit).offset(offset).execute();
  const { total } = await wanted.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows: rows.map(rowToQuarantined), total };
}

export async function keepQuarantined(
  trx: Trx,
  userId: number,
  { memoryId, contentHash, reasons, verdict, foundAtMs, judgedAtMs }: Quarantined,
): Promise<void> {
  const row = {
    user_id: userId,
    content_hash: contentHash,
    reasons: JSON.stringify(reasons),
    verdict,
    found_at: foundAtMs,
    judged_at: judgedAtMs,
  };
  await trx
    .insertInto('quarantined_memories')
    .values({ memory_id: memoryId, ...row })
    .onConflict((conflict) => conflict.column('memory_id').doUpdateSet(row))
    .execute();
}

export async function dropQuarantined(trx: Trx, memoryId: number): Promise<void> {
  await trx.deleteFrom('quarantined_memories').where('memory_id', '=', memoryId).execute();
}

/** Of the given memories those that may reach a context by themselves: written by a person or an agent, and not held back. */
export async function injectableOf(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('memories')
    .leftJoin('quarantined_memories as held', 'held.memory_id', 'memories.id')
    .select('memories.id')
    .where('memories.id', 'in', [...ids])
    .where('memories.provenance_class', 'in', ['user', 'agent'])
    .where((where) => where.or([where('held.verdict', 'is', null), where('held.verdict', '=', 'released')]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function rowToQuarantined(row: Row): Quarantined {
  return {
    memoryId: row.memory_id,
    contentHash: row.content_hash,
    reasons: JSON.parse(row.reasons) as string[],
    verdict: row.verdict as Verdict,
    foundAtMs: row.found_at,
    judgedAtMs: row.judged_at,
  };
}
