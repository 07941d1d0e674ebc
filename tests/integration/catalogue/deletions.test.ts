// What is deleted is gone from every table that ties two things together, and what it was tied to stays.
import { expect, it } from 'vitest';
import { queryHome } from '../../support/open-store-file.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Thing = { id: number };

/** Rows of each table of links that name a thing, by table. */
function rowsNaming(store: TestStore, kind: string, id: number): Record<string, number> {
  const count = (sql: string, ...parameters: unknown[]): number =>
    Number(queryHome<{ count: number }>(store.home, sql, ...parameters)[0]?.count);
  return {
    links: count(
      'SELECT count(*) AS count FROM thing_links WHERE (from_kind = ? AND from_id = ?) OR (to_kind = ? AND to_id = ?)',
      kind,
      id,
      kind,
      id,
    ),
    words: count('SELECT count(*) AS count FROM searchables WHERE kind = ? AND thing_id = ?', kind, id),
    vectors: count('SELECT count(*) AS count FROM vectors WHERE kind = ? AND thing_id = ?', kind, id),
    ...(kind === 'project'
      ? { memories: count('SELECT count(*) AS count FROM memory_projects WHERE project_id = ?', id) }
      : {}),
    ...(kind === 'entity'
      ? {
          relationships: count(
            'SELECT count(*) AS count FROM entity_relationships WHERE source_id = ? OR target_id = ?',
            id,
            id,
          ),
        }
      : {}),
  };
}

it('B18 a deleted document, entity or project leaves no row that names it, and whatever it was tied to', async () => {
  const store = await openTestStore();
  const create = (kind: string, input: object) => store.call<Thing>(`create_${kind}`, input);
  const project = await create('project', { name: 'Harbour', project_type: 'development' });
  const document = await create('document', {
    title: 'Tides',
    content: '# Tides\n\nHigh water comes twice a day.',
    document_type: 'markdown',
    project_id: project.id,
  });
  const note = await create('memory', {
    title: 'High water',
    content: 'High water comes twice a day at the harbour.',
    context: 'a test of deletions',
    keywords: ['tide'],
    tags: ['harbour'],
    importance: 7,
    project_ids: [project.id],
    document_ids: [document.id],
  });
  const pilot = await create('entity', {
    name: 'Pilot office',
    entity_type: 'Organization',
    project_ids: [project.id],
  });
  const dock = await create('entity', { name: 'Dock nine', entity_type: 'Device' });
  await store.call('link_entity_to_memory', { entity_id: pilot.id, memory_id: note.id });
  await store.call('create_entity_relationship', {
    source_entity_id: pilot.id,
    target_entity_id: dock.id,
    relationship_type: 'owns',
  });
  const kinds = { document: document.id, entity: pilot.id, project: project.id };
  for (const [kind, id] of Object.entries(kinds)) {
    expect(Math.max(...Object.values(rowsNaming(store, kind, id))), kind).toBeGreaterThan(0);
    await store.call(`delete_${kind}`, { [`${kind}_id`]: id });
    for (const [table, rows] of Object.entries(rowsNaming(store, kind, id))) expect(rows, `${kind}: ${table}`).toBe(0);
  }
  expect(await store.call('get_memory', { memory_id: note.id })).toMatchObject({
    title: 'High water',
    document_ids: [],
    project_ids: [],
  });
  expect(await store.call('get_entity', { entity_id: dock.id })).toMatchObject({ name: 'Dock nine' });
  expect(rowsNaming(store, 'entity', dock.id)).toMatchObject({ relationships: 0 });
});
