import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { statistics } from '#daemon/storage/reader-queries/statistics.ts';
import { readerQueries } from '#daemon/storage/reader-queries.ts';
import type { NewMemoryRow } from '#daemon/storage/tables/memories.ts';
import { createHeldVectors } from '#daemon/storage/vectors/held-vectors.ts';
import { atEnd } from '../../support/at-end.ts';
import { createFakeClock, dayMs } from '../../support/fake-clock.ts';
import { openTempDatabase } from '../../support/temp-database.ts';

async function countsOf(memories: (Partial<NewMemoryRow> & { ageDays: number; accessedDaysAgo?: number })[]) {
  const { database, clock, file } = await openTempDatabase();
  const nowMs = clock.now();
  const db = new Sqlite(file, { readonly: true });
  atEnd(() => db.close());
  for (const [index, { ageDays, accessedDaysAgo, ...memory }] of memories.entries()) {
    const learnedMs = nowMs - ageDays * dayMs;
    await database.db
      .insertInto('memories')
      .values({
        uid: `memory-${index}`,
        user_id: 1,
        type: 'fact',
        content: 'text',
        content_hash: String(index),
        created_at: learnedMs,
        updated_at: learnedMs,
        occurred_at: learnedMs,
        last_accessed_at: accessedDaysAgo === undefined ? null : nowMs - accessedDaysAgo * dayMs,
        ...memory,
      })
      .execute();
  }
  return (argument: { userId?: number; projectId?: number | null; halfLifeDays?: number } = {}) =>
    statistics(
      db,
      { userId: 1, projectId: null, nowMs, halfLifeDays: 30, fadingBelow: 0.3, ...argument },
      { held: createHeldVectors(db), queries: readerQueries },
    ) as Awaited<ReturnType<typeof statistics>>;
}

describe('statistics', () => {
  it('count active memories of one user by type and tier', async () => {
    const count = await countsOf([
      { ageDays: 0 },
      { ageDays: 0, type: 'decision', tier: 'core', access_count: 4 },
      { ageDays: 0, type: 'decision', access_count: 3 },
      { ageDays: 0, status: 'archived', access_count: 100 },
      { ageDays: 0, user_id: 2 },
    ]);
    expect(count()).toMatchObject({
      byType: { decision: 2, fact: 1 },
      byTier: { regular: 2, core: 1 },
      accesses: 7,
    });
  });

  it('band ages by the decay of the contract: half-life 30 days, slower with confidence, since the last access', async () => {
    // confidence 0: decay = 0.5 ^ (days / 30). It is .7 after 15.4 days and .3 after 52.1
    const count = await countsOf([
      { ageDays: 15, confidence: 0 },
      { ageDays: 16, confidence: 0 },
      { ageDays: 52, confidence: 0 },
      { ageDays: 53, confidence: 0 },
      { ageDays: 500, accessedDaysAgo: 1, confidence: 0 },
      // confidence .5 halves the exponent: .3 after 104.2 days
      { ageDays: 104, confidence: 0.5 },
      { ageDays: 105, confidence: 0.5 },
      { ageDays: 5_000, confidence: 1 },
    ]);
    expect(count().ages).toEqual({ fresh: 3, aging: 3, fading: 2, fadingIn30Days: 2 });
    expect(count({ halfLifeDays: 3_000 }).ages).toMatchObject({ fresh: 8, fading: 0 });
  });

  it('count what is learned in the future as new', async () => {
    const count = await countsOf([{ ageDays: -40, confidence: 0 }]);
    expect(count().ages).toEqual({ fresh: 1, aging: 0, fading: 0, fadingIn30Days: 0 });
  });

  it('say what fades next, soonest first, and what was learned in each of the last twelve weeks', async () => {
    // confidence .5 fades below .3 after 104.2 days
    const count = await countsOf([
      { ageDays: 100, content: 'soon' },
      { ageDays: 103, content: 'sooner', title: 'Sooner' },
      { ageDays: 60 },
      { ageDays: 105 },
      { ageDays: 1, confidence: 1 },
      { ageDays: 2, status: 'archived' },
      { ageDays: 8 },
    ]);
    const { fadingNext, growth } = count();
    expect(fadingNext.map(({ id, title, content }) => [id, title, content])).toEqual([
      [2, 'Sooner', 'sooner'],
      [1, null, 'soon'],
    ]);
    const inDays = fadingNext.map(({ fadesAtMs }) => (fadesAtMs - createFakeClock().now()) / dayMs);
    expect(inDays[0]).toBeCloseTo(1.22, 1);
    expect(growth.map(({ saved }) => saved)).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2]);
    expect(growth.at(-1)?.fromMs).toBe(createFakeClock().now() - 7 * dayMs);
  });
});
