// Two stores that were one, changed apart and exchanged: both end with the same, and nobody's words are lost.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { internalContext } from '#daemon/kernel/context.ts';
import { tablesHolding } from '../../support/open-store-file.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';
import { exportLines, importInto } from '../../support/transfer.ts';

const body = async (test: TestStore): Promise<string[]> => (await exportLines(test)).slice(1).sort();
/** Without how often each was read, which is counted a little later. */
const unread = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/"access_count":\d+,"last_accessed_at":[^,]+/, ''));
const file = async (test: TestStore): Promise<string> => (await exportLines(test)).join('\n');
const hour = 3_600_000;

/** Two stores with the same things in them. */
async function twoStores(): Promise<[TestStore, TestStore]> {
  const one = await openTestStore();
  await one.call('memory_save', { content: 'the port is 3456', project: 'gateway', importance: 5 });
  await one.call('memory_save', { content: 'unrelated', on_duplicate: 'keep' });
  await one.call('create_entity', { name: 'Ada', entity_type: 'Individual' });
  const two = await openTestStore({ clock: one.clock });
  await importInto(two, await file(one));
  one.clock.advance(hour);
  return [one, two];
}

describe('two machines that exchange their exports', () => {
  it('end with the same: each field as it was written last, the other text in the history', async () => {
    const [one, two] = await twoStores();
    await one.call('memory_update', { id: 1, content: 'the port is 4000' });
    await one.call('update_entity', { entity_id: 1, notes: 'older' });
    one.clock.advance(hour);
    await two.call('memory_update', { id: 1, importance: 9, tags: ['net'] });
    await two.call('memory_update', { id: 2, content: 'still unrelated' });
    await two.call('update_entity', { entity_id: 1, notes: 'newer' });
    await two.call('memory_save', { content: 'only here', on_duplicate: 'keep' });
    one.clock.advance(hour);
    const [ofOne, ofTwo] = [await file(one), await file(two)];

    const { report } = await importInto(one, ofTwo);
    expect(report).toMatchObject({
      counts: { memory: { added: 1, updated: 2, unchanged: 0 }, entity: { updated: 1 } },
      conflict_count: 1,
      conflicts: [{ kind: 'memory', fields: ['content'] }],
    });
    await importInto(two, ofOne);
    expect(await body(one)).toEqual(await body(two));
    for (const store of [one, two]) {
      expect(await store.call('memory_get', { id: 1 })).toMatchObject({
        content: 'the port is 4000',
        importance: 9,
        tags: ['net'],
      });
      expect(await store.call('get_entity', { entity_id: 1 })).toMatchObject({ notes: 'newer' });
      const { versions } = await store.call<{ versions: { content: string }[] }>('memory_history', { id: 1 });
      expect(JSON.stringify(versions)).toContain('the port is 3456');
    }
    const found = await one.call<{ results: { id: number }[] }>('memory_search', { query: '4000', mode: 'keyword' });
    expect(found.results.map(({ id }) => id)).toEqual([1]);
    const before = await body(one);
    for (const bytes of [ofOne, ofTwo]) await importInto(one, bytes);
    expect(unread(await body(one))).toEqual(unread(before));
  });

  it('keep the text that loses of a thing without a history, on both sides, however long it is, and tell of it once', async () => {
    const one = await openTestStore();
    const two = await openTestStore({ clock: one.clock });
    await one.call('create_document', { title: 'Runbook', content: 'as it was' });
    await one.call('create_entity', { name: 'Ada', entity_type: 'Individual', notes: 'as she was' });
    await one.call('create_entity', { name: 'Acme', entity_type: 'Organization' });
    const ends = { source_entity_id: 1, target_entity_id: 2, relationship_type: 'works_at' };
    await one.call('create_entity_relationship', { ...ends, metadata: {} });
    const before = await file(one);
    await importInto(two, before);
    one.clock.advance(hour);
    const long = `the older text ${'of many words '.repeat(3_000)}`;
    await one.call('update_document', { document_id: 1, content: long });
    await one.call('update_entity', { entity_id: 1, notes: 'older notes' });
    one.clock.advance(hour);
    await two.call('update_document', { document_id: 1, content: 'the newer text' });
    await two.call('update_entity', { entity_id: 1, notes: 'newer notes' });
    const [ofOne, ofTwo] = [await file(one), await file(two)];

    // an earlier state of the thing itself is no conflict
    expect((await importInto(two, before)).report).toMatchObject({ conflict_count: 0 });
    const lost = [
      { kind: 'document', id: 1, fields: ['content'] },
      { kind: 'entity', id: 1, fields: ['notes'] },
    ];
    const dry = await importInto(two, ofOne, { dry_run: true });
    expect(dry.report).toMatchObject({ conflict_count: 2, conflicts: lost });
    const { report } = await importInto(two, ofOne);
    expect(report).toMatchObject({ counts: { document: { unchanged: 1, updated: 0 } }, conflicts: lost });
    await importInto(one, ofTwo);
    expect(await body(one)).toEqual(await body(two));
    for (const store of [one, two]) {
      expect(await store.call('get_document', { document_id: 1 })).toMatchObject({ content: 'the newer text' });
      const told = async (entity_type: string) =>
        JSON.stringify(await store.call('get_activity_history', { entity_type, entity_id: 1 }));
      expect(await told('document')).toContain(long.trim());
      expect(await told('entity')).toContain('older notes');
    }
    expect((await importInto(two, ofOne)).report).toMatchObject({ conflict_count: 0 });
  });

  it('leave nothing in the log of a relationship that is erased later', async () => {
    const one = await openTestStore();
    const two = await openTestStore({ clock: one.clock });
    await one.call('create_entity', { name: 'Ada', entity_type: 'Individual' });
    await one.call('create_entity', { name: 'Acme', entity_type: 'Organization' });
    const ends = { source_entity_id: 1, target_entity_id: 2, relationship_type: 'works_at' };
    await one.call('create_entity_relationship', { ...ends, metadata: { said: 'the first word' } });
    await importInto(two, await file(one));
    one.clock.advance(hour);
    await one.call('update_entity_relationship', { relationship_id: 1, metadata: { said: 'the second word' } });
    await importInto(two, await file(one));
    const events = async () =>
      JSON.stringify(await two.call('get_activity_history', { entity_type: 'entity_relationship', entity_id: 1 }));
    expect(await events()).toContain('the first word');
    await two.call('delete_entity_relationship', { relationship_id: 1 });
    expect(await events()).not.toMatch(/the (first|second) word/);
    expect([tablesHolding(two.home, 'the first word'), tablesHolding(two.home, 'the second word')]).toEqual([[], []]);
  });

  it('keep one live fact under a key that both saved apart, the one written last, and the other points to it', async () => {
    const one = await openTestStore();
    const two = await openTestStore({ clock: one.clock });
    const fact = { action: 'save', category: 'preferences', key: 'editor' };
    await one.call('memory', { ...fact, value: 'helix' });
    one.clock.advance(hour);
    await two.call('memory', { ...fact, value: 'kakoune' });
    const [ofOne, ofTwo] = [await file(one), await file(two)];
    await importInto(one, ofTwo);
    await importInto(two, ofOne);
    expect(await body(one)).toEqual(await body(two));
    for (const store of [one, two]) {
      const { facts } = await store.call<{ facts: { value: string }[] }>('memory', {
        action: 'search',
        query: 'editor',
      });
      expect(facts.map(({ value }) => value)).toEqual(['kakoune']);
      await importInto(store, ofOne);
    }
    expect(unread(await body(one))).toEqual(unread(await body(two)));
  });

  it('keep one project of a name, one skill of a name and one plan of a reference, whatever their uids', async () => {
    const one = await openTestStore();
    const two = await openTestStore({ clock: one.clock });
    for (const [store, what] of [
      [one, 'first'],
      [two, 'second'],
    ] as const) {
      await store.call('memory_save', { content: `said on the ${what}`, project: 'Storefront', on_duplicate: 'keep' });
      await store.call('create_skill', { name: 'log-reader', description: what, content: what });
      await store.call('create_plan', { title: what, project_id: 1, external_ref: 'issue-7' });
      one.clock.advance(hour);
    }
    const { report } = await importInto(one, await file(two));
    expect(report?.counts).toMatchObject({
      memory: { added: 1 },
      project: { added: 0 },
      skill: { updated: 1 },
      plan: { updated: 1 },
    });
    const { projects } = await one.call<{ projects: { name: string; memory_count: number }[] }>('list_projects');
    expect(projects.map(({ name, memory_count: count }) => [name, count])).toEqual([['Storefront', 2]]);
    expect(await one.call('get_skill', { skill_id: 1 })).toMatchObject({ description: 'second' });
    const again = await importInto(one, await file(two));
    expect(again.report?.counts).toMatchObject({
      memory: { added: 0, updated: 0 },
      skill: { updated: 0 },
      plan: { updated: 0 },
    });
  });
});

