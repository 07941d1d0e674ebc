import { describe, expect, it } from 'vitest';
import { internalContext } from '#daemon/kernel/context.ts';
import { clearEntries, enqueue, nextEntries } from '#daemon/storage/outbox.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import { deleteVectors, writeVectors } from '#daemon/storage/vectors/store-vectors.ts';
import { blobToVector, vectorToBlob } from '#daemon/storage/vectors/vector-blob.ts';
import { openTempDatabase } from '../../support/temp-database.ts';
import { createVectorSource, rekeyThing, storeThings, testModelId } from '../../support/vector-store.ts';

const next = createVectorSource(4);
const key = { kind: 'memory', id: 1 };

async function storedRows(database: Database) {
  const rows = await database.db.selectFrom('vectors').selectAll().orderBy('model_id').orderBy('passage').execute();
  return rows.map(({ model_id, passage, rev }) => ({ model_id, passage, rev }));
}

describe('vectors in the database', () => {
  it('come back bit by bit', () => {
    const vector = next();
    expect(blobToVector(vectorToBlob(vector, 4), 4)).toEqual(vector);
    expect(vectorToBlob(Float32Array.of(1, -2)).toString('hex')).toBe('0000803f000000c0');
  });

  it('are copied, so that the array they came from may be used again', () => {
    const whole = new Float32Array(8).fill(1);
    const blob = vectorToBlob(whole.subarray(2, 6), 4);
    whole.fill(7);
    expect(blobToVector(blob, 4)).toEqual(new Float32Array(4).fill(1));
  });

  it('are refused when their length is wrong or a number is not finite', () => {
    expect(() => vectorToBlob(new Float32Array(3), 4)).toThrow('wrong length');
    expect(() => vectorToBlob(new Float32Array(0))).toThrow('wrong length');
    expect(() => vectorToBlob(Float32Array.of(1, Number.NaN), 2)).toThrow('not finite');
    expect(blobToVector(Buffer.alloc(12), 4)).toBeNull();
    expect(blobToVector(Buffer.from(Float32Array.of(1, Number.POSITIVE_INFINITY).buffer), 2)).toBeNull();
  });

  it('of an older rev are thrown away and change nothing', async () => {
    const { database } = await openTempDatabase();
    await storeThings(database, [{ ...key, rev: 2, vectors: [next()] }]);
    const stored = await database.write(internalContext, (trx) =>
      writeVectors(trx, { ...key, rev: 1, modelId: testModelId, passages: [{ passage: 0, vector: next() }] }),
    );
    expect(stored).toBe(false);
    expect(await storedRows(database)).toEqual([{ model_id: testModelId, passage: 0, rev: 2 }]);
  });

  it('of a new rev replace all passages of the old one; further passages of the same rev join it', async () => {
    const { database } = await openTempDatabase();
    await storeThings(database, [{ ...key, vectors: [next(), next(), next()] }]);
    await storeThings(database, [{ ...key, modelId: 'another', vectors: [next()] }]);
    const write = (passage: number, complete: boolean) =>
      database.write(internalContext, async (trx) => {
        await trx.updateTable('searchables').set({ rev: 2 }).execute();
        const passages = [{ passage, vector: next() }];
        return writeVectors(trx, { ...key, rev: 2, modelId: testModelId, passages, complete });
      });
    await write(0, false);
    const embedded = () => database.db.selectFrom('searchables').select('embedded').executeTakeFirst();
    expect(await embedded()).toEqual({ embedded: 0 });
    await write(1, true);
    expect(await embedded()).toEqual({ embedded: 1 });
    expect(await storedRows(database)).toEqual([
      { model_id: 'another', passage: 0, rev: 1 },
      { model_id: testModelId, passage: 0, rev: 2 },
      { model_id: testModelId, passage: 1, rev: 2 },
    ]);
  });

  it('are carried to the next rev when the text stayed, and all erased with their thing', async () => {
    const { database } = await openTempDatabase();
    await storeThings(database, [{ ...key, vectors: [next(), next()] }]);
    await rekeyThing(database, { ...key, rev: 2, status: 'archived' });
    expect((await storedRows(database)).map(({ rev }) => rev)).toEqual([2, 2]);
    await database.write(internalContext, (trx) => deleteVectors(trx, [key]));
    expect(await storedRows(database)).toEqual([]);
  });
});

describe('the outbox', () => {
  it('has one row a thing, with the newest rev', async () => {
    const { database } = await openTempDatabase();
    const put = (rev: number) => database.write(internalContext, (trx) => enqueue(trx, [{ ...key, rev }], 5));
    await put(2);
    await put(1);
    await put(3);
    expect(await nextEntries(database.db, 10)).toEqual([{ ...key, rev: 3, enqueuedAtMs: 7 }]);
  });

  it('keeps what was put in again after it was read, even at the same rev and in the same millisecond', async () => {
    const { database } = await openTempDatabase();
    const put = () => database.write(internalContext, (trx) => enqueue(trx, [{ ...key, rev: 1 }], 5));
    await put();
    const read = await nextEntries(database.db, 10);
    await put();
    await database.write(internalContext, (trx) => clearEntries(trx, read));
    expect(await nextEntries(database.db, 10)).toHaveLength(1);
    const readAgain = await nextEntries(database.db, 10);
    await database.write(internalContext, (trx) => clearEntries(trx, readAgain));
    expect(await nextEntries(database.db, 10)).toEqual([]);
  });

  it('forgets what a failed transaction put in', async () => {
    const { database } = await openTempDatabase();
    const failed = database.write(internalContext, async (trx) => {
      await enqueue(trx, [{ ...key, rev: 1 }], 5);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await nextEntries(database.db, 10)).toEqual([]);
  });
});
