// Which model the vectors of this store are of. Vectors of two models are never compared, so the store remembers the one that is
// searched with, how it was chosen, and the one that everything is being embedded with anew.
import { sql } from 'kysely';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Database, Db, Queries, Trx } from '../sqlite.ts';

const activeKey = 'embedding.model';
const sourceKey = 'embedding.source';
const wishKey = 'embedding.wish';
const runKey = 'embedding.run';

/** How a model is had again: what the settings or `loci re-embed` said. */
export type ModelChoice = {
  readonly provider: string;
  readonly model: string | null;
  readonly base_url: string | null;
};

export function isSameChoice(one: ModelChoice, other: ModelChoice): boolean {
  return one.provider === other.provider && one.model === other.model && one.base_url === other.base_url;
}

/** A choice that somebody made by hand; it holds as long as the settings say what they said then. */
export type ModelWish = { readonly choice: ModelChoice; readonly settings: ModelChoice };

/** Everything is being embedded with another model; or (`partial`) that model serves already, and what it lacks is being embedded. */
export type ModelRun = {
  readonly state: 'building' | 'partial' | 'failed';
  readonly from: string;
  readonly to: string;
  readonly choice: ModelChoice;
  readonly startedAtMs: number;
  /** Why it failed. */
  readonly why?: string;
};

/** The model whose vectors are searched; null in a store that never had one. */
export async function activeModel(db: Queries): Promise<string | null> {
  const row = await db.selectFrom('store_facts').select('value').where('key', '=', activeKey).executeTakeFirst();
  return row?.value ?? null;
}

export async function hasVectors(db: Db): Promise<boolean> {
  return (await db.selectFrom('vectors').select('rev').limit(1).executeTakeFirst()) !== undefined;
}

export async function writeActiveModel(trx: Trx, modelId: string, source: ModelChoice): Promise<void> {
  await writeFact(trx, activeKey, modelId);
  await writeFact(trx, sourceKey, JSON.stringify(source));
}

export const readSource = (db: Db): Promise<ModelChoice | null> => readFact<ModelChoice>(db, sourceKey);
export const readWish = (db: Db): Promise<ModelWish | null> => readFact<ModelWish>(db, wishKey);
export const readRun = (db: Db): Promise<ModelRun | null> => readFact<ModelRun>(db, runKey);

export async function writeWish(trx: Trx, wish: ModelWish | null): Promise<void> {
  await writeFact(trx, wishKey, wish === null ? null : JSON.stringify(wish));
}

export async function writeRun(trx: Trx, run: ModelRun | null): Promise<void> {
  await writeFact(trx, runKey, run === null ? null : JSON.stringify(run));
}

/**
 * Makes a model the active one at once, whatever it lacks: for a store whose former model cannot be had any more. What has no vector of
 * it becomes pending; vectors of it from an earlier time count.
 */
export async function adoptModel(
  database: Database,
  { modelId, source, run }: { readonly modelId: string; readonly source: ModelChoice; readonly run: ModelRun | null },
): Promise<void> {
  await database.write(internalContext, async (trx) => {
    await writeActiveModel(trx, modelId, source);
    await writeRun(trx, run);
    await sql`UPDATE searchables SET embedded = (
      SELECT count(*) >= max(searchables.passages, 1) FROM vectors v WHERE v.kind = searchables.kind
        AND v.thing_id = searchables.thing_id AND v.model_id = ${modelId} AND v.rev = searchables.rev
    ), passages = max(passages, 1)`.execute(trx);
  });
}

/** The one switch from one set of vectors to another: done only where no thing lacks its vectors of the new model; answers whether it was. */
export async function switchModel(
  database: Database,
  { modelId, source }: { readonly modelId: string; readonly source: ModelChoice },
): Promise<boolean> {
  return database.write(internalContext, async (trx) => {
    const left = await sql<{ id: number }>`SELECT s.id FROM searchables s
      LEFT JOIN reembedded r ON r.kind = s.kind AND r.thing_id = s.thing_id AND r.rev = s.rev AND r.model_id = ${modelId}
      WHERE r.rev IS NULL LIMIT 1`.execute(trx);
    if (left.rows.length > 0) return false;
    await writeActiveModel(trx, modelId, source);
    await writeRun(trx, null);
    await sql`UPDATE searchables SET embedded = 1, passages = max(passages, 1) WHERE embedded = 0 AND EXISTS (
      SELECT 1 FROM reembedded r WHERE r.kind = searchables.kind AND r.thing_id = searchables.thing_id
        AND r.model_id = ${modelId} AND r.outcome = 'embedded'
    )`.execute(trx);
    await sql`UPDATE searchables SET embedded = 0, passages = 0 WHERE (kind, thing_id) IN (
      SELECT kind, thing_id FROM reembedded WHERE model_id = ${modelId} AND outcome = 'directionless'
    )`.execute(trx);
    return true;
  });
}

async function readFact<T>(db: Db, key: string): Promise<T | null> {
  const row = await db.selectFrom('store_facts').select('value').where('key', '=', key).executeTakeFirst();
  return row === undefined ? null : (JSON.parse(row.value) as T);
}

async function writeFact(trx: Trx, key: string, value: string | null): Promise<void> {
  if (value === null) await trx.deleteFrom('store_facts').where('key', '=', key).execute();
  else {
    await trx
      .insertInto('store_facts')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  }
}
