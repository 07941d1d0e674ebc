// Entities beside the rest of the store: nothing of an erased one stays, users do not meet, searches follow every change.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plantPlot } from '../../support/knowledge-plot.ts';
import {
  changeHome,
  checkKeywordIndex,
  filesHolding,
  queryHome,
  tablesHolding,
} from '../../support/open-store-file.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Found = { results: { kind: string; id: number; title: string }[] };
const find = async (store: TestStore, query: string, more: object = {}) =>
  (await store.call<Found>('search_everything', { query, ...more })).results;
const note = (title: string, content: string) => ({
  title,
  content,
  context: '',
  keywords: [],
  tags: [],
  importance: 7,
});

/** A second user of the same store; tokens of their own come with the room of users. */
function addUser(store: TestStore): number {
  changeHome(store.home, "INSERT INTO users(id, uid, name, created_at) VALUES (2, 'u2', 'other', 1)");
  return 2;
}

describe('an erased entity', () => {
  it('K135 leaves no row, link, vector, word, log text, stored answer or byte behind', async () => {
    const store = await openTestStore();
    const word = 'zanzibarite';
    const { id } = await store.call<{ id: number }>('create_entity', {
      name: word,
      entity_type: 'Device',
      notes: `${word} notes`,
      aka: [`${word}-alias`],
      tags: [word],
      metadata: { word },
      idempotency_key: 'make',
    });
    await store.call('update_entity', { id, notes: `${word} reworded`, idempotency_key: 'change' });
    await store.call('create_project', { name: 'shop', description: 'd' });
    await store.call('create_memory', note('Cache', 'caches are warm'));
    await store.call('create_entity', { name: 'Ops', entity_type: 'Team' });
    await store.call('link_entity_to_memory', { entity_id: id, memory_id: 1 });
    await store.call('link_entity_to_project', { entity_id: id, project_id: 1 });
    const edge = { from_entity_id: 2, to_entity_id: id, relationship_type: word, metadata: { word } };
    await store.call('create_entity_relationship', { ...edge, idempotency_key: 'relate' });
    // an answer about the memory that names the entity
    await store.call('memory_update', { id: 1, tags: ['x'], idempotency_key: 'quote' });
    expect(tablesHolding(store.home, word)).toContain('idempotent_answers');

    await store.call('delete_entity', { entity_id: id });

    expect(tablesHolding(store.home, word)).toEqual([]);
    const count = (sql: string): number => Number(queryHome<{ n: number }>(store.home, sql)[0]?.n);
    expect(count(`SELECT count(*) AS n FROM thing_links WHERE from_kind = 'entity' AND from_id = ${id}`)).toBe(0);
    expect(count('SELECT count(*) AS n FROM entity_relationships')).toBe(0);
    expect(count(`SELECT count(*) AS n FROM searchables WHERE kind = 'entity' AND thing_id = ${id}`)).toBe(0);
    expect(count(`SELECT count(*) AS n FROM vectors WHERE kind = 'entity' AND thing_id = ${id}`)).toBe(0);
    expect(count(`SELECT count(*) AS n FROM thing_tags WHERE kind = 'entity' AND thing_id = ${id}`)).toBe(0);
    expect(await find(store, word)).not.toContainEqual(expect.objectContaining({ kind: 'entity', id }));
    checkKeywordIndex(store.home);
    await store.close();
    expect(filesHolding(join(store.home, 'data'), word)).toEqual([]);
  });

  it('K121 its memories, files and projects stay as they were', async () => {
    const store = await openTestStore();
    await plantPlot(store);
    await store.call('delete_entity', { entity_id: 1 });
    for (const [name, input] of [
      ['get_memory', { memory_id: 1 }],
      ['get_project', { project_id: 1 }],
      ['get_file', { file_id: 1 }],
      ['get_entity', { entity_id: 2 }],
    ] as const) {
      await expect(store.call(name, input)).resolves.toBeDefined();
    }
    expect(await store.call('get_entity_relationships', { entity_id: 2 })).toMatchObject({ relationships: [] });
  });

  it('the answer to a repeated change of another kind with the same id is still known', async () => {
    const store = await openTestStore();
    const saved = await store.call('create_memory', { ...note('A', 'alpha one'), idempotency_key: 'memory' });
    await store.call('create_entity', { name: 'E', entity_type: 'Team' });
    await store.call('delete_entity', { entity_id: 1 });
    expect(await store.call('create_memory', { ...note('A', 'alpha one'), idempotency_key: 'memory' })).toEqual(saved);
  });
});

