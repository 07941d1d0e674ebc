// Things that keep no versions, changed apart on two machines: each field is the one that was written last, and both machines say the same.
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { plantPlot } from '../../support/knowledge-plot.ts';
import { changeHome, queryHome } from '../../support/open-store-file.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';
import { exportLines, importInto } from '../../support/transfer.ts';

const hour = 3_600_000;
type Found = { results: { id: number }[] };
const file = async (test: TestStore): Promise<string> => (await exportLines(test)).join('\n');
/** Without how often each memory was read. */
const body = async (test: TestStore): Promise<string[]> =>
  (await exportLines(test))
    .slice(1)
    .map((line) => line.replace(/"access_count":\d+,"last_accessed_at":[^,]+/, '"access_count":0'))
    .sort();

/** Two stores with one of everything, with the same ids, an hour later. */
async function twoStores(clockOfTwo?: TestStore['clock']) {
  const one = await openTestStore();
  const plot = await plantPlot(one);
  await one.call('add_criterion', { task_id: plot.task, description: 'it is quiet' });
  await one.call('add_criterion', { task_id: plot.task, description: 'it is cool' });
  const two = await openTestStore({ clock: clockOfTwo ?? one.clock });
  await importInto(two, await file(one));
  expect(await body(two)).toEqual(await body(one));
  one.clock.advance(hour);
  return { one, two, plot };
}

/** Each imports what the other held, and what each reports. */
async function exchange(one: TestStore, two: TestStore) {
  const [ofOne, ofTwo] = [await file(one), await file(two)];
  const dry = await importInto(one, ofTwo, { dry_run: true });
  const reports = [await importInto(one, ofTwo), await importInto(two, ofOne)].map(({ report }) => report);
  expect(dry.report).toMatchObject({ counts: reports[0]?.counts, conflicts: reports[0]?.conflicts });
  expect(await body(one)).toEqual(await body(two));
  for (const store of [one, two]) {
    for (const bytes of [ofOne, ofTwo]) {
      const { report } = await importInto(store, bytes);
      expect(Object.values(report?.counts ?? {}).map(({ added, updated }) => [added, updated])).toEqual(
        Object.keys(report?.counts ?? {}).map(() => [0, 0]),
      );
      expect(report?.conflict_count).toBe(0);
    }
  }
  return reports;
}

