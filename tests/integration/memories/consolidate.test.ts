import { describe, expect, it } from 'vitest';
import {
  consolidate,
  fade,
  link,
  look,
  openFadingStore,
  save,
  unlike,
  withDatabase,
} from '../../support/fading-store.ts';
import type { TestStore } from '../../support/test-store.ts';

const base = 'the payments team deploys every service through the argo pipeline after review on tuesday mornings';

const idsFor = async (store: TestStore, query: string, more: object = {}) =>
  (await store.call<{ results: { id: number }[] }>('memory_search', { query, depth: 1, ...more })).results.map(
    ({ id }) => id,
  );

describe('consolidation', () => {
  it('B21 unites two faded memories without losing what only one of them had; a dry run shows it and changes nothing', async () => {
    const store = await openFadingStore();
    const first = await save(store, `${base}.`, {
      tags: ['a'],
      metadata: { verified: true },
      project: 'shop',
      importance: 3,
      concepts: ['ci'],
    });
    const second = await save(store, `${base} always.`, {
      tags: ['b'],
      project: 'shop',
      importance: 9,
      files: ['a.ts'],
    });
    for (let read = 0; read < 4; read += 1) await store.call('memory_get', { id: first });
    fade(store);

    const plan = await consolidate(store, { dry_run: true });
    expect(plan).toMatchObject({
      clusters: 1,
      created: [{ id: null, from: [first, second], by: 'merge' }],
      archived: [{ id: first }, { id: second }],
    });
    expect(await look(store, first)).toMatchObject({ status: 'active', history: 0 });

    const done = await consolidate(store);
    const id = done.created[0]?.id as number;
    expect(done.archived).toMatchObject([
      { id: first, superseded_by: id },
      { id: second, superseded_by: id },
    ]);
    expect(await look(store, id)).toMatchObject({
      status: 'active',
      content: `${base}.\n${base} always.`,
      tags: ['a', 'b'],
      concepts: ['ci'],
      files: ['a.ts'],
      metadata: { verified: true },
      importance: 9,
      access_count: 4,
      project: 'shop',
      supersedes: [first, second],
      decay: 1,
    });
    for (const original of [first, second]) {
      expect(await look(store, original)).toMatchObject({
        status: 'archived',
        superseded_by: id,
        obsolete_reason: `united into memory ${id}`,
        history: 1,
      });
    }
    expect(await idsFor(store, 'argo pipeline')).toEqual([id]);
    expect(await store.call('memory_history', { id: first })).toMatchObject({
      versions: [{ action: 'current' }, { action: 'consolidated', content: `${base}.` }],
    });
  });

  it('repeated changes nothing', async () => {
    const store = await openFadingStore();
    for (const end of ['', ' always', ' often']) await save(store, base + end);
    fade(store);
    expect((await consolidate(store)).clusters).toBe(1);
    expect(await consolidate(store)).toMatchObject({ clusters: 0, created: [], archived: [] });
  });

  it('keeps every sentence that differs in a number or a "not"', async () => {
    const store = await openFadingStore();
    const texts = [`${base} on port 8080.`, `${base} on port 8081.`, `${base} but not on port 8080.`];
    for (const text of texts) await save(store, text);
    fade(store);
    const { created } = await consolidate(store);
    expect((await look(store, created[0]?.id as number)).content).toBe(texts.join('\n'));
  });

  it('never crosses users, projects or types, and takes no pinned memory, keyed fact or fresh one', async () => {
    const store = await openFadingStore();
    await save(store, base, { project: 'shop' });
    await save(store, base, { project: 'blog' });
    await save(store, base, { project: 'shop', type: 'decision' });
    await save(store, base, { pinned: true, project: 'shop' });
    for (const key of ['one', 'two']) {
      await store.call('memory', { action: 'save', category: 'technical', key, value: base });
    }
    fade(store);
    await save(store, `${base} today`, { project: 'shop' });
    expect((await consolidate(store)).clusters).toBe(0);
  });

  it('leaves fewer candidates than the setting alone, and counts them', async () => {
    const store = await openFadingStore({ env: { LOCI_CONSOLIDATE_MIN_CANDIDATES: '10' } });
    for (const end of ['', ' always', ' often']) await save(store, base + end);
    for (let number = 0; number < 6; number += 1) await save(store, unlike(number));
    fade(store);
    expect(await consolidate(store)).toMatchObject({ clusters: 0, candidates: 9 });
    await save(store, 'a tenth that is fresh');
    expect(await consolidate(store)).toMatchObject({ clusters: 0, candidates: 9 });
  });

  it('unites within the named project alone, and refuses an unknown one', async () => {
    const store = await openFadingStore();
    for (const project of ['shop', 'blog']) {
      await save(store, base, { project });
      await save(store, `${base} always`, { project });
    }
    fade(store);
    expect((await consolidate(store, { project: 'blog' })).clusters).toBe(1);
    await expect(consolidate(store, { project: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await consolidate(store)).clusters).toBe(1);
  });

  it('leaves a memory that was read since, even if the counters were not written yet', async () => {
    const store = await openFadingStore();
    const first = await save(store, base);
    await save(store, `${base} always`);
    fade(store);
    await store.call('memory_get', { id: first });
    expect((await consolidate(store)).clusters).toBe(0);
  });

  it('B21 carries links to memories and to other things over to the united memory', async () => {
    const store = await openFadingStore();
    const first = await save(store, base);
    const second = await save(store, `${base} always`);
    const other = await save(store, unlike(1), { pinned: true });
    link(store, first, other);
    link(store, first, second);
    attachDocument(store, second, 77);
    fade(store);
    const { created } = await consolidate(store);
    const id = created[0]?.id as number;
    expect(await look(store, id)).toMatchObject({ links: [other] });
    expect(documentsOf(store, id)).toEqual([77]);
    expect(documentsOf(store, second)).toEqual([77]);
  });

  it('divides what does not fit into one memory', async () => {
    const store = await openFadingStore();
    const filler = (name: string) => `${base}. ${`${name} `.repeat(2)}${'deploys '.repeat(1_100)}`;
    for (const name of ['alpha', 'beta', 'gamma', 'delta']) await save(store, filler(name));
    await store.call('run_job', { name: 'reembed' });
    fade(store);
    const { created } = await consolidate(store);
    expect(created.map(({ from }) => from.length)).toEqual([2, 2]);
    for (const { id } of created) {
      expect((await look(store, id as number)).content.length).toBeLessThanOrEqual(20_000);
    }
  });

  it('says the same from the operation and from the job, which is in the list with its counts', async () => {
    const store = await openFadingStore();
    for (const end of ['', ' always']) await save(store, base + end);
    fade(store);
    expect(await store.call('run_job', { name: 'consolidate' })).toMatchObject({
      outcome: 'ok',
      counts: { candidates: 2, created: 1, archived: 2 },
    });
  });
});

describe('after ten saves', () => {
  const runsOf = async (store: TestStore) => {
    const { jobs } = await store.call<{ jobs: { name: string; last_runs: unknown[] }[] }>('list_jobs');
    return jobs.find(({ name }) => name === 'consolidate')?.last_runs.length;
  };

  it('it runs by itself, unless the settings turn the job off', async () => {
    const [store, off] = [
      await openFadingStore({ env: { LOCI_JOBS_CONSOLIDATE_ENABLED: 'true' } }),
      await openFadingStore(),
    ];
    for (const one of [store, off]) for (let number = 0; number < 10; number += 1) await save(one, unlike(number));
    await expect.poll(() => runsOf(store), { timeout: 10_000 }).toBe(1);
    expect(await runsOf(off)).toBe(0);
  });
});

describe('undoing a consolidation', () => {
  it('brings the originals back as they were, archives the union, and the next run leaves them apart', async () => {
    const store = await openFadingStore();
    const ids = [await save(store, base, { tags: ['a'] }), await save(store, `${base} always`)];
    fade(store);
    const { created } = await consolidate(store);
    const id = created[0]?.id as number;
    expect(await store.call('memory_undo_consolidation', { id })).toEqual({ id, restored: ids });
    for (const original of ids) {
      expect(await look(store, original)).toMatchObject({
        status: 'active',
        superseded_by: null,
        obsolete_reason: null,
      });
    }
    expect(await look(store, id)).toMatchObject({ status: 'archived', supersedes: [] });
    expect((await idsFor(store, 'argo pipeline')).sort()).toEqual(ids);
    expect((await consolidate(store)).clusters).toBe(0);
  });

  it('refuses a memory that unites nothing, one that is unknown, and one that was undone already', async () => {
    const store = await openFadingStore();
    const ids = [await save(store, base), await save(store, `${base} always`)];
    const undo = (id: number) => store.call('memory_undo_consolidation', { id });
    await expect(undo(ids[0] as number)).rejects.toMatchObject({ code: 'conflict' });
    await expect(undo(999)).rejects.toMatchObject({ code: 'not_found' });
    fade(store);
    const { created } = await consolidate(store);
    const id = created[0]?.id as number;
    await undo(id);
    await expect(undo(id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('refuses a union that was itself united, naming the one to undo first', async () => {
    const store = await openFadingStore();
    for (const end of ['', ' always']) await save(store, base + end);
    fade(store);
    const first = (await consolidate(store)).created[0]?.id as number;
    await save(store, `${base}.\n${base} daily`);
    fade(store);
    const second = (await consolidate(store)).created[0]?.id as number;
    await expect(store.call('memory_undo_consolidation', { id: first })).rejects.toMatchObject({
      code: 'conflict',
      details: { into: second },
    });
    await store.call('memory_undo_consolidation', { id: second });
    await expect(store.call('memory_undo_consolidation', { id: first })).resolves.toMatchObject({ id: first });
  });
});

function attachDocument(store: TestStore, memoryId: number, documentId: number): void {
  withDatabase(store, (db) =>
    db.prepare("INSERT INTO thing_links VALUES (1, 'memory', ?, 'document', ?, 0)").run(memoryId, documentId),
  );
}

function documentsOf(store: TestStore, memoryId: number): unknown[] {
  let ids: unknown[] = [];
  withDatabase(store, (db) => {
    const sql = "SELECT to_id FROM thing_links WHERE from_kind = 'memory' AND from_id = ? AND to_kind = 'document'";
    ids = db.prepare(sql).pluck().all(memoryId);
  });
  return ids;
}
