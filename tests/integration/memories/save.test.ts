import { describe, expect, it } from 'vitest';
import { dayMs } from '../../support/fake-clock.ts';
import { createFakeEmbedder } from '../../support/fake-embedder.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Saved = {
  id: number;
  outcome: string;
  merged_into?: number;
  warnings: string[];
  possible_conflict?: { id: number };
};
type Results = {
  results: { id: number; title: string; content?: string; project: string | null }[];
  degraded: string[];
  hint?: string;
};
type Record_ = {
  id: number;
  content: string;
  tags: string[];
  status: string;
  updated_at: string;
  history: number;
  [field: string]: unknown;
};

const save = (store: TestStore, content: string, more: object = {}) =>
  store.call<Saved>('memory_save', { content, ...more });
const idsFor = async (store: TestStore, query: string, more: object = {}) =>
  (await store.call<Results>('memory_search', { query, ...more })).results.map((result) => result.id);

describe('saving a memory', () => {
  it('is found by the very next search, by keyword and by meaning', async () => {
    const store = await openTestStore();
    const { id, outcome } = await save(store, 'Deploys go through Argo on every merge');
    expect(outcome).toBe('created');
    expect(await idsFor(store, 'Argo', { mode: 'keyword' })).toEqual([id]);
    expect(await idsFor(store, 'deploys through argo', { mode: 'vector' })).toEqual([id]);
  });

  it('answers unchanged for exactly the same text, and stores nothing', async () => {
    const store = await openTestStore();
    const first = await save(store, 'Auth is Clerk');
    expect(await save(store, 'Auth is Clerk')).toMatchObject({ id: first.id, outcome: 'unchanged' });
    expect(await store.call('memory_stats')).toMatchObject({ memories: { active: 1 } });
  });

  it('merges a near-duplicate: fields united, the longer text kept, the other one in the history', async () => {
    const store = await openTestStore();
    const long =
      'we deploy every service through the argo pipeline after each merge to the main branch of the repository';
    const first = await save(store, long, { tags: ['ci'] });
    const second = await save(store, long.replace('after ', ''), { tags: ['argo'] });
    expect(second).toMatchObject({ outcome: 'merged', id: first.id, merged_into: first.id });
    const record = await store.call<Record_>('memory_get', { id: first.id });
    expect(record.content).toBe(long);
    expect(record.tags).toEqual(['ci', 'argo']);
    const { versions } = await store.call<{ versions: { content: string; action: string }[] }>('memory_history', {
      id: first.id,
    });
    expect(versions.map((version) => version.content)).toContain(long.replace('after ', ''));
  });

  it('keeps both where they differ in a number, and reports the older one as a possible conflict', async () => {
    const store = await openTestStore();
    const text =
      'the payment service of the shop listens on port 8080 behind the gateway of the cluster in every region';
    const first = await save(store, text);
    const second = await save(store, text.replace('8080', '8081'));
    expect(second.outcome).toBe('created');
    expect(second.possible_conflict?.id).toBe(first.id);
  });

  it('never merges across projects or types', async () => {
    const store = await openTestStore();
    const text = 'the nightly job copies every table into the warehouse and sends a mail to the team when it fails';
    await save(store, text, { project: 'shop' });
    expect((await save(store, text, { project: 'blog' })).outcome).toBe('created');
    expect((await save(store, text, { project: 'shop', type: 'decision' })).outcome).toBe('created');
  });

  it('keeps what on_duplicate says: keep stores, reject is a conflict that changes nothing', async () => {
    const store = await openTestStore();
    const first = await save(store, 'Auth is Clerk');
    expect((await save(store, 'Auth is Clerk', { on_duplicate: 'keep' })).outcome).toBe('created');
    await expect(save(store, 'Auth is Clerk', { on_duplicate: 'reject' })).rejects.toMatchObject({
      code: 'conflict',
      details: { id: first.id },
    });
  });

  it('gives one memory for three equal saves at once', async () => {
    const store = await openTestStore();
    const outcomes = await Promise.all([1, 2, 3].map(() => save(store, 'Three at once is one')));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['created', 'unchanged', 'unchanged']);
  });

  it('names what was archived when it is said again, and never revives it', async () => {
    const store = await openTestStore();
    const text = 'the build uses bazel for all packages of the monorepo and caches them on the shared server';
    const first = await save(store, text);
    await store.call('memory_archive', { id: first.id, reason: 'moved to turbo' });
    const second = await store.call<Saved & { obsolete_matches: { id: number }[] }>('memory_save', { content: text });
    expect(second.outcome).toBe('created');
    expect(second.obsolete_matches.map((match) => match.id)).toEqual([first.id]);
    expect(await idsFor(store, 'bazel')).toEqual([second.id]);
  });

  it('hides what it supersedes, points from one to the other, and refuses an unknown id whole', async () => {
    const store = await openTestStore();
    const old = await save(store, 'Sessions live in Redis');
    const next = await save(store, 'Sessions live in Postgres', { supersedes: [old.id] });
    expect(await store.call('memory_get', { id: old.id })).toMatchObject({
      status: 'obsolete',
      superseded_by: next.id,
    });
    expect(await store.call('memory_get', { id: next.id })).toMatchObject({ supersedes: [old.id] });
    expect(await idsFor(store, 'sessions live')).toEqual([next.id]);
    await expect(save(store, 'Sessions live nowhere', { supersedes: [999] })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await idsFor(store, 'nowhere', { mode: 'keyword' })).toEqual([]);
  });

  it('is stored and found by keyword while the model is away, and says degraded', async () => {
    const store = await openTestStore();
    store.embedder.fail('the model is away');
    const saved = await save(store, 'Backups run at night');
    expect(saved.warnings).toContain('embedding_pending');
    const found = await store.call<Results>('memory_search', { query: 'backups' });
    expect(found.results.map((result) => result.id)).toEqual([saved.id]);
    expect(found.degraded).toEqual(['vector']);
  });

  it('B16 keeps a text whose vector is all zeros, out of the vector results and with finite scores', async () => {
    const store = await openTestStore({ embedder: createFakeEmbedder({ zeros: ['strange but valid'] }) });
    const saved = await save(store, 'strange but valid');
    await save(store, 'another text');
    expect(await idsFor(store, 'strange', { mode: 'keyword' })).toEqual([saved.id]);
    expect(await idsFor(store, 'another text', { mode: 'vector' })).not.toContain(saved.id);
    for (const query of ['strange', 'another', 'valid text']) {
      const { results } = await store.call<{ results: { score: number }[] }>('memory_search', { query });
      expect(results.every((result) => Number.isFinite(result.score))).toBe(true);
    }
  });

  it.each(['   \n\t', '\u200b\u200b', ''])('B16 refuses blank content %j', async (content) => {
    const store = await openTestStore();
    await expect(save(store, content)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { content: expect.any(String) },
    });
  });

  it('embeds what follows the first passage in the background, so that the end of a long text is findable', async () => {
    const store = await openTestStore();
    const content = `${'filler words of no interest '.repeat(80)}. zanzibar quokka marmalade`;
    const saved = await save(store, content);
    expect(saved.warnings).toContain('embedding_pending');
    await expect
      .poll(async () => (await store.call<{ vectors: { pending: number } }>('memory_stats')).vectors.pending)
      .toBe(0);
    expect(await idsFor(store, 'zanzibar quokka marmalade', { mode: 'vector' })).toEqual([saved.id]);
  });

  it('refuses a secret with its field and kind, and nothing of it reaches the disk', async () => {
    const store = await openTestStore();
    const token = ['gh', 'p_', 'x4Tq8ZrB'.repeat(5).slice(0, 36)].join('');
    await expect(save(store, `deploy with ${token}`)).rejects.toMatchObject({ code: 'rejected_by_policy' });
    await expect(save(store, 'deploy', { solution: token })).rejects.toMatchObject({ code: 'rejected_by_policy' });
    expect(await store.call('memory_stats')).toMatchObject({ memories: { active: 0 } });
  });
});

