import { describe, expect, it } from 'vitest';
import { clean, fade, look, openFadingStore, save, unlike, withDatabase } from '../../support/fading-store.ts';
import { dayMs } from '../../support/fake-clock.ts';
import type { TestStore } from '../../support/test-store.ts';

const base = 'the nightly job copies every table into the warehouse and mails the team when something fails there';
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);

describe('clean-up', () => {
  it('archives what has expired, keyed facts too, and says why', async () => {
    const store = await openFadingStore();
    const gone = await save(store, unlike(1), { expires_days: 1 });
    const pinned = await save(store, unlike(2), { expires_days: 1, pinned: true });
    const core = await save(store, unlike(3), { expires_days: 1, provenance: 'human' });
    const fact = await store.call<{ id: number }>('memory', {
      action: 'save',
      category: 'technical',
      key: 'disk_free',
      value: '40 GB free',
      expires_days: 1,
    });
    await save(store, unlike(4), { expires_days: 2 });
    store.clock.advance(dayMs);
    const plan = await clean(store, { dry_run: true });
    expect(ids(plan.expired)).toEqual([gone, pinned, core, fact.id]);
    expect((await look(store, gone)).status).toBe('active');
    expect(await clean(store)).toEqual({ ...plan, dry_run: false });
    expect(await look(store, gone)).toMatchObject({ status: 'archived', obsolete_reason: 'expired' });
    expect(await clean(store)).toMatchObject({ expired: [], decayed: [], duplicates: [] });
  });

  it('archives what has faded below the setting, but no core, pinned or keyed memory', async () => {
    const store = await openFadingStore();
    const faded = await save(store, unlike(1));
    await save(store, unlike(2), { pinned: true });
    await save(store, unlike(3), { tier: 'core' });
    await store.call('memory', { action: 'save', category: 'profile', key: 'editor', value: 'uses Helix' });
    const read = await save(store, unlike(4));
    fade(store, 199);
    expect((await clean(store)).decayed).toEqual([]);
    await store.call('memory_get', { id: read });
    fade(store, 1);
    expect(ids((await clean(store)).decayed)).toEqual([faded]);
    expect(await look(store, faded)).toMatchObject({ status: 'archived', obsolete_reason: 'faded: not used for long' });
    await store.call('memory_update', { id: faded, status: 'active' });
    expect(await look(store, faded)).toMatchObject({ status: 'active', obsolete_reason: null });
  });

  it('archives of two that say the same the one with fewer accesses, with a pointer to the other', async () => {
    const store = await openFadingStore();
    const first = await save(store, base);
    const second = await save(store, base, { tags: ['x'] });
    await store.call('memory_get', { id: first });
    const { duplicates } = await clean(store);
    expect(duplicates).toMatchObject([{ id: second, kept: first }]);
    expect(await look(store, second)).toMatchObject({
      status: 'archived',
      superseded_by: first,
      obsolete_reason: `says the same as memory ${first}`,
    });
  });

  it('prefers the higher confidence, then the newer, and leaves one of three', async () => {
    const store = await openFadingStore();
    await save(store, base);
    await save(store, base, { tags: ['one'] });
    const sure = await save(store, base, { confidence: 0.7 });
    expect((await clean(store)).duplicates.map(({ kept }) => kept)).toEqual([sure, sure]);

    const other = await openFadingStore();
    const older = await save(other, base);
    other.clock.advance(1000);
    const newer = await save(other, base, { tags: ['two'] });
    expect((await clean(other)).duplicates).toMatchObject([{ id: older, kept: newer }]);
  });

  it.each([
    ['differ in a number', base, `${base} 3`, {}],
    ['are in two projects', base, base, { project: 'shop' }],
    ['are of two types', base, base, { type: 'decision' }],
    ['are two, one of them pinned', base, base, { pinned: true }],
    ['are two core memories', base, base, { tier: 'core' }],
  ])('leaves memories alone that %s', async (what, one, other, more) => {
    const store = await openFadingStore();
    await save(store, one, what.includes('core') ? more : {});
    await save(store, other, more);
    expect((await clean(store)).duplicates).toEqual([]);
  });

  it('B20 takes a time in the future for now: nothing is archived, and every factor is in its range', async () => {
    const store = await openFadingStore();
    const present = await save(store, `${base} here`);
    const future = await save(store, unlike(1));
    setCreated(store, future, store.clock.now() + 3_650 * dayMs);
    expect(await clean(store)).toMatchObject({ expired: [], decayed: [], duplicates: [] });
    await store.call('run_job', { name: 'consolidate' });
    for (const id of [present, future]) expect(await look(store, id)).toMatchObject({ status: 'active', decay: 1 });
    const { results } = await store.call<{ results: { explain: Record<string, number> }[] }>('memory_search', {
      query: unlike(1),
      explain: true,
    });
    expect(results[0]?.explain).toMatchObject({ decay: 1 });
  });

  it('B24 moves neither updated_at nor the order of what it leaves alone', async () => {
    const store = await openFadingStore();
    const id = await save(store, unlike(1));
    const before = await look(store, id);
    fade(store, 90);
    for (const name of ['consolidate', 'clean', 'reembed', 'flush_accesses', 'reconcile', 'prune']) {
      expect(await store.call('run_job', { name })).toMatchObject({ outcome: 'ok' });
    }
    expect(await look(store, id)).toEqual({ ...before, decay: expect.any(Number) });
  });

  it('B25 expires a fact exactly 24 hours later, whatever the zone and its clock change', async () => {
    const store = await openFadingStore();
    store.clock.set(Date.parse('2026-03-07T18:00:00-08:00'));
    await store.call('memory', { action: 'save', category: 'other', key: 'a', value: 'b c d', expires_days: 1 });
    store.clock.set(Date.parse('2026-03-08T18:59:59.999-07:00'));
    expect((await clean(store)).expired).toEqual([]);
    store.clock.set(Date.parse('2026-03-08T19:00:00-07:00'));
    expect((await clean(store)).expired).toHaveLength(1);
  });

  it('respects the half-life of the settings in decay, statistics and clean-up alike', async () => {
    const store = await openFadingStore({ env: { LOCI_DECAY_HALF_LIFE_DAYS: '10' } });
    const id = await save(store, unlike(1), { confidence: 0 });
    fade(store, 10);
    expect((await look(store, id)).decay).toBeCloseTo(0.5, 9);
    fade(store, 8);
    expect(await store.call('memory_stats')).toMatchObject({ decay: { fading: 1 } });
    fade(store, 16);
    expect(ids((await clean(store)).decayed)).toEqual([id]);
  });

  it('looks after every user in its job, and after the caller alone in its operation', async () => {
    const store = await openFadingStore();
    addUser(store, 2);
    const mine = await save(store, unlike(1), { expires_days: 1 });
    const theirs = await store.call<{ id: number }>(
      'memory_save',
      { content: unlike(2), expires_days: 1 },
      { userId: 2 },
    );
    fade(store, 2);
    expect(ids((await clean(store, { dry_run: true })).expired)).toEqual([mine]);
    expect(await store.call('run_job', { name: 'clean' })).toMatchObject({ counts: { expired: 2 } });
    expect(await store.call('memory_update', { id: theirs.id }, { userId: 2 })).toMatchObject({ status: 'archived' });
  });

  it('under an idempotency key answers the same again and does nothing twice', async () => {
    const store = await openFadingStore();
    await save(store, unlike(1), { expires_days: 1 });
    fade(store, 2);
    const input = { idempotency_key: 'clean-1' };
    const first = await clean(store, input);
    expect(first.expired).toHaveLength(1);
    await save(store, unlike(2), { expires_days: 1 });
    expect(await clean(store, input)).toEqual(first);
  });
});

describe('accesses', () => {
  it('counted before a clean stop are all in the store of the next start', async () => {
    const store = await openFadingStore();
    const id = await save(store, unlike(1));
    for (let read = 0; read < 250; read += 1) await store.call('memory_get', { id });
    await store.close();
    const again = await openFadingStore({ home: store.home, clock: store.clock });
    expect(await look(again, id)).toMatchObject({ access_count: 250 });
  });
});

function setCreated(store: TestStore, id: number, ms: number): void {
  withDatabase(store, (db) => db.prepare('UPDATE memories SET created_at = ? WHERE id = ?').run(ms, id));
}

function addUser(store: TestStore, id: number): void {
  withDatabase(store, (db) =>
    db.prepare('INSERT INTO users(id, uid, name, created_at) VALUES (?, ?, ?, 0)').run(id, `u${id}`, `user ${id}`),
  );
}