describe('the erasure of what an entity is linked to', () => {
  it('of a note, project or file takes the link along', async () => {
    const store = await openTestStore();
    await plantPlot(store);
    await store.call('delete_memory', { memory_id: 1 });
    await store.call('delete_file', { file_id: 1 });
    await store.call('delete_project', { project_id: 1, cascade_plans: true });
    expect(await store.call('get_entity_memories', { entity_id: 1 })).toMatchObject({ count: 0 });
    expect(await store.call('get_entity', { entity_id: 1 })).toMatchObject({ project_ids: [] });
    const ends = queryHome<{ to_kind: string }>(
      store.home,
      "SELECT to_kind FROM thing_links WHERE from_kind = 'entity'",
    );
    expect(ends).toEqual([]);
    expect((await find(store, 'cache server', { kinds: ['entity'] })).map(({ id }) => id)).toContain(1);
  });
});

describe('projects of an entity', () => {
  it('a merge and a deletion move it, and a search by project follows at once', async () => {
    const store = await openTestStore();
    for (const name of ['shop', 'store']) await store.call('create_project', { name, description: 'd' });
    await store.call('create_entity', { name: 'Kettle', entity_type: 'Device', project_ids: [1] });
    const before = await store.call<{ updated_at: string }>('get_entity', { id: 1 });
    const inProject = async (id: number) => (await find(store, 'kettle', { project_ids: [id] })).length;
    expect([await inProject(1), await inProject(2)]).toEqual([1, 0]);
    store.clock.advance(1_000);
    await store.call('merge_projects', { from: 'shop', into: 'store' });
    expect(await store.call('get_entity', { id: 1 })).toMatchObject({
      project_ids: [2],
      updated_at: before.updated_at,
    });
    expect(await inProject(2)).toBe(1);
    await store.call('delete_project', { project_id: 2 });
    expect(await store.call('get_entity', { id: 1 })).toMatchObject({ project_ids: [] });
    expect(await inProject(2)).toBe(0);
    expect(await find(store, 'kettle')).toHaveLength(1);
    await store.call('create_project', { name: 'again', description: 'd' });
    await store.call('link_entity_to_project', { entity_id: 1, project_id: 3 });
    expect(await inProject(3)).toBe(1);
    await store.call('unlink_entity_from_project', { entity_id: 1, project_id: 3 });
    expect(await inProject(3)).toBe(0);
  });

  it('B68 a name with quotes touches its own project alone', async () => {
    const store = await openTestStore();
    const names = ["it's", "x' OR 'q'='q", 'plain'];
    for (const name of names) await store.call('create_project', { name, description: 'd' });
    for (const [index, tag] of ["a'); --", 'b', 'c'].entries()) {
      const given = { entity_type: 'Team', tags: [tag], project_ids: [index + 1] };
      await store.call('create_entity', { name: names[index], ...given });
    }
    const list = (input: object) => store.call<{ entities: { id: number }[]; total: number }>('list_entities', input);
    expect(await list({ tags: ["a'); --"] })).toMatchObject({ entities: [{ id: 1 }], total: 1 });
    expect(await store.call('search_entities', { query: "x' OR 'q'='q" })).toMatchObject({ total: 1 });
    expect(await find(store, "x' OR 'q'='q", { project_ids: [2] })).toMatchObject([{ kind: 'entity', id: 2 }]);
    await store.call('delete_entity', { entity_id: 2 });
    expect(await list({})).toMatchObject({ total: 2 });
    expect(await list({ project_ids: [1] })).toMatchObject({ total: 1 });
    for (const [name, field] of [
      ['get_skill', 'skill_id'],
      ['delete_skill', 'skill_id'],
      ['delete_entity', 'entity_id'],
    ] as const) {
      await expect(store.call(name, { [field]: "z' OR 1=1" })).rejects.toMatchObject({
        code: 'invalid_input',
        details: { [field]: expect.any(String) },
      });
    }
    expect(await list({})).toMatchObject({ total: 2 });
  });
});