describe('two machines that changed different fields of one thing', () => {
  it('both keep both changes, of every kind, and no conflict is told', async () => {
    const { one, two, plot } = await twoStores();
    const document_id = plot.document;
    const changes = [
      ['update_project', { project_id: plot.project, notes: 'on one' }, { description: 'on two' }],
      ['update_document', { document_id, title: 'Almanac' }, { content: 'a zebra was seen' }],
      ['update_code_artifact', { artifact_id: plot.artifact, code: 'again()' }, { tags: ['two'] }],
      ['update_file', { file_id: plot.file, data: 'b25l' }, { description: 'on two' }],
      ['update_skill', { skill_id: plot.skill, content: 'Do it on one.' }, { importance: 9 }],
      ['update_entity', { entity_id: plot.entity, notes: 'on one' }, { aka: ['cache-02'] }],
      ['update_entity_relationship', { relationship_id: 1, strength: 0.25 }, { metadata: { since: '2020' } }],
      ['update_plan', { plan_id: plot.plan, goal: 'on one' }, { context: 'on two' }],
      ['update_task', { task_id: plot.task, description: 'on one' }, { priority: 'P0' }],
    ] as const;
    for (const [operation, first] of changes) await one.call(operation, first);
    await one.call('update_criterion', { criterion_id: 1, met: true });
    one.clock.advance(hour);
    for (const [operation, first, second] of changes) {
      const [[word = '', id]] = Object.entries(first) as [[string, unknown]];
      await two.call(operation, { [word]: id, ...second });
    }
    await two.call('update_criterion', { criterion_id: 2, met: true });
    one.clock.advance(hour);

    const reports = await exchange(one, two);
    expect(reports.map((report) => report?.conflicts)).toEqual([[], []]);
    const said = (await body(one)).map((line) => JSON.parse(line) as Record<string, unknown>);
    const only = (kind: string) => said.find((record) => record.kind === kind && record.name !== 'Ops');
    expect(only('project')).toMatchObject({ notes: 'on one', description: 'on two' });
    expect(only('document')).toMatchObject({ title: 'Almanac', content: 'a zebra was seen' });
    expect(only('code_artifact')).toMatchObject({ code: 'again()', tags: ['two'] });
    expect(only('file')).toMatchObject({ data: 'b25l', description: 'on two' });
    expect(only('skill')).toMatchObject({ content: 'Do it on one.', importance: 9 });
    expect(only('entity')).toMatchObject({ notes: 'on one', aka: ['cache-02'] });
    expect(only('relationship')).toMatchObject({ strength: 0.25, metadata: { since: '2020' } });
    expect(only('plan')).toMatchObject({ goal: 'on one', context: 'on two' });
    expect(only('task')).toMatchObject({
      description: 'on one',
      priority: 'P0',
      criteria: [{ met: true }, { met: true }],
    });
    for (const store of [one, two]) {
      // both halves of what was merged are in the index
      for (const query of ['almanac', 'zebra']) {
        const found = await store.call<Found>('search_everything', { query, kinds: ['document'] });
        expect(found.results).toMatchObject([{ id: document_id, title: 'Almanac', keyword: expect.any(Number) }]);
      }
      const { size_bytes } = await store.call<{ size_bytes: number }>('get_file', { file_id: plot.file });
      expect(size_bytes).toBe(3);
    }
  });

  it('keep what was changed beside the thing itself: its project, its lease, what a task demands', async () => {
    const { one, two, plot } = await twoStores();
    await one.call('unlink_entity_from_project', { entity_id: plot.entity, project_id: plot.project });
    await one.call('add_criterion', { task_id: plot.task, description: 'it is cheap' });
    const claim = { task_id: plot.task, agent_id: 'ada', version: 4, lease_seconds: 36_000 };
    await one.call('claim_task', claim);
    await one.call('renew_task', { task_id: plot.task, agent_id: 'ada', lease_seconds: 72_000 });
    one.clock.advance(hour);
    await two.call('update_entity', { entity_id: plot.entity, notes: 'on two' });
    await two.call('update_task', { task_id: plot.task, title: 'Order all parts' });
    await exchange(one, two);
    const said = (await body(two)).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(said.find(({ name }) => name === 'Cache server')).toMatchObject({ projects: [], notes: 'on two' });
    expect(said.find(({ kind }) => kind === 'task')).toMatchObject({
      title: 'Order all parts',
      state: 'doing',
      assigned_agent: 'ada',
      lease_expires_at: new Date(one.clock.now() + 19 * hour).toISOString(),
      criteria: [{}, {}, { description: 'it is cheap' }],
    });
  });

  it('tell the fields that both changed, and keep what they said on the other', async () => {
    const { one, two, plot } = await twoStores();
    await one.call('update_document', { document_id: plot.document, title: 'on one', content: 'the earlier text' });
    await one.call('update_skill', { skill_id: plot.skill, tags: ['earlier-tag'], metadata: { said: 'earlier' } });
    one.clock.advance(hour);
    await two.call('update_skill', { skill_id: plot.skill, tags: ['later-tag'], metadata: { said: 'later' } });
    await two.call('update_document', { document_id: plot.document, description: 'on two', content: 'the later text' });
    const [ofOne, ofTwo] = await exchange(one, two);
    expect([ofOne?.conflicts, ofTwo?.conflicts]).toEqual([
      [],
      [
        { kind: 'document', id: plot.document, uid: expect.any(String), fields: ['content'] },
        { kind: 'skill', id: plot.skill, uid: expect.any(String), fields: ['tags', 'metadata'] },
      ],
    ]);
    for (const store of [one, two]) {
      const document = await store.call('get_document', { document_id: plot.document });
      expect(document).toMatchObject({ title: 'on one', description: 'on two', content: 'the later text' });
      const events = await store.call('get_activity_history', { entity_type: 'document', entity_id: plot.document });
      expect(JSON.stringify(events)).toContain('the earlier text');
      const ofSkill = await store.call('get_activity_history', { entity_type: 'skill', entity_id: plot.skill });
      expect(JSON.stringify(ofSkill)).toMatch(/"earlier-tag".*"said":"earlier"/);
    }
  });

  it('keep what was changed after an import, though the other clock runs ahead', async () => {
    const { one, two, plot } = await twoStores(createFakeClock(Date.UTC(2026, 0, 7)));
    await two.call('update_entity', { entity_id: plot.entity, notes: 'written in the future', tags: ['ahead'] });
    await importInto(one, await file(two));
    await one.call('update_entity', { entity_id: plot.entity, notes: 'an answer to it' });
    await exchange(one, two);
    const entity = await two.call('get_entity', { entity_id: plot.entity });
    expect(entity).toMatchObject({ notes: 'an answer to it', tags: ['ahead'] });
  });

  it('go by the last change of a thing where an export tells no times of its fields', async () => {
    const { one, two, plot } = await twoStores();
    await one.call('update_entity', { entity_id: plot.entity, notes: 'early' });
    one.clock.advance(hour);
    await two.call('update_entity', { entity_id: plot.entity, tags: ['two'], notes: 'between' });
    one.clock.advance(hour);
    await one.call('update_entity', { entity_id: plot.entity, aka: ['late'] });
    const untimed = (await file(two)).replace(/,"field_times":\{[^}]*\}/g, '');
    expect(untimed).not.toContain('"field_times":{');
    await importInto(one, untimed);
    const entity = await one.call('get_entity', { entity_id: plot.entity });
    expect(entity).toMatchObject({ notes: 'between', tags: ['two'], aka: ['late'] });
  });
});

