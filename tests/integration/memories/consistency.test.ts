// Whatever happens to a store, in whatever order and at once: counters equal a recount, every memory has one searchable row of its
// own rev, the vectors of that rev and no others, the keyword index agrees with the rows it indexes, and searches find what is there.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkKeywordIndex, queryHome } from '../../support/open-store-file.ts';
import { onPostgres } from '../../support/storage-under-test.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Saved = { id: number; outcome: string };
type Search = { results: { id: number }[] };

const save = (store: TestStore, content: string, more: object = {}) =>
  store.call<Saved>('memory_save', { content, ...more });
const find = async (store: TestStore, query: string, more: object = {}) =>
  (await store.call<Search>('memory_search', { query, depth: 1, limit: 50, ...more })).results.map(({ id }) => id);

/** Compares everything that is kept beside the memories with a recount. */
async function expectConsistent(store: TestStore): Promise<void> {
  await expect
    .poll(async () => (await store.call<{ vectors: { pending: number } }>('memory_stats')).vectors.pending)
    .toBe(0);
  const rows = <R>(sql: string): R[] => queryHome<R>(store.home, sql);
  const byStatus = Object.fromEntries(
    rows<{ status: string; n: number }>('SELECT status, count(*) AS n FROM memories GROUP BY 1').map((row) => [
      row.status,
      row.n,
    ]),
  );
  const { stats } = await store.call<{ stats: Record<string, number> }>('memory_sync');
  expect(stats).toEqual({ active: 0, archived: 0, obsolete: 0, ...byStatus });
  expect(await store.call('memory_stats')).toMatchObject({ memories: stats });
  expect(
    rows(`SELECT * FROM (SELECT p.name, p.memory_count AS kept, (SELECT count(*) FROM memory_projects mp
      JOIN memories m ON m.id = mp.memory_id WHERE mp.project_id = p.id AND m.status = 'active') AS counted
      FROM projects p) AS counts WHERE kept <> counted`),
  ).toEqual([]);
  expect(
    rows(`SELECT m.id FROM memories m LEFT JOIN searchables s ON s.kind = 'memory' AND s.thing_id = m.id
      WHERE s.id IS NULL OR s.rev <> m.rev OR s.status <> m.status OR s.user_id <> m.user_id OR s.embedded <> 1
      OR s.projects <> (SELECT ',' || coalesce(string_agg(project_id || ',', ''), '') FROM
        (SELECT project_id FROM memory_projects WHERE memory_id = m.id ORDER BY position) AS ordered)`),
  ).toEqual([]);
  expect(
    rows("SELECT id FROM searchables WHERE kind = 'memory' AND thing_id NOT IN (SELECT id FROM memories)"),
  ).toEqual([]);
  expect(
    rows(`SELECT v.thing_id, v.rev FROM vectors v LEFT JOIN searchables s ON s.kind = v.kind AND s.thing_id = v.thing_id
      WHERE s.id IS NULL OR s.rev <> v.rev`),
  ).toEqual([]);
  expect(
    rows(`SELECT s.thing_id FROM searchables s WHERE s.passages <>
      (SELECT count(*) FROM vectors v WHERE v.kind = s.kind AND v.thing_id = s.thing_id AND v.rev = s.rev)`),
  ).toEqual([]);
  expect(
    rows(`SELECT id FROM memories WHERE primary_project_id IS DISTINCT FROM
      (SELECT project_id FROM memory_projects WHERE memory_id = memories.id ORDER BY position LIMIT 1)`),
  ).toEqual([]);
  if (!onPostgres) expect(rows('PRAGMA foreign_key_check')).toEqual([]);
  checkKeywordIndex(store.home);
}

/** What the reader thread holds, by asking for everything by meaning: the ids of the live memories and of no others. */
async function expectHeldVectors(store: TestStore, word: string): Promise<void> {
  const live = queryHome<{ id: number }>(store.home, "SELECT id FROM memories WHERE status = 'active' ORDER BY id");
  const found = await find(store, word, { mode: 'vector' });
  expect(found.sort((a, b) => a - b)).toEqual(live.slice(0, 50).map(({ id }) => id));
}