describe('a note that another one replaced', () => {
  it('K131 is shown through its successor, and an entity at the end of the chain', async () => {
    const store = await openTestStore();
    for (const word of ['apples', 'bricks', 'clouds']) await store.call('create_memory', note(word, `${word} alone`));
    await store.call('create_entity', { name: 'E', entity_type: 'Team' });
    await store.call('link_entity_to_memory', { entity_id: 1, memory_id: 1 });
    await store.call('mark_memory_obsolete', { memory_id: 1, reason: 'newer', superseded_by: 2 });
    await store.call('mark_memory_obsolete', { memory_id: 2, reason: 'newer', superseded_by: 3 });
    expect(await store.call('get_entity_memories', { entity_id: 1 })).toMatchObject({
      memory_ids: [3],
      memories: [{ id: 3, title: 'clouds' }],
    });
    expect(await store.call('get_memory_entities', { memory_id: 3 })).toMatchObject({ entity_ids: [1] });
    expect(await store.call('memory_get', { id: 3 })).toMatchObject({ entities: [{ id: 1, name: 'E' }] });
    await store.call('mark_memory_obsolete', { memory_id: 3, reason: 'nothing' });
    expect(await store.call('get_entity_memories', { entity_id: 1 })).toMatchObject({ memory_ids: [] });
  });
});

describe('memories that share an entity', () => {
  it('are brought to mind by a search of depth 3', async () => {
    const store = await openTestStore();
    await store.call('create_memory', note('Kettle', 'the kettle boils at nine'));
    await store.call('create_memory', note('Rota', 'sweeping happens on fridays'));
    await store.call('create_entity', { name: 'Kitchen', entity_type: 'Team' });
    const related = async () =>
      (
        await store.call<{ related: { id: number; via: string }[] }>('memory_search', {
          query: 'kettle boils',
          limit: 1,
          depth: 3,
        })
      ).related;
    expect(await related()).not.toContainEqual(expect.objectContaining({ via: 'entity' }));
    for (const memory_id of [1, 2]) await store.call('link_entity_to_memory', { entity_id: 1, memory_id });
    expect(await related()).toContainEqual(expect.objectContaining({ id: 2, via: 'entity' }));
  });
});

describe('two users', () => {
  it('K131 see, link, list, search and walk their own alone', async () => {
    const store = await openTestStore();
    await plantPlot(store);
    const other = { userId: addUser(store) };
    const refused = { code: 'not_found' };
    for (const [name, input] of [
      ['get_entity', { id: 1 }],
      ['update_entity', { id: 1, name: 'mine' }],
      ['delete_entity', { id: 1 }],
      ['get_entity_memories', { entity_id: 1 }],
      ['get_memory_entities', { memory_id: 1 }],
      ['get_entity_relationships', { entity_id: 1 }],
      ['update_entity_relationship', { id: 1, strength: 0 }],
      ['delete_entity_relationship', { id: 1 }],
      ['get_subgraph', { node_id: 'entity_1' }],
      ['get_memory_graph', { id: 1 }],
      ['get_graph', { project_id: 1 }],
      ['get_skill', { id: 1 }],
      ['delete_skill', { id: 1 }],
      ['get_skill_links', { skill_id: 1 }],
      ['get_linked_skills', { file_id: 1 }],
    ] as const) {
      await expect(store.call(name, input, other), name).rejects.toMatchObject(refused);
    }
    const { id } = await store.call<{ id: number }>('create_entity', { name: 'Mine', entity_type: 'Team' }, other);
    for (const [name, input] of [
      ['link_entity_to_memory', { entity_id: id, memory_id: 1 }],
      ['link_entity_to_project', { entity_id: id, project_id: 1 }],
      ['link_entity_to_file', { entity_id: id, file_id: 1 }],
      ['create_entity_relationship', { from_entity_id: id, to_entity_id: 1, relationship_type: 'owns' }],
      ['create_entity', { name: 'X', entity_type: 'Team', project_ids: [1] }],
    ] as const) {
      await expect(store.call(name, input, other), name).rejects.toMatchObject(refused);
    }
    expect(await store.call('list_entities', {}, other)).toMatchObject({ entities: [{ id }], total: 1 });
    expect(await store.call('search_entities', { query: 'cache' }, other)).toMatchObject({ total: 0 });
    expect(await store.call('get_graph', {}, other)).toMatchObject({ nodes: [{ id: `entity_${id}` }], edges: [] });
    expect(await store.call('search_everything', { query: 'cache mine' }, other)).toMatchObject({
      results: [{ kind: 'entity', id }],
    });
    // a name is taken once a user
    const skill = { name: 'reset-cache', description: 'Mine', content: 'x' };
    await expect(store.call('create_skill', skill, other)).resolves.toMatchObject({ name: 'reset-cache' });
  });
});

