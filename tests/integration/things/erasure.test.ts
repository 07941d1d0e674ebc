// Erased is erased for every kind of thing, nothing that is left hangs in the air, and nobody sees what is another's.
import { describe, expect, it } from 'vitest';
import { checkKeywordIndex, filesHolding, queryHome, tablesHolding } from '../../support/open-store-file.ts';
import { openTestStore } from '../../support/test-store.ts';

const secretWord = 'zanzibarite';
const other = { userId: 2 };

const documents = {
  title: `A ${secretWord}`,
  content: `# ${secretWord}\nthe hoard of ${secretWord}`,
  tags: [secretWord],
};
const artifacts = { title: `A ${secretWord}`, code: `${secretWord}()`, language: 'js', description: secretWord };
const files = {
  filename: `${secretWord}.txt`,
  description: secretWord,
  mime_type: 'text/plain',
  data: Buffer.from(`the ${secretWord}`).toString('base64'),
};
const things = [
  ['document', documents, { content: `moved ${secretWord}` }],
  ['code_artifact', artifacts, { code: `moved_${secretWord}()` }],
  ['file', files, { description: `a ${secretWord} moved` }],
  [
    'project',
    { name: `The ${secretWord}`, notes: secretWord, metadata: { a: secretWord } },
    { notes: `${secretWord}!` },
  ],
] as const;

/** Rows that name a thing which is not there. */
function orphans(home: string): unknown[] {
  const kinds = [
    ['document', 'documents'],
    ['code_artifact', 'code_artifacts'],
    ['file', 'files'],
    ['memory', 'memories'],
    ['project', 'projects'],
  ];
  return kinds.flatMap(([kind, table]) => [
    ...queryHome(
      home,
      `SELECT * FROM searchables WHERE kind = '${kind}' AND thing_id NOT IN (SELECT id FROM ${table})`,
    ),
    ...queryHome(home, `SELECT kind FROM vectors WHERE kind = '${kind}' AND thing_id NOT IN (SELECT id FROM ${table})`),
    ...queryHome(
      home,
      `SELECT * FROM thing_links WHERE from_kind = '${kind}' AND from_id NOT IN (SELECT id FROM ${table})`,
    ),
    ...queryHome(
      home,
      `SELECT * FROM thing_links WHERE to_kind = '${kind}' AND to_id NOT IN (SELECT id FROM ${table})`,
    ),
  ]);
}

/** No operation of this version makes a user, so the row is written as one would. */

describe('deleting a thing', () => {
  it.each(things)(
    'K121 no value of any table and no byte on disk holds the text of a deleted %s',
    async (kind, input, change) => {
      const store = await openTestStore();
      const { id } = await store.call<{ id: number }>(`create_${kind}`, { ...input, idempotency_key: 'create' });
      await store.call(`update_${kind}`, { id, ...change, idempotency_key: 'change' });
      expect(tablesHolding(store.home, secretWord)).toEqual(
        expect.arrayContaining(['change_log', 'idempotent_answers']),
      );
      await store.call(`delete_${kind}`, { id, idempotency_key: 'delete' });
      expect(tablesHolding(store.home, secretWord)).toEqual([]);
      expect(filesHolding(store.home, secretWord)).toEqual([]);
      checkKeywordIndex(store.home);
      // that something was there and is gone stays on record
      const log = queryHome<{ action: string }>(
        store.home,
        `SELECT action FROM change_log WHERE kind = '${kind}' ORDER BY seq`,
      );
      expect(log.map(({ action }) => action)).toEqual(['created', 'updated', 'deleted']);
      expect((await store.call<{ id: number }>(`create_${kind}`, input)).id).toBeGreaterThan(id);
    },
  );

  it('leaves no row that names it, whatever hangs on it', async () => {
    const store = await openTestStore();
    await store.call('create_project', { name: 'Shop' });
    for (const [kind, input] of things.slice(0, 3)) await store.call(`create_${kind}`, { ...input, project_id: 1 });
    const links = { document_ids: [1], code_artifact_ids: [1], file_ids: [1] };
    for (const title of ['one', 'two'])
      await store.call('create_memory', { title, content: title, project_ids: [1], ...links });
    for (const [kind] of things) await store.call(`delete_${kind}`, { id: 1 });
    expect(orphans(store.home)).toEqual([]);
    expect(queryHome(store.home, 'SELECT * FROM document_passages')).toEqual([]);
    expect(queryHome(store.home, 'SELECT * FROM file_contents')).toEqual([]);
    expect(queryHome(store.home, 'SELECT * FROM thing_links')).toEqual([]);
    expect(queryHome(store.home, 'SELECT * FROM memory_projects')).toEqual([]);
    expect(await store.call('get_memory', { id: 2 })).toMatchObject({
      title: 'two',
      project_ids: [],
      document_ids: [],
    });
    expect(await store.call('get_recent_memories')).toMatchObject({ total: 2 });
  });

  it('an answer about a memory or a document of the same id is kept', async () => {
    const store = await openTestStore();
    const [note, text] = [
      { title: 't', content: 'c' },
      { title: 'd', content: 'e' },
    ];
    await store.call('create_memory', { ...note, idempotency_key: 'note' });
    await store.call('create_document', { ...text, idempotency_key: 'document' });
    await store.call('create_file', files);
    await store.call('delete_file', { id: 1 });
    expect(await store.call('create_memory', { ...note, idempotency_key: 'note' })).toMatchObject({ id: 1 });
    await store.call('delete_memory', { id: 1 });
    expect(await store.call('create_document', { ...text, idempotency_key: 'document' })).toMatchObject({ id: 1 });
    expect(await store.call('list_documents')).toMatchObject({ total: 1 });
  });

  it('K111 a large project is left by its memories part by part, and each keeps its other projects in order', async () => {
    const store = await openTestStore();
    for (const name of ['Shop', 'Bank', 'Port']) await store.call('create_project', { name });
    const notes = Array.from({ length: 230 }, (_, at) => ({
      content: `note ${at}`,
      project: 'Shop',
      on_duplicate: 'keep',
    }));
    await store.call('memory_save_many', { memories: notes, atomic: true });
    await store.call('update_memory', { id: 1, project_ids: [1, 3, 2] });
    await store.call('delete_project', { id: 1 });
    expect(await store.call('get_memory', { id: 1 })).toMatchObject({ project_ids: [3, 2] });
    expect(await store.call('memory_get', { id: 1 })).toMatchObject({ project: 'Port' });
    expect(await store.call('get_recent_memories')).toMatchObject({ total: 230 });
    expect(queryHome(store.home, "SELECT id FROM searchables WHERE projects LIKE '%,1,%'")).toEqual([]);
    expect(
      queryHome(
        store.home,
        'SELECT v.rev FROM vectors v JOIN searchables s USING (kind, thing_id) WHERE v.rev <> s.rev',
      ),
    ).toEqual([]);
  });
});