describe('the times of fields', () => {
  it('are kept of what was changed alone, and go with the thing', async () => {
    const test = await openTestStore();
    const plot = await plantPlot(test);
    const kept = () =>
      queryHome<{ kind: string; field: string }>(test.home, 'SELECT kind, field FROM field_times ORDER BY kind, field');
    expect(kept()).toEqual([]);
    test.clock.advance(hour);
    await test.call('update_document', { document_id: plot.document, title: 'Almanac', project_id: null });
    await test.call('update_task', { task_id: plot.task, title: 'Order all parts' });
    await test.call('update_entity_relationship', { relationship_id: 1, strength: 0.5 });
    expect(kept().map(({ kind, field }) => `${kind} ${field}`)).toEqual([
      'document project',
      'document title',
      'relationship strength',
      'task title',
    ]);
    await test.call('delete_document', { document_id: plot.document });
    await test.call('delete_entity', { entity_id: plot.partner });
    await test.call('delete_project', { project_id: plot.project, cascade_plans: true });
    expect(kept()).toEqual([]);
  });

  it('say of what a store changed before it kept them that it is as old as the last change', async () => {
    const { one, two, plot } = await twoStores();
    await two.call('update_document', { document_id: plot.document, title: 'on two' });
    changeHome(two.home, "DELETE FROM field_times WHERE kind = 'document'");
    changeHome(
      two.home,
      "INSERT INTO field_times(kind, thing_id, field, written_at) SELECT 'document', id, 'rest', updated_at FROM documents",
    );
    const line = (await exportLines(two)).find((each) => each.includes('"kind":"document"')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ title: 'on two' });
    expect(line).not.toContain('field_times');
    await importInto(one, await file(two));
    expect(await body(one)).toEqual(await body(two));
  });
});