describe('a change of an entity', () => {
  it('is found by its new words at once, moves updated_at alone when something changed, and is logged once', async () => {
    const store = await openTestStore();
    await store.call('create_entity', { name: 'Kettle', entity_type: 'Device', notes: 'boils water' });
    store.clock.advance(5_000);
    const same = await store.call<{ updated_at: string; created_at: string }>('update_entity', {
      id: 1,
      name: 'Kettle',
      notes: 'boils water',
    });
    expect(same.updated_at).toBe(same.created_at);
    const changed = await store.call<{ updated_at: string }>('update_entity', { id: 1, notes: 'grinds coffee' });
    expect(changed.updated_at).not.toBe(same.updated_at);
    expect(await find(store, 'coffee')).toMatchObject([{ kind: 'entity', id: 1 }]);
    const actions = queryHome<{ action: string }>(
      store.home,
      "SELECT action FROM change_log WHERE kind = 'entity' ORDER BY seq",
    );
    expect(actions.map(({ action }) => action)).toEqual(['created', 'updated']);
  });

  it('without a model is stored, found by keyword, and embedded later', async () => {
    const store = await openTestStore();
    store.embedder.fail('away');
    await store.call('create_entity', { name: 'Kettle', entity_type: 'Device' });
    expect(await find(store, 'kettle')).toMatchObject([{ kind: 'entity', id: 1 }]);
    const rows = () =>
      queryHome<{ embedded: number }>(store.home, "SELECT embedded FROM searchables WHERE kind = 'entity'");
    expect(rows()).toEqual([{ embedded: 0 }]);
    store.embedder.fail(null);
    await store.close();
    const again = await openTestStore({ home: store.home, embedder: store.embedder });
    await expect.poll(() => rows()).toEqual([{ embedded: 1 }]);
    await again.close();
  });

  it('a credential in notes or metadata is refused and nothing is stored', async () => {
    const store = await openTestStore();
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    for (const more of [{ notes: `token ${token}` }, { metadata: { token } }]) {
      await expect(store.call('create_entity', { name: 'E', entity_type: 'Team', ...more })).rejects.toMatchObject({
        code: 'rejected_by_policy',
      });
    }
    expect(await store.call('list_entities')).toMatchObject({ total: 0 });
  });

  it('many at once leave one row, one rev and one answer each', async () => {
    const store = await openTestStore();
    await store.call('create_project', { name: 'shop', description: 'd' });
    await store.call('create_entity', { name: 'Kettle', entity_type: 'Device' });
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 3 === 0
          ? store.call('update_entity', { id: 1, notes: `note ${index}` })
          : store.call(index % 3 === 1 ? 'link_entity_to_project' : 'unlink_entity_from_project', {
              entity_id: 1,
              project_id: 1,
            }),
      ),
    );
    const rows = queryHome(
      store.home,
      `SELECT e.id FROM entities e JOIN searchables s ON s.kind = 'entity' AND s.thing_id = e.id AND s.rev = e.rev
        JOIN vectors v ON v.kind = 'entity' AND v.thing_id = e.id AND v.rev = e.rev
        WHERE s.projects = (SELECT ',' || coalesce(group_concat(to_id || ',', ''), '') FROM thing_links
          WHERE from_kind = 'entity' AND from_id = e.id AND to_kind = 'project')`,
    );
    expect(rows).toEqual([{ id: 1 }]);
  });
});