describe('B60 many at once', () => {
  it('50 updates of one memory, 50 saves, and a compaction: one vector row a memory, the last text found', async () => {
    const store = await openTestStore({ env: { LOCI_VECTORS_EXACT_LIMIT: '0' } });
    const { id } = await save(store, 'wording zero');
    const updates = Array.from({ length: 50 }, (_, at) =>
      store.call<{ content: string }>('memory_update', { id, content: `wording number${at}` }),
    );
    const creates = Array.from({ length: 50 }, (_, at) =>
      save(store, `note${at} of its own`, { on_duplicate: 'keep' }),
    );
    await Promise.all([...updates, ...creates]);
    const more = Array.from({ length: 20 }, (_, at) => save(store, `late${at} note`, { on_duplicate: 'keep' }));
    await Promise.all([store.call('run_job', { name: 'optimise' }), ...more]);
    await store.call('run_job', { name: 'reconcile' });
    const { content } = await store.call<{ content: string }>('memory_get', { id });
    expect(await find(store, content, { mode: 'vector', limit: 1 })).toEqual([id]);
    expect(await find(store, content.split(' ')[1] as string, { mode: 'keyword' })).toEqual([id]);
    expect(await store.call('memory_stats')).toMatchObject({
      memories: { active: 71 },
      vectors: { rows: 71, pending: 0 },
    });
    // there it is what other daemons follow, and no vector table empties it
    if (!onPostgres) expect(queryHome(store.home, 'SELECT * FROM outbox')).toEqual([]);
    await expectConsistent(store);
  });

  it('changes of different fields at once are all there afterwards', async () => {
    const store = await openTestStore();
    const { id } = await save(store, 'of many fields');
    const fields = {
      tags: ['a'],
      concepts: ['b'],
      importance: 9,
      pinned: true,
      author: 'Ada',
      metadata: { n: 1 },
      context: 'here',
      source_url: 'https://wiki.test/',
    };
    await Promise.all(
      Object.entries(fields).map(([field, value]) => store.call('memory_update', { id, [field]: value })),
    );
    expect(await store.call('memory_get', { id })).toMatchObject(fields);
    await expectConsistent(store);
  });

  it('a merge beside a change of its target loses neither', async () => {
    const store = await openTestStore();
    const text =
      'we deploy every service through the argo pipeline after each merge to the main branch of the repository';
    const { id } = await save(store, text);
    const [merged] = await Promise.all([
      save(store, text.replace('after ', ''), { tags: ['merged'] }),
      store.call('memory_update', { id, metadata: { kept: true } }),
      store.call('memory_update', { id, pinned: false, importance: 9 }),
    ]);
    expect(await store.call('memory_get', { id })).toMatchObject({
      metadata: { kept: true },
      importance: 9,
    });
    // the target itself, unless it changed under the merge again and again: then the text is a memory of its own
    expect(await store.call('memory_get', { id: merged.id })).toMatchObject({ tags: ['merged'] });
  });

  it('a note for a project that is merged away meanwhile is refused by name, or stored; never half', async () => {
    const store = await openTestStore();
    await save(store, 'the ground of the shop', { project: 'shop' });
    await save(store, 'the ground of the blog', { project: 'blog' });
    const note = { title: 'A note', content: 'common amber', project_ids: [1] };
    const [, created] = await Promise.allSettled([
      store.call('merge_projects', { from: 'shop', into: 'blog' }),
      store.call('create_memory', note),
      store.call('merge_projects', { from: 'blog', into: 'shop' }),
      store.call('update_memory', { memory_id: 2, project_ids: [1, 2] }),
    ]);
    if (created?.status === 'rejected') expect(created.reason).toMatchObject({ code: 'not_found' });
    await expectConsistent(store);
  });

  it('saves under a project and under its alias at once are one memory', async () => {
    const store = await openTestStore();
    await save(store, 'the first', { project: 'shop' });
    await store.call('alias_project', { name: 'shop', alias: 'laden' });
    const outcomes = await Promise.all(
      ['shop', 'laden', 'SHOP ', 'Laden'].map((project) => save(store, 'said four times', { project })),
    );
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['created', 'unchanged', 'unchanged', 'unchanged']);
  });
});

