import { describe, expect, it } from 'vitest';
import { dimensions, openIndex } from '../../support/open-vector-index.ts';
import {
  cosineOf,
  createVectorSource,
  eraseThing,
  rekeyThing,
  type scope,
  storeThings,
  type Thing,
  testModelId,
} from '../../support/vector-store.ts';

function bruteForce(things: readonly Thing[], query: Float32Array, limit: number) {
  return things
    .map(({ id, vectors }) => ({ id, similarity: Math.max(...vectors.map((vector) => cosineOf(query, vector))) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, limit);
}

describe.each([
  { mode: 'exact', exactLimit: 100_000 },
  { mode: 'LanceDB', exactLimit: 0 },
])('the vector index ($mode)', ({ exactLimit }) => {
  it('answers what comparing with every vector answers, with the same cosines', async () => {
    const { save, settle, nearest } = await openIndex({ exactLimit });
    const next = createVectorSource(dimensions);
    const things = Array.from({ length: 600 }, (_, at): Thing => ({ id: at + 1, vectors: [next()] }));
    await save(...things);
    await settle();
    for (let round = 0; round < 5; round += 1) {
      const query = next();
      const { hits, noise } = await nearest(query, {}, 20);
      const wanted = bruteForce(things, query, 20);
      expect(hits.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
      hits.forEach((hit, at) => {
        expect(hit.similarity).toBeCloseTo(wanted[at]?.similarity ?? 9, 5);
      });
      const all = things.map(({ vectors }) => cosineOf(query, vectors[0] as Float32Array));
      const mean = all.reduce((sum, cosine) => sum + cosine, 0) / all.length;
      expect(noise.rows).toBeGreaterThan(200);
      expect(Math.abs(noise.mean - mean)).toBeLessThan(0.06);
      expect(noise.deviation).toBeGreaterThan(0.05);
    }
  });

  it('finds a thing by its best passage, and names each thing once', async () => {
    const { save, settle, nearest } = await openIndex({ exactLimit });
    const next = createVectorSource(dimensions);
    const passages = Array.from({ length: 60 }, next);
    const things: Thing[] = [
      { id: 1, vectors: passages },
      { id: 2, vectors: [next()] },
      { id: 3, vectors: [next(), next()] },
    ];
    await save(...things);
    await settle();
    const { hits } = await nearest(passages[41] as Float32Array, {}, 3);
    expect(hits.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect(hits[0]).toMatchObject({ id: 1, passage: 41 });
    expect(hits[0]?.similarity).toBeCloseTo(1, 5);
  });

  it('B07 a project of 3 things among 1,500 nearer ones is found whole', async () => {
    const { save, settle, ids } = await openIndex({ exactLimit });
    const next = createVectorSource(dimensions);
    const query = next();
    const near = (share: number) => {
      const other = next();
      const mixed = query.map((value, at) => share * value + (1 - share) * (other[at] as number));
      const norm = Math.hypot(...mixed);
      return mixed.map((value) => value / norm);
    };
    const crowd = Array.from(
      { length: 1_500 },
      (_, at): Thing => ({ id: at + 10, projectIds: [1], vectors: [near(0.8)] }),
    );
    const rare = [1, 2, 3].map((id): Thing => ({ id, projectIds: [2, 7], vectors: [near(0.1)] }));
    await save(...crowd, ...rare);
    await settle();
    expect((await ids(query, { projectIds: [2] }, 5)).sort()).toEqual([1, 2, 3]);
    expect((await ids(query, { projectIds: [7, 99] }, 5)).sort()).toEqual([1, 2, 3]);
    expect(await ids(query, { projectIds: [1] }, 5)).toHaveLength(5);
  });

  it('B08 a project that does not exist holds nothing', async () => {
    const { save, settle, ids } = await openIndex({ exactLimit });
    const next = createVectorSource(dimensions);
    await save({ id: 1, projectIds: [1], vectors: [next()] }, { id: 2, vectors: [next()] });
    await settle();
    expect(await ids(next(), { projectIds: [404] })).toEqual([]);
    expect(await ids(next(), { projectIds: [] })).toEqual([2]);
  });

  it('filters by user, kind, status and type, and leaves out what is excluded', async () => {
    const { save, settle, ids } = await openIndex({ exactLimit });
    const next = createVectorSource(dimensions);
    await save(
      { id: 1, vectors: [next()] },
      { id: 2, userId: 2, vectors: [next()] },
      { id: 3, kind: 'document', vectors: [next()] },
      { id: 4, status: 'archived', vectors: [next()] },
      { id: 5, type: 'keyed_fact', vectors: [next()] },
      { id: 6, type: "it's; DROP TABLE", vectors: [next()] },
    );
    await settle();
    const query = next();
    const sorted = async (part: Parameters<typeof scope>[0]) => (await ids(query, part)).sort();
    expect(await sorted({})).toEqual([1, 5, 6]);
    expect(await sorted({ userId: 2 })).toEqual([2]);
    expect(await sorted({ kinds: ['memory', 'document'] })).toEqual([1, 3, 5, 6]);
    expect(await sorted({ statuses: ['archived'] })).toEqual([4]);
    expect(await sorted({ types: ['fact'] })).toEqual([1]);
    expect(await sorted({ types: ["it's; DROP TABLE"] })).toEqual([6]);
    expect(await sorted({ types: [] })).toEqual([]);
    expect(
      await sorted({
        exclude: [
          { kind: 'memory', id: 5 },
          { kind: 'document', id: 1 },
        ],
      }),
    ).toEqual([1, 6]);
  });

  it('sees a save, an update, a new status and an erasure in the very next search', async () => {
    const { database, index, save, settle, nearest, ids } = await openIndex({ exactLimit });
    const next = createVectorSource(dimensions);
    const [first, second] = [next(), next()];
    await save({ id: 1, vectors: [next()] }, { id: 2, vectors: [next()] });
    await settle();

    await save({ id: 3, vectors: [first] });
    expect((await nearest(first, {}, 1)).hits[0]).toMatchObject({ id: 3, rev: 1 });

    await save({ id: 3, rev: 2, vectors: [second] });
    const updated = (await nearest(second, {}, 1)).hits[0];
    expect(updated).toMatchObject({ id: 3, rev: 2 });
    expect(updated?.similarity).toBeCloseTo(1, 5);

    index.publish([await rekeyThing(database, { id: 3, rev: 3, status: 'archived', projectIds: [5] })]);
    expect(await ids(second)).not.toContain(3);
    expect(await ids(second, { statuses: ['archived'], projectIds: [5] })).toEqual([3]);

    index.publish([await eraseThing(database, { id: 3, rev: 4, status: 'archived' })]);
    expect(await ids(second, { statuses: ['active', 'archived'] })).not.toContain(3);

    await index.flush();
    expect((await ids(second, { statuses: ['active', 'archived'] })).sort()).toEqual([1, 2]);
    expect((await index.stats()).unflushed).toBe(0);
  });

  it('keeps the newer of two revs whatever order they are published in', async () => {
    const { database, index, save, settle, nearest } = await openIndex({ exactLimit });
    const next = createVectorSource(dimensions);
    await save({ id: 9, vectors: [next()] });
    await settle();
    const [older, newer] = [next(), next()];
    const changeOne = await storeThings(database, [{ id: 1, rev: 1, vectors: [older] }]);
    const changeTwo = await storeThings(database, [{ id: 1, rev: 2, vectors: [newer] }]);
    index.publish(changeTwo);
    index.publish(changeOne);
    const { hits } = await nearest(newer, {}, 1);
    expect(hits[0]).toMatchObject({ id: 1, rev: 2 });
    expect(hits[0]?.similarity).toBeCloseTo(1, 5);
  });

  it('ignores vectors of a model that is not asked for', async () => {
    const { save, settle, ids } = await openIndex({ exactLimit });
    const next = createVectorSource(dimensions);
    const vector = next();
    await save({ id: 1, vectors: [next()] });
    await settle();
    await save({ id: 2, modelId: 'another-model', vectors: [vector] });
    expect(await ids(vector)).toEqual([1]);
  });

  it('gives the cosines of named things, null for one without a vector', async () => {
    const { index, save } = await openIndex({ exactLimit });
    const next = createVectorSource(dimensions);
    const [query, other] = [next(), next()];
    await save({ id: 1, vectors: [other, query] }, { id: 2, vectors: [other] });
    const found = await index.cosines(query, testModelId, [
      { kind: 'memory', id: 2 },
      { kind: 'memory', id: 77 },
      { kind: 'memory', id: 1 },
    ]);
    expect(found[0]).toBeCloseTo(cosineOf(query, other), 5);
    expect(found[1]).toBeNull();
    expect(found[2]).toBeCloseTo(1, 5);
  });

  it('heals by reconciling what LanceDB lacks, holds in an old rev, or holds for nothing', async () => {
    const { database, index, save, settle, ids } = await openIndex({ exactLimit });
    const next = createVectorSource(dimensions);
    await save(...[1, 2, 3, 4].map((id): Thing => ({ id, vectors: [next()] })));
    await settle();
    await storeThings(database, [
      { id: 2, rev: 2, vectors: [next()] },
      { id: 5, vectors: [next()] },
    ]);
    await eraseThing(database, { id: 3, rev: 2 });
    await database.db.deleteFrom('outbox').execute();
    expect(await index.reconcile()).toEqual({ missing: 1, stale: 1, orphans: 1 });
    expect(await index.reconcile()).toEqual({ missing: 0, stale: 0, orphans: 0 });
    await index.optimise();
    if (exactLimit === 0) expect((await ids(next())).sort()).toEqual([1, 2, 4, 5]);
  });

  it('B60 50 parallel updates and 50 creates, compacted meanwhile, leave one row a thing with the last vector', async () => {
    const { index, save, settle, nearest } = await openIndex({ exactLimit });
    const next = createVectorSource(dimensions);
    await save({ id: 1, vectors: [next()] });
    await settle();
    const updates = Array.from({ length: 50 }, (_, at): Thing => ({ id: 1, rev: at + 2, vectors: [next()] }));
    const creates = Array.from({ length: 50 }, (_, at): Thing => ({ id: at + 100, vectors: [next()] }));
    const work = [...updates.map((thing) => save(thing)), ...creates.map((thing) => save(thing))];
    await Promise.all([...work, index.flush(), index.flush(), index.optimise()]);
    const more = Array.from({ length: 20 }, (_, at): Thing => ({ id: at + 100, rev: 2, vectors: [next()] }));
    await Promise.all([index.optimise(), ...more.map((thing) => save(thing)), index.flush(), index.optimise()]);
    await index.flush();
    expect(await index.reconcile()).toEqual({ missing: 0, stale: 0, orphans: 0 });
    expect(await index.stats()).toMatchObject({ rows: 51, unflushed: 0 });
    const last = updates.at(-1)?.vectors[0] as Float32Array;
    expect((await nearest(last, {}, 1)).hits[0]).toMatchObject({ id: 1, rev: 51 });
    expect((await nearest(last, {}, 200)).hits).toHaveLength(51);
    expect(index.state()).toEqual({ status: 'ok' });
  });
});
