import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import { createHeldVectors } from '#daemon/storage/vectors/held-vectors.ts';
import { atEnd } from '../../support/at-end.ts';
import { openTempDatabase } from '../../support/temp-database.ts';
import {
  createVectorSource,
  eraseThing,
  rekeyThing,
  scope,
  storeThings,
  type Thing,
  testModelId,
} from '../../support/vector-store.ts';

const dimensions = 16;
const next = createVectorSource(dimensions);

/** A database with `count` things and a read-only connection, as the reader thread has it. */
async function filled(count: number): Promise<{ database: Database; db: Sqlite.Database; things: Thing[] }> {
  const { database, file } = await openTempDatabase();
  const things = Array.from({ length: count }, (_, at): Thing => ({ id: at + 1, vectors: [next()] }));
  await storeThings(database, things);
  const db = new Sqlite(file, { readonly: true });
  atEnd(() => db.close());
  return { database, db, things };
}

describe('the vectors that the reader holds', () => {
  it('are loaded in slices, and what is published meanwhile wins over what was read', async () => {
    const { database, db } = await filled(3_500);
    const held = createHeldVectors(db);
    const loading = held.of(testModelId, dimensions, 'all');
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 0);
    const [first, late, erased] = [next(), next(), { id: 3, rev: 2 }];
    const changes: VectorChange[] = [
      ...(await storeThings(database, [
        { id: 1, rev: 2, vectors: [first] },
        { id: 3_499, rev: 2, vectors: [late] },
      ])),
      await eraseThing(database, erased),
    ];
    held.publish(changes);
    const vectors = await loading;
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(0);
    expect(vectors.rows()).toBe(3_499);
    expect(vectors.search(first, scope(), 1).hits[0]).toMatchObject({ id: 1, rev: 2 });
    expect(vectors.search(late, scope(), 1).hits[0]).toMatchObject({ id: 3_499, rev: 2 });
    expect(vectors.cosine(first, { kind: 'memory', id: 3 })).toBeNull();
  });

  it('are read from the database when new filter keys come for a thing that is not held', async () => {
    const { database, db, things } = await filled(3);
    await database.db.deleteFrom('outbox').execute();
    const held = createHeldVectors(db);
    const vectors = await held.of(testModelId, dimensions, 'fresh');
    expect(vectors.rows()).toBe(0);
    held.publish([await rekeyThing(database, { id: 2, rev: 2, status: 'archived' })]);
    const query = things[1]?.vectors[0] as Float32Array;
    expect(vectors.search(query, scope({ statuses: ['archived'] }), 5).hits).toMatchObject([{ id: 2, rev: 2 }]);
  });

  it('are what the outbox lists while LanceDB has the rest, tombstones too, until that rev is flushed', async () => {
    const { database, db } = await filled(4);
    await database.db.deleteFrom('outbox').execute();
    await storeThings(database, [{ id: 2, rev: 2, vectors: [next(), next()] }]);
    await eraseThing(database, { id: 4, rev: 2 });
    const held = createHeldVectors(db);
    const vectors = await held.of(testModelId, dimensions, 'fresh');
    expect(vectors.rows()).toBe(2);
    expect(vectors.revOf({ kind: 'memory', id: 4 })).toBe(2);
    expect(vectors.revOf({ kind: 'memory', id: 1 })).toBeNull();
    held.publish(await storeThings(database, [{ id: 2, rev: 3, vectors: [next()] }]));
    expect(held.forget(testModelId, [{ kind: 'memory', id: 2, rev: 2 }])).toBe(1);
    expect(
      held.forget(testModelId, [
        { kind: 'memory', id: 4, rev: 2 },
        { kind: 'memory', id: 2, rev: 3 },
      ]),
    ).toBe(0);
    expect(vectors.revOf({ kind: 'memory', id: 4 })).toBeNull();
  });

  it('are not those of a rev that the thing no longer has', async () => {
    const { database, db } = await filled(2);
    await database.db.updateTable('searchables').set({ rev: 9 }).where('thing_id', '=', 1).execute();
    const vectors = await createHeldVectors(db).of(testModelId, dimensions, 'all');
    expect(vectors.rows()).toBe(1);
  });

  it('are let go when another model has been asked for instead for a minute', async () => {
    const { database, db, things } = await filled(2);
    await storeThings(database, [{ id: 1, modelId: 'new-model', vectors: [next()] }]);
    let nowMs = 0;
    const held = createHeldVectors(db, () => nowMs);
    const old = await held.of(testModelId, dimensions, 'all');
    expect((await held.of('new-model', dimensions, 'all')).rows()).toBe(1);
    expect(await held.of(testModelId, dimensions, 'all')).toBe(old);
    nowMs = 61_000;
    await held.of('new-model', dimensions, 'all');
    const again = await held.of(testModelId, dimensions, 'all');
    expect(again).not.toBe(old);
    expect(again.search(things[0]?.vectors[0] as Float32Array, scope(), 1).hits).toHaveLength(1);
  });

  it('are asked for anew after a load that failed', async () => {
    const { db, database } = await filled(2);
    const held = createHeldVectors(db);
    await database.db.schema.alterTable('vectors').renameTo('vectors_away').execute();
    await expect(held.of(testModelId, dimensions, 'all')).rejects.toThrow('no such table');
    await database.db.schema.alterTable('vectors_away').renameTo('vectors').execute();
    expect((await held.of(testModelId, dimensions, 'all')).rows()).toBe(2);
  });
});