describe('B61 the keyword index', () => {
  it('agrees with its rows after 100 saves, 30 archived, 30 updated twice, 20 erased and 10 facts replaced', async () => {
    const store = await openTestStore();
    const ids: number[] = [];
    for (let at = 0; at < 100; at += 1)
      ids.push((await save(store, `entry word${at} original${at}`, { on_duplicate: 'keep' })).id);
    for (const id of ids.slice(0, 30)) await store.call('memory_archive', { id });
    for (const [at, id] of ids.slice(30, 60).entries()) {
      await store.call('memory_update', { id, content: `second${at} wording` });
      await store.call('memory_update', { id, content: `third${at} wording` });
    }
    for (const id of ids.slice(0, 20)) await store.call('memory_purge', { id });
    for (const round of ['old', 'new'])
      for (let at = 0; at < 10; at += 1)
        await store.call('memory', {
          action: 'save',
          category: 'other',
          key: `k_${at}`,
          value: `${round}value${at} of a fact`,
        });
    checkKeywordIndex(store.home);
    const gone = ['original3', 'original35', 'second5', 'oldvalue5'];
    for (const word of gone)
      expect(await find(store, word, { mode: 'keyword', include_archived: true }), word).toEqual([]);
    expect(await find(store, 'original25', { mode: 'keyword' })).toEqual([]);
    expect(await find(store, 'original25', { mode: 'keyword', include_archived: true })).toEqual([ids[25]]);
    expect(await find(store, 'third5', { mode: 'keyword' })).toEqual([ids[35]]);
    expect(await find(store, 'newvalue5', { mode: 'keyword' })).toHaveLength(1);
    await expectConsistent(store);
  });
});

describe('B24 what the daemon does by itself', () => {
  it('moves no time of change: jobs, embedding again, reads, and the merge of a project', async () => {
    const store = await openTestStore();
    const ids: number[] = [];
    for (const content of ['the first note', 'the second note', 'the third note']) {
      ids.push((await save(store, content, { project: 'shop', on_duplicate: 'keep' })).id);
      store.clock.advance(60_000);
    }
    const times = () =>
      queryHome(store.home, 'SELECT id, created_at, updated_at, occurred_at FROM memories ORDER BY updated_at DESC');
    const order = async () =>
      (await store.call<{ memories: { id: number }[] }>('get_recent_memories', { sort_by: 'updated_at' })).memories.map(
        ({ id }) => id,
      );
    const before = times();
    expect(await order()).toEqual([...ids].reverse());
    store.clock.advance(90 * 24 * 60 * 60 * 1000);
    for (let read = 0; read < 3; read += 1) {
      await store.call('memory_get', { id: ids[0] });
      await store.call('memory_search', { query: 'first note', depth: 3 });
      await store.call('query_memory', { query: 'first note', query_context: 'a test' });
    }
    const { jobs } = await store.call<{ jobs: { name: string }[] }>('list_jobs');
    for (const { name } of jobs) expect(await store.call('run_job', { name }), name).toMatchObject({ outcome: 'ok' });
    await store.call('rebuild_embeddings', {});
    await save(store, 'elsewhere', { project: 'blog' });
    await store.call('merge_projects', { from: 'shop', into: 'blog' });
    expect(times().filter(({ id }) => ids.includes(Number(id)))).toEqual(before);
    expect((await order()).slice(1)).toEqual([...ids].reverse());
    const first = await store.call<{ access_count: number; decay: number }>('memory_get', { id: ids[0] });
    expect(first.access_count).toBeGreaterThan(5);
    await expectConsistent(store);
  });
});

