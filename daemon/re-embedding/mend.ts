// The present model once more, where there is no other to go to: what lacks a vector of it, or has one of the wrong length, is pending again,
// and so are texts for which it gave zeros.
import { sql } from 'kysely';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import { inSmallTransactions } from '#daemon/storage/in-small-transactions.ts';
import type { ThingKey } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { retryDirectionless } from '#daemon/storage/vectors/store-vectors.ts';
import type { ReEmbeddingDeps } from './deps.ts';

export async function mendVectors(deps: ReEmbeddingDeps, { modelId, dimensions }: Embedder): Promise<void> {
  const { database, reader, pending } = deps;
  for (let after: number | null = dimensions === 0 ? null : 0; after !== null; ) {
    const part: { things: readonly ThingKey[]; next: number | null } = await reader.ask('unfitVectors', {
      modelId,
      dimensions,
      after,
    });
    await inSmallTransactions(database, part.things, (trx, things) => dropVectors(trx, things, modelId));
    after = part.next;
  }
  await database.write(internalContext, async (trx) => {
    await retryDirectionless(trx);
    await markLacking(trx, modelId);
  });
  pending.wake();
}

/** What has no vector of a model as it stands is pending. */
export async function markLacking(trx: Trx, modelId: string): Promise<void> {
  await sql`UPDATE searchables SET embedded = 0 WHERE embedded = 1 AND NOT EXISTS (
    SELECT 1 FROM vectors v WHERE v.kind = searchables.kind AND v.thing_id = searchables.thing_id
      AND v.model_id = ${modelId} AND v.rev = searchables.rev
  )`.execute(trx);
}

async function dropVectors(trx: Trx, things: readonly ThingKey[], modelId: string): Promise<void> {
  for (const { kind, id } of things) {
    await trx
      .deleteFrom('vectors')
      .where('kind', '=', kind)
      .where('thing_id', '=', id)
      .where('model_id', '=', modelId)
      .execute();
  }
}