describe('K110 another user', () => {
  it.each(things)('neither reads, lists, changes nor deletes a %s that is not theirs', async (kind, input, change) => {
    const store = await openTestStore();
    await store.call('create_user', { name: 'other' });
    await store.call(`create_${kind}`, input);
    await store.call(`create_${kind}`, input, other);
    await expect(store.call(`get_${kind}`, { id: 2 })).rejects.toMatchObject({ code: 'not_found' });
    for (const [verb, more] of [
      ['get', {}],
      ['update', change],
      ['delete', {}],
    ] as const) {
      await expect(store.call(`${verb}_${kind}`, { id: 1, ...more }, other)).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    for (const caller of [{}, other]) expect(await store.call(`list_${kind}s`, {}, caller)).toMatchObject({ total: 1 });
  });

  it('cannot put a thing into a project that is not theirs, nor link a note to a document that is not', async () => {
    const store = await openTestStore();
    await store.call('create_user', { name: 'other' });
    await store.call('create_project', { name: 'Shop' });
    await store.call('create_document', documents);
    const refused = { code: 'not_found' };
    await expect(store.call('create_document', { ...documents, project_id: 1 }, other)).rejects.toMatchObject(refused);
    const note = { title: 't', content: 'c', document_ids: [1] };
    await expect(store.call('create_memory', note, other)).rejects.toMatchObject(refused);
    await store.call('update_user_notes', { notes: 'likes tabs' }, other);
    expect(await store.call('get_current_user')).toMatchObject({ id: 1, notes: null });
    expect(await store.call('get_current_user', {}, other)).toMatchObject({ id: 2, notes: 'likes tabs' });
    await expect(store.call('get_current_user', {}, { userId: 3 })).rejects.toMatchObject(refused);
  });
});

describe('the change log', () => {
  it('tells old and new of each field that changed, long texts by digest, and nothing of a change that was none', async () => {
    const store = await openTestStore();
    await store.call('create_document', { title: 'a', content: 'short' });
    await store.call('update_document', { id: 1, title: 'b', content: 'x'.repeat(30_000) });
    await store.call('update_document', { id: 1, title: 'b' });
    const rows = queryHome<{ changes: string }>(store.home, "SELECT changes FROM change_log WHERE action = 'updated'");
    expect(rows.map(({ changes }) => JSON.parse(changes))).toEqual([
      {
        title: { old: 'a', new: 'b' },
        content: { old: 'short', new: { size_bytes: 30_000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      },
    ]);
  });

  it('moves `updated_at` with a change alone', async () => {
    const store = await openTestStore();
    const { updated_at: first } = await store.call('create_file', files);
    store.clock.advance(5_000);
    expect(await store.call('update_file', { id: 1, filename: files.filename })).toMatchObject({ updated_at: first });
    expect(await store.call('update_file', { id: 1, data: files.data })).toMatchObject({ updated_at: first });
    const { updated_at: second } = await store.call('update_file', { id: 1, data: '' });
    expect(Date.parse(String(second)) - Date.parse(String(first))).toBe(5_000);
  });
});