const words = ['amber', 'birch', 'cedar', 'delta'];
const text = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  .map((parts) => `common ${parts.join(' ')}`);
const projectName = fc.option(fc.constantFrom('shop', 'blog', 'Shop'), { nil: undefined });
const which = fc.nat(11);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('save' as const), text, project: projectName, keep: fc.boolean() }),
  },
  fc.record({ do: fc.constant('fact' as const), key: fc.constantFrom('a', 'b'), text }),
  fc.record({ do: fc.constant('update' as const), which, text }),
  fc.record({
    do: fc.constant('move' as const),
    which,
    project: fc.option(fc.constantFrom('shop', 'blog', 'new'), { nil: null }),
  }),
  fc.record({ do: fc.constant('status' as const), which, status: fc.constantFrom('active', 'archived', 'obsolete') }),
  fc.record({ do: fc.constant('archive' as const), which }),
  fc.record({ do: fc.constant('purge' as const), which }),
  fc.record({ do: fc.constant('forget' as const), key: fc.constantFrom('a', 'b') }),
  fc.record({ do: fc.constant('revert' as const), which, to: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('supersede' as const), which, text }),
  fc.record({
    do: fc.constant('many' as const),
    texts: fc.array(text, { minLength: 1, maxLength: 3 }),
    atomic: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('note' as const),
    text,
    projects: fc.uniqueArray(fc.constantFrom(1, 2, 3), { maxLength: 3 }),
  }),
  fc.record({
    do: fc.constant('refile' as const),
    which,
    projects: fc.uniqueArray(fc.constantFrom(1, 2, 3), { maxLength: 3 }),
  }),
  fc.record({ do: fc.constant('link' as const), which, to: fc.nat(11) }),
  fc.record({ do: fc.constant('rebuild' as const), which }),
  fc.record({
    do: fc.constant('merge' as const),
    from: fc.constantFrom('shop', 'blog'),
    into: fc.constantFrom('blog', 'new'),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Does one step; refusals that the contract names are part of life, anything else is not. */
async function take(store: TestStore, given: Step, at: number): Promise<void> {
  const ids = queryHome<{ id: number }>(store.home, 'SELECT id FROM memories ORDER BY id');
  const id = 'which' in given ? (ids[given.which % Math.max(1, ids.length)]?.id ?? 1) : 0;
  const call = (name: string, input: object) => store.call(name, { ...input, idempotency_key: `step ${at}` });
  const calls: Record<Step['do'], () => Promise<unknown>> = {
    save: () => {
      const { text, project, keep } = given as Extract<Step, { do: 'save' }>;
      return call('memory_save', { content: text, project, on_duplicate: keep ? 'keep' : 'merge' });
    },
    fact: () => {
      const { key, text } = given as Extract<Step, { do: 'fact' }>;
      return call('memory', { action: 'save', category: 'other', key, value: text });
    },
    update: () => call('memory_update', { id, content: (given as Extract<Step, { do: 'update' }>).text }),
    move: () => call('memory_update', { id, project: (given as Extract<Step, { do: 'move' }>).project }),
    status: () => call('memory_update', { id, status: (given as Extract<Step, { do: 'status' }>).status }),
    archive: () => call('memory_archive', { id }),
    purge: () => call('memory_purge', { id }),
    forget: () => call('memory', { action: 'forget', key: (given as Extract<Step, { do: 'forget' }>).key }),
    revert: () => call('memory_revert', { id, to: (given as Extract<Step, { do: 'revert' }>).to }),
    supersede: () =>
      call('memory_save', { content: (given as Extract<Step, { do: 'supersede' }>).text, supersedes: [id] }),
    many: () => {
      const { texts, atomic } = given as Extract<Step, { do: 'many' }>;
      return call('memory_save_many', { memories: texts.map((content) => ({ content, project: 'blog' })), atomic });
    },
    note: () => {
      const { text, projects } = given as Extract<Step, { do: 'note' }>;
      return call('create_memory', {
        title: text.slice(0, 40),
        content: text,
        context: '',
        keywords: [],
        tags: [],
        importance: 5,
        project_ids: projects,
      });
    },
    refile: () =>
      call('update_memory', { memory_id: id, project_ids: (given as Extract<Step, { do: 'refile' }>).projects }),
    link: () => {
      const { to } = given as Extract<Step, { do: 'link' }>;
      return call('link_memories', { memory_id: id, related_ids: [ids[to % Math.max(1, ids.length)]?.id ?? 1] });
    },
    rebuild: () => call('rebuild_embeddings', { memory_ids: [id] }),
    merge: () => {
      const { from, into } = given as Extract<Step, { do: 'merge' }>;
      return call('merge_projects', { from, into });
    },
  };
  await calls[given.do]().catch((error: { code?: string }) => {
    if (!['not_found', 'conflict', 'invalid_input'].includes(error.code ?? '')) throw error;
  });
}

describe('any sequence of changes', () => {
  it('one after the other leaves counters, rows, words and vectors that a recount agrees with', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const store = await openTestStore();
        for (const [at, given] of steps.entries()) {
          store.clock.advance(1_000);
          await take(store, given, at);
        }
        await expectConsistent(store);
        await expectHeldVectors(store, 'common amber');
        await store.close();
      }),
      { numRuns: 12, seed: 20_260_105 },
    );
  }, 120_000);

  it('five at a time does so too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 5 }),
        async (rounds) => {
          const store = await openTestStore();
          for (const name of ['shop', 'blog']) await save(store, `common ground of ${name}`, { project: name });
          let at = 0;
          for (const round of rounds) {
            await Promise.all(round.map((given) => take(store, given, at++)));
          }
          await expectConsistent(store);
          await expectHeldVectors(store, 'common amber');
          await store.close();
        },
      ),
      { numRuns: 12, seed: 7 },
    );
  }, 120_000);
});
