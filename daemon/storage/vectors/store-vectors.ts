// Vectors in SQLite, the copy that everything else is built from. They are embedded outside the transaction, so each write compares the
// thing's rev: a vector of an older text finds that its rev is gone and is thrown away.

import { revOf } from '../searchables.ts';
import type { Db, Queries, Trx } from '../sqlite.ts';
import type { ReembeddedTable } from '../tables/searchables.ts';
import { activeModel } from './store-model.ts';
import { blobToVector, vectorToBlob } from './vector-blob.ts';

/**
 * The number of passages of a text for which the model gave zeros. It stays marked as not embedded, so that another model or another
 * start tries it again, but nothing waits for it: the same model would give the same zeros at each turn.
 */
export const noDirection = 0;

export type VectorWrite = {
  readonly kind: string;
  readonly id: number;
  /** The rev of the text that was embedded. */
  readonly rev: number;
  readonly modelId: string;
  /** Some or all passages; those of the same rev that are not named stay. */
  readonly passages: readonly { readonly passage: number; readonly vector: Float32Array }[];
  /** Whether every passage of this rev has its vector now; default true. */
  readonly complete?: boolean;
};

/** Stores vectors if the thing is still at `rev`; answers whether it was. Needs its row in `searchables`. `enqueue` goes with it. */
export async function writeVectors(trx: Trx, write: VectorWrite): Promise<boolean> {
  const { kind, id, rev, modelId, passages, complete = true } = write;
  const blobs = passages.map(({ passage, vector }) => ({ passage, blob: vectorToBlob(vector) }));
  // embedded while another model took over: kept, but what is searched now still lacks this text
  const isActive = [null, modelId].includes(await activeModel(trx));
  const { numUpdatedRows } = await trx
    .updateTable('searchables')
    .set({ embedded: complete && isActive ? 1 : 0 })
    .where('kind', '=', kind)
    .where('thing_id', '=', id)
    .where('rev', '=', rev)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await putVectors(trx, { kind, id, rev, modelId }, blobs);
  return true;
}

type VectorOwner = Pick<VectorWrite, 'kind' | 'id' | 'rev' | 'modelId'>;

async function putVectors(
  trx: Trx,
  { kind, id, rev, modelId }: VectorOwner,
  blobs: readonly { readonly passage: number; readonly blob: Buffer }[],
): Promise<void> {
  await trx
    .deleteFrom('vectors')
    .where('kind', '=', kind)
    .where('thing_id', '=', id)
    .where('model_id', '=', modelId)
    .where('rev', '<>', rev)
    .execute();
  for (const { passage, blob } of blobs) {
    await trx
      .insertInto('vectors')
      .values({ kind, thing_id: id, model_id: modelId, passage, rev, blob })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'thing_id', 'model_id', 'passage']).doUpdateSet({ rev, blob }),
      )
      .execute();
  }
}

/**
 * Stores vectors of a model that nothing is searched with yet, beside those of the active one. `outcome` marks the thing as done with;
 * without it more passages follow. False where the thing is not at this rev any more.
 */
export async function writeFutureVectors(
  trx: Trx,
  write: Omit<VectorWrite, 'complete'> & { readonly outcome?: ReembeddedTable['outcome'] | undefined },
): Promise<boolean> {
  const { kind, id, rev, modelId, passages, outcome } = write;
  const blobs = passages.map(({ passage, vector }) => ({ passage, blob: vectorToBlob(vector) }));
  if ((await revOf(trx, { kind, id })) !== rev) return false;
  await putVectors(trx, { kind, id, rev, modelId }, blobs);
  if (outcome === undefined) return true;
  await trx
    .insertInto('reembedded')
    .values({ kind, thing_id: id, model_id: modelId, rev, outcome })
    .onConflict((conflict) => conflict.columns(['kind', 'thing_id']).doUpdateSet({ model_id: modelId, rev, outcome }))
    .execute();
  return true;
}

/** Gives a thing's vectors its new rev, when the rev grew but not the text (status, projects, type). */
export async function carryVectors(
  trx: Trx,
  thing: { readonly kind: string; readonly id: number; readonly fromRev: number; readonly toRev: number },
): Promise<void> {
  await trx
    .updateTable('vectors')
    .set({ rev: thing.toRev })
    .where('kind', '=', thing.kind)
    .where('thing_id', '=', thing.id)
    .where('rev', '=', thing.fromRev)
    .execute();
  await trx
    .updateTable('reembedded')
    .set({ rev: thing.toRev })
    .where('kind', '=', thing.kind)
    .where('thing_id', '=', thing.id)
    .where('rev', '=', thing.fromRev)
    .execute();
}

/** Erases every vector of things, of every model. `enqueue` goes with it. */
export async function deleteVectors(trx: Trx, keys: readonly { kind: string; id: number }[]): Promise<void> {
  for (const { kind, id } of keys) {
    for (const table of ['vectors', 'reembedded'] as const) {
      await trx.deleteFrom(table).where('kind', '=', kind).where('thing_id', '=', id).execute();
    }
  }
}

/** Vectors of things under one model, the first passage of each; things without one are left out. */
export async function vectorsOf(
  db: Queries,
  kind: string,
  ids: readonly number[],
  modelId: string,
): Promise<Float32Array[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('vectors')
    .select('blob')
    .where('kind', '=', kind)
    .where('thing_id', 'in', ids)
    .where('model_id', '=', modelId)
    .where('passage', '=', 0)
    .execute();
  return rows.flatMap(({ blob }) => {
    const vector = blobToVector(blob, lengthOf(blob));
    return vector === null ? [] : [vector];
  });
}

/** The passages of a thing's present rev under one model, in order. */
export async function passagesOf(
  db: Queries,
  thing: { readonly kind: string; readonly id: number; readonly rev: number; readonly modelId: string },
): Promise<{ passage: number; vector: Float32Array }[]> {
  const rows = await db
    .selectFrom('vectors')
    .select(['passage', 'blob'])
    .where('kind', '=', thing.kind)
    .where('thing_id', '=', thing.id)
    .where('model_id', '=', thing.modelId)
    .where('rev', '=', thing.rev)
    .orderBy('passage')
    .execute();
  return rows.flatMap(({ passage, blob }) => {
    const vector = blobToVector(blob, lengthOf(blob));
    return vector === null ? [] : [{ passage, vector }];
  });
}

function lengthOf(blob: Uint8Array): number {
  return Math.floor(blob.byteLength / Float32Array.BYTES_PER_ELEMENT);
}

/** Things that wait for a vector, oldest row first, after a row id: what the background embedder works through. */
export async function pendingSearchables(
  db: Db,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ rowId: number; kind: string; id: number }[]> {
  const rows = await db
    .selectFrom('searchables')
    .select(['id', 'kind', 'thing_id'])
    .where('embedded', '=', 0)
    .where('passages', '<>', noDirection)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ rowId: row.id, kind: row.kind, id: row.thing_id }));
}

/** Marks a text that has just been found to have no direction; false where the text is another by now. */
export async function markDirectionless(trx: Trx, thing: { kind: string; id: number; rev: number }): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('searchables')
    .set({ passages: noDirection })
    .where('kind', '=', thing.kind)
    .where('thing_id', '=', thing.id)
    .where('rev', '=', thing.rev)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets texts without a direction be tried once more; for the start of the daemon. */
export async function retryDirectionless(trx: Trx): Promise<void> {
  await trx
    .updateTable('searchables')
    .set({ passages: 1 })
    .where('embedded', '=', 0)
    .where('passages', '=', noDirection)
    .execute();
}
