// Skills beside the rest of the store: erasure, links by uid across stores, searches that follow.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plantPlot } from '../../support/knowledge-plot.ts';
import { checkKeywordIndex, filesHolding, queryHome, tablesHolding } from '../../support/open-store-file.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

const skill = (name: string, description: string, more: object = {}) => ({
  name,
  description,
  content: `# ${name}\n\n1. Do it.`,
  ...more,
});
const search = async (store: TestStore, query: string, more: object = {}) =>
  (await store.call<{ skills: { id: number; name: string }[] }>('search_skills', { query, ...more })).skills;
const exported = async (store: TestStore, id: number) =>
  (await store.call<{ skill_md: string }>('export_skill', { id })).skill_md;

describe('a skill', () => {
  it("B68 is not reached by an id that is a filter: z' OR 1=1", async () => {
    const store = await openTestStore();
    await store.call('create_skill', skill('reset-cache', 'Reset the cache'));
    for (const [operation, field] of [
      ['get_skill', 'id'],
      ['delete_skill', 'id'],
      ['delete_skill', 'skill_id'],
      ['update_skill', 'id'],
    ] as const) {
      await expect(store.call(operation, { [field]: "z' OR 1=1" })).rejects.toMatchObject({ code: 'invalid_input' });
    }
    expect(await search(store, "z' OR 1=1 reset the cache")).toMatchObject([{ id: 1 }]);
  });

  it('K136 erased leaves no row, link, vector, word, log text, stored answer or byte behind', async () => {
    const store = await openTestStore();
    const word = 'zanzibarite';
    await store.call('create_skill', skill(word, `${word} reads logs`, { tags: [word], idempotency_key: 'make' }));
    await store.call('update_skill', { id: 1, content: `${word} again`, idempotency_key: 'change' });
    await plantPlot(store);
    await store.call('link_skill_to_memory', { skill_id: 1, memory_id: 1 });
    await store.call('delete_skill', { id: 1 });
    expect(tablesHolding(store.home, word)).toEqual([]);
    expect(queryHome(store.home, "SELECT * FROM thing_links WHERE from_kind = 'skill' AND from_id = 1")).toEqual([]);
    expect(queryHome(store.home, "SELECT id FROM searchables WHERE kind = 'skill' AND thing_id = 1")).toEqual([]);
    expect(queryHome(store.home, "SELECT rev FROM vectors WHERE kind = 'skill' AND thing_id = 1")).toEqual([]);
    expect(await search(store, word)).not.toContainEqual(expect.objectContaining({ id: 1 }));
    expect(await store.call('get_memory', { memory_id: 1 })).toMatchObject({ skill_ids: [2] });
    checkKeywordIndex(store.home);
    await store.close();
    expect(filesHolding(join(store.home, 'data'), word)).toEqual([]);
  });

  it('K139 is found by its new description at once, by its steps by keyword, and within its project', async () => {
    const store = await openTestStore();
    await store.call('create_project', { name: 'shop', description: 'd' });
    await store.call(
      'create_skill',
      skill('deploy', 'Ship the application', { project_id: 1, content: 'run kubectl' }),
    );
    await store.call('create_skill', skill('test', 'Run the suite'));
    expect((await search(store, 'ship application'))[0]).toMatchObject({ name: 'deploy' });
    const byWord = await store.call('search_everything', { query: 'kubectl', kinds: ['skill'] });
    expect(byWord).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ id: 1, keyword: expect.any(Number) })]),
    });
    await store.call('update_skill', { id: 2, description: 'Brew some coffee' });
    expect((await search(store, 'brew coffee'))[0]).toMatchObject({ name: 'test' });
    expect(await search(store, 'application coffee', { project_id: 1 })).toMatchObject([{ name: 'deploy' }]);
    await store.call('update_skill', { id: 1, project_id: null });
    expect(await search(store, 'application coffee', { project_id: 1 })).toEqual([]);
    await store.call('update_skill', { id: 1, project_id: 1 });
    await store.call('delete_project', { project_id: 1 });
    expect(await store.call('get_skill', { id: 1 })).toMatchObject({ project_id: null });
    expect(await search(store, 'ship application')).not.toEqual([]);
  });

  it('K138 of one name is made once by many callers at a time', async () => {
    const store = await openTestStore();
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => store.call('create_skill', skill('deploy', `Number ${index}`))),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of made) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' });
    }
    expect(await store.call('list_skills')).toMatchObject({ total: 1 });
  });

  it('keeps metadata.loci for exports', async () => {
    const store = await openTestStore();
    await expect(store.call('create_skill', skill('a', 'b', { metadata: { loci: 1 } }))).rejects.toMatchObject({
      code: 'invalid_input',
      details: { metadata: expect.any(String) },
    });
  });

  it('with a credential in its steps or front matter is refused and nothing is stored', async () => {
    const store = await openTestStore();
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const text = `---\nname: a\ndescription: d\nmetadata:\n  key: ${token}\n---\n\nbody\n`;
    await expect(store.call('import_skill', { skill_md: text })).rejects.toMatchObject({ code: 'rejected_by_policy' });
    await expect(store.call('create_skill', skill('a', 'b', { content: token }))).rejects.toMatchObject({
      code: 'rejected_by_policy',
    });
    expect(await store.call('list_skills')).toMatchObject({ total: 0 });
  });
});