describe('an export', () => {
  it('B22 leaves out what is hidden, and the links to it, unless it is asked for; what comes back is there again', async () => {
    const test = await openTestStore();
    const note = { context: '', keywords: [], tags: [], importance: 5 };
    await test.call('create_memory', { title: 'A', content: 'the visible one', ...note });
    await test.call('create_memory', { title: 'B', content: 'the hidden one', ...note });
    await test.call('link_memories', { memory_id: 1, related_ids: [2] });
    await test.call('mark_memory_obsolete', { memory_id: 2, reason: 'wrong' });
    const live = await exportLines(test, { all: false });
    expect(live.join('\n')).not.toContain('the hidden one');
    expect(JSON.parse(live[0] ?? '')).toMatchObject({ counts: { memory: 1, link: 0 }, left_out: { memories: 1 } });
    const all = (await exportLines(test)).join('\n');
    expect(all).toContain('the hidden one');
    expect(all).toContain('"kind":"link"');
    await test.call('unobsolete_memory', { memory_id: 2 });
    const back = (await exportLines(test, { all: false })).join('\n');
    expect(back).toContain('the hidden one');
    expect(back).toContain('"kind":"link"');
  });

  it('is the store at one moment, whatever is written while it is read', async () => {
    const test = await openTestStore();
    await test.call('memory_save', { content: 'before' });
    const lines = await test.store.openExport({ project: null, includeObsolete: true }, internalContext);
    await test.call('memory_save', { content: 'meanwhile', on_duplicate: 'keep' });
    let text = '';
    for await (const part of lines) text += Buffer.from(part).toString();
    expect(text).toContain('before');
    expect(text).not.toContain('meanwhile');
  });

  it('of a project holds its things and what they need, and not another word', async () => {
    const test = await openTestStore();
    await test.call('memory_save', { content: 'said of the gateway', project: 'gateway' });
    await test.call('memory_save', { content: 'said of the shop', project: 'shop' });
    await test.call('create_document', { title: 'Shop', content: 'a handbook', project_id: 2 });
    const lines = await exportLines(test, { project: 'Gateway' });
    expect(lines.slice(1).map((line) => JSON.parse(line).kind)).toEqual(['project', 'memory']);
    await expect(exportLines(test, { project: 'gatewya' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('any file', () => {
  it('ends done or refused, never with a fault of ours', async () => {
    const test = await openTestStore();
    const word = fc.constantFrom(
      'kind',
      'uid',
      'content',
      'created_at',
      'updated_at',
      'occurred_at',
      'history',
      'from',
      'to',
      'metadata',
      'title',
    );
    const value = fc.oneof(
      fc.constantFrom<unknown>('memory', 'link', 'task', 'entity', '2026-01-05T08:00:00Z', randomUUID(), [], {}, null),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const record = fc.dictionary(word, value, { maxKeys: 9 });
    const head = { kind: 'loci_export', format: 1, loci_version: '', exported_at: '', counts: {} };
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 5 }), fc.boolean(), async (records, skip_invalid) => {
        const bytes = [head, ...records].map((line) => JSON.stringify(line)).join('\n');
        const { state, error } = await importInto(test, bytes, { skip_invalid });
        expect([state, error ?? '']).not.toEqual(['failed', expect.stringMatching(/itself failed/)]);
        expect(['done', 'refused']).toContain(state);
      }),
      { numRuns: 25 },
    );
  });
});