describe('changing a memory', () => {
  it('B13 tells absent, null and empty apart, and a patch that changes nothing moves nothing', async () => {
    const store = await openTestStore();
    const { id } = await save(store, 'See the wiki', { source_url: 'https://wiki.test/x', tags: ['a'], title: 'Wiki' });
    const before = await store.call<Record_>('memory_get', { id });
    store.clock.advance(dayMs);
    expect(await store.call('memory_update', { id })).toMatchObject({ updated_at: before.updated_at });
    expect(await store.call('memory_update', { id, tags: ['a'] })).toMatchObject({ updated_at: before.updated_at });
    expect(await store.call('memory_update', { id, source_url: null })).toMatchObject({
      source_url: null,
      tags: ['a'],
    });
    expect(await store.call('memory_update', { id, tags: [] })).toMatchObject({ tags: [], title: 'Wiki' });
    await expect(store.call('memory_update', { id, title: null })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('B17 finds the new text and not the old one, with one vector row', async () => {
    const store = await openTestStore();
    const { id } = await save(store, 'Deploys go through Jenkins');
    await save(store, 'Jenkins was the butler of the old house');
    await store.call('memory_update', { id, content: 'Deploys go through Argo' });
    expect(await idsFor(store, 'Argo', { mode: 'keyword' })).toEqual([id]);
    expect(await idsFor(store, 'Jenkins', { mode: 'keyword' })).not.toContain(id);
    expect((await idsFor(store, 'Jenkins', { mode: 'vector' }))[0]).not.toBe(id);
    expect((await store.call<{ vectors: { rows: number } }>('memory_stats')).vectors.rows).toBe(2);
  });

  it('keeps every earlier version, and reverts to one', async () => {
    const store = await openTestStore();
    const { id } = await save(store, 'First wording');
    await store.call('memory_update', { id, content: 'Second wording' });
    await store.call('memory_update', { id, content: 'Third wording', tags: ['x'] });
    const { versions } = await store.call<{ versions: { version: number; content: string; changed: string[] }[] }>(
      'memory_history',
      { id },
    );
    expect(versions.map(({ version, content }) => [version, content])).toEqual([
      [3, 'Third wording'],
      [2, 'Second wording'],
      [1, 'First wording'],
    ]);
    expect(versions[0]?.changed).toEqual(['content', 'tags']);
    expect(await store.call('memory_revert', { id, to: 1 })).toMatchObject({
      content: 'First wording',
      tags: [],
      history: 3,
    });
    expect(await idsFor(store, 'first wording', { mode: 'keyword' })).toEqual([id]);
    await expect(store.call('memory_revert', { id, to: 99 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a revert brings the projects of that version back, and leaves out one that was deleted since', async () => {
    const store = await openTestStore();
    const { id } = await save(store, 'Deploys go through Argo', { project: 'shop' });
    await store.call('memory_update', { id, project: 'depot' });
    await store.call('memory_update', { id, project: null });
    expect(await store.call('memory_revert', { id, to: 1 })).toMatchObject({ project: 'shop' });
    expect(await idsFor(store, 'argo', { project: 'shop', depth: 1 })).toEqual([id]);
    expect(await store.call('memory_sync')).toMatchObject({
      projects: [{ name: 'shop', memories: 1 }],
    });
    const { projects } = await store.call<{ projects: { id: number; name: string }[] }>('list_projects');
    await store.call('delete_project', { project_id: projects.find(({ name }) => name === 'depot')?.id });
    expect(await store.call('memory_revert', { id, to: 2 })).toMatchObject({ project: null, projects: [] });
  });

  it('archives and brings back, in search as in the counts', async () => {
    const store = await openTestStore();
    const { id } = await save(store, 'Use tabs', { project: 'shop' });
    expect(await store.call('memory_archive', { id })).toEqual({ id, status: 'archived', changed: true });
    expect(await store.call('memory_archive', { id })).toEqual({ id, status: 'archived', changed: false });
    expect(await idsFor(store, 'tabs')).toEqual([]);
    expect(await idsFor(store, 'tabs', { include_archived: true })).toEqual([id]);
    expect(await store.call('memory_sync', {})).toMatchObject({ stats: { active: 0, archived: 1 } });
    await store.call('memory_update', { id, status: 'active' });
    expect(await idsFor(store, 'tabs')).toEqual([id]);
    expect(await store.call('memory_sync', {})).toMatchObject({
      stats: { active: 1, archived: 0 },
      projects: [{ name: 'shop', memories: 1 }],
    });
  });

  it('B24 reads move the access fields alone', async () => {
    const store = await openTestStore();
    const { id } = await save(store, 'Read me often');
    const before = await store.call<Record_>('memory_get', { id });
    store.clock.advance(90 * dayMs);
    for (let read = 0; read < 3; read += 1) await store.call('memory_get', { id });
    await store.call('memory_search', { query: 'read me' });
    await store.call('run_job', { name: 'flush_accesses' });
    const after = await store.call<Record_>('memory_get', { id });
    expect(after.updated_at).toBe(before.updated_at);
    expect(after.access_count).toBe(5);
    expect(after.last_accessed_at).toBe(new Date(store.clock.now()).toISOString());
  });
});