describe('a SKILL.md', () => {
  it('K143 brings importance, project, provenance and links back after the skill was erased', async () => {
    const store = await openTestStore();
    const plot = await plantPlot(store);
    await store.call('update_skill', {
      id: plot.skill,
      importance: 9,
      source_repo: 'o/r',
      source_files: ['a.ts'],
      confidence: 0.4,
      metadata: { author: 'Ada' },
    });
    const whole = await store.call<Record<string, unknown>>('get_skill', { id: plot.skill });
    const links = await store.call<Record<string, unknown>>('get_skill_links', { skill_id: plot.skill });
    const text = await exported(store, plot.skill);
    await store.call('delete_skill', { id: plot.skill });
    const back = await store.call<Record<string, unknown>>('import_skill', { skill_md: text });
    const { id: _id, skill_id: _skill, created_at: _created, updated_at: _updated, ...said } = whole;
    expect(back).toMatchObject({ ...said, outcome: 'created', warnings: [] });
    const { skill_id: _owner, ...linked } = links;
    expect(await store.call('get_skill_links', { skill_id: back.id })).toMatchObject(linked);
    expect(await exported(store, Number(back.id))).toBe(text);
  });

  it('K143 in another store comes without what is not there, and says so', async () => {
    const [from, to] = [await openTestStore(), await openTestStore()];
    const plot = await plantPlot(from);
    const back = await to.call<{ warnings: string[]; project_id: number | null }>('import_skill', {
      skill_md: await exported(from, plot.skill),
    });
    expect(back.project_id).toBeNull();
    expect(back.warnings).toEqual([
      "There is no project 'shop' here: the skill is in none.",
      '1 linked memory(s) do not exist here.',
      '1 linked file(s) do not exist here.',
      '1 linked code artifact(s) do not exist here.',
      '1 linked document(s) do not exist here.',
    ]);
  });

  it('B31 a folder of five hundred is stored in one transaction, or not at all', async () => {
    const store = await openTestStore();
    const files = Array.from({ length: 500 }, (_, index) => ({
      path: `s-${index}/SKILL.md`,
      skill_md: `---\nname: s-${index}\ndescription: Use number ${index}. Keywords: x\n---\n\nDo ${index}.\n`,
    }));
    const bad = files.with(400, { path: 'bad/SKILL.md', skill_md: '---\nname: Bad Name\ndescription: d\n---\n\nx\n' });
    await expect(store.call('import_skills', { skills: bad })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { 'bad/SKILL.md': expect.stringMatching(/kebab-case/) },
    });
    expect(await store.call('list_skills')).toMatchObject({ total: 0 });
    const { created } = await store.call<{ created: unknown[] }>('import_skills', { skills: files });
    expect(created).toHaveLength(500);
    expect(await store.call('list_skills', { limit: 1 })).toMatchObject({ total: 500, has_more: true });
  });
});
