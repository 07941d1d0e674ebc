import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { internalContext } from '#daemon/kernel/context.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createReader } from '#daemon/storage/create-reader.ts';
import type { Reader } from '#daemon/storage/reader.ts';
import { atEnd } from '../../support/at-end.ts';
import { openTempDatabase } from '../../support/temp-database.ts';
import { createVectorSource, scope, storeThings, type Thing, testModelId } from '../../support/vector-store.ts';

const dimensions = 32;
const next = createVectorSource(dimensions);

/** `deaf` threads, which never answer, come before the first real one. */
async function openReader({ deaf = 0 } = {}) {
  const { database, file } = await openTempDatabase();
  const workers: Worker[] = [];
  const reader = createReader({
    source: { file },
    logger: silentLogger,
    startWorker(program, options) {
      const isDeaf = workers.length < deaf;
      const worker = isDeaf ? new Worker('setInterval(() => {}, 1000)', { eval: true }) : new Worker(program, options);
      workers.push(worker);
      return worker;
    },
  });
  atEnd(() => reader.close());
  return { database, reader, workers, file };
}

function nearest(reader: Reader, vector: Float32Array) {
  return reader.ask('vectorCandidates', { vector, modelId: testModelId, filter: scope(), limit: 3 });
}

describe('the reader thread', () => {
  it('is not started before it is asked, whatever is published', async () => {
    const { database, reader, workers } = await openReader();
    reader.publish(await storeThings(database, [{ id: 1, vectors: [next()] }]));
    expect(workers).toHaveLength(0);
    expect((await nearest(reader, next())).held).toBe(1);
    expect(workers).toHaveLength(1);
  });

  it('sees every commit that came before a question', async () => {
    const { database, reader } = await openReader();
    for (let id = 1; id <= 200; id += 1) {
      const vector = next();
      reader.publish(await storeThings(database, [{ id, vectors: [vector] }]));
      const [byVector, byCount] = await Promise.all([
        nearest(reader, vector),
        reader.ask('countVectors', { modelId: testModelId }),
      ]);
      expect(byVector.hits[0]).toMatchObject({ id });
      expect(byCount.rows).toBe(id);
    }
  });

  it('answers other questions while it loads vectors', async () => {
    const { database, reader } = await openReader();
    const things = Array.from({ length: 6_000 }, (_, at): Thing => ({ id: at + 1, vectors: [next()] }));
    await storeThings(database, things);
    const order: string[] = [];
    await reader.ask('countVectors', { modelId: testModelId });
    await Promise.all([
      nearest(reader, next()).then(() => order.push('vectors')),
      reader.ask('cosines', { vector: next(), modelId: testModelId, things: [] }).then(() => order.push('cosines')),
    ]);
    expect(order).toEqual(['cosines', 'vectors']);
  });

  it('is started again when it dies, answers what was asked, and holds what was published to the dead one', async () => {
    const { database, reader, workers } = await openReader();
    await storeThings(database, [{ id: 1, vectors: [next()] }]);
    await nearest(reader, next());
    const vector = next();
    for (let death = 0; death < 3; death += 1) {
      reader.publish(await storeThings(database, [{ id: 10 + death, vectors: [vector] }]));
      const questions = Promise.all(Array.from({ length: 5 }, () => nearest(reader, vector)));
      await workers.at(-1)?.terminate();
      for (const { held, hits } of await questions) {
        expect(held).toBe(2 + death);
        expect(hits).toHaveLength(Math.min(3, 2 + death));
      }
    }
    expect(workers).toHaveLength(4);
  });

  it('refuses a question under which it died twice, and serves the next one', async () => {
    const { reader, workers } = await openReader({ deaf: 2 });
    const question = reader.ask('countVectors', { modelId: testModelId });
    const refused = expect(question).rejects.toMatchObject({ code: 'unavailable' });
    await workers[0]?.terminate();
    await workers[1]?.terminate();
    await refused;
    expect(await reader.ask('countVectors', { modelId: testModelId })).toMatchObject({ rows: 0 });
  });

  it('cannot write', async () => {
    const { database, reader } = await openReader();
    await reader.ask('countVectors', { modelId: testModelId });
    await database.write(internalContext, (trx) => trx.schema.dropTable('outbox').execute());
    const question = reader.ask('countVectors', { modelId: testModelId });
    await expect(question).rejects.toThrow('the reader failed at countVectors');
    await expect(question).rejects.not.toHaveProperty('details');
  });

  it('refuses questions once it is closed, those under way too', async () => {
    const { reader } = await openReader();
    const question = reader.ask('countVectors', { modelId: testModelId });
    const refused = expect(question).rejects.toMatchObject({ code: 'unavailable' });
    await reader.close();
    await refused;
    await expect(nearest(reader, next())).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('brings the write-ahead log into the file while others write, and leaves it to be emptied', async () => {
    const { database, reader, file } = await openReader();
    await storeThings(
      database,
      Array.from({ length: 200 }, (_, at) => ({ id: at + 1, vectors: [next()] })),
    );
    const before = statSync(file).size;
    await database.write(internalContext, async (trx) => {
      await trx.deleteFrom('vectors').where('thing_id', '=', 1).execute();
      await reader.ask('foldLog', {}); // does not wait for the transaction
    });
    expect(statSync(file).size).toBeGreaterThan(before + 200 * dimensions * 4);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    expect(await database.checkpoint()).toBe(true);
    expect(statSync(`${file}-wal`).size).toBe(0);
    expect(await database.db.selectFrom('vectors').select('thing_id').execute()).toHaveLength(199);
  });
});
