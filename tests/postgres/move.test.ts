// Everything from a machine's file into a team's database and back: the same rows with the same ids, or nothing at all.
import { mkdirSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { moveStore } from '#daemon/move-store.ts';
import { resolvePaths } from '#shared/paths.ts';
import { runSql } from '../support/postgres/cluster.ts';
import { databaseOf, storageSettings, urlOf } from '../support/storage-under-test.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const quiet = { isRehearsal: false, progress: () => undefined } as const;

async function fill(store: TestStore): Promise<void> {
  const save = (content: string, more: object = {}) => store.call<{ id: number }>('memory_save', { content, ...more });
  await save('The harbour crane is serviced in May.', { project: 'harbour', tags: ['Übung', 'crane'] });
  const { id } = await save('Invoices go out on Mondays.', { project: 'office', importance: 9 });
  await store.call('memory_update', { id, content: 'Invoices go out on Tuesdays.', metadata: { by: 'Ada' } });
  await save('再生世代の記録は港で作られた。', { supersedes: [1] });
  await store
    .call('memory', { action: 'remember', category: 'preference', key: 'editor', value: 'vim' })
    .catch(() => undefined);
  await store.call('create_entity', { name: 'Ada', entity_type: 'Individual', tags: ['Team'] });
  await store.call('create_document', {
    title: 'Rules',
    description: 'of the yard',
    content: 'No smoking near the crane.',
    document_type: 'text',
    tags: ['Rules'],
  });
  await store.call('create_plan', { title: 'Paint the gates', project_id: 1, status: 'active' });
  for (const title of ['north', 'south']) await store.call('create_task', { title, plan_id: 1, criteria: ['dry'] });
  await store.call('add_dependency', { task_id: 2, depends_on_task_id: 1 });
  const { id: gone } = await save('Erased before the move.');
  await store.call('memory_purge', { id: gone });
}

/** Every table but those that only this machine has or that are made anew: rows as text, in an order of their own. */
function rowsOf(home: string): Record<string, string[]> {
  const db = new Sqlite(resolvePaths({ LOCI_HOME: home }).database, { readonly: true });
  const names = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  const kept = names.filter((name) => !/^(search_|sqlite_|kysely_|outbox)/.test(name));
  const rows = kept.map((name) => [
    name,
    db
      .prepare(`SELECT * FROM ${name}`)
      .all()
      .map((row) => JSON.stringify(row))
      .sort(),
  ]);
  const sequences = db
    .prepare('SELECT name, seq FROM sqlite_sequence ORDER BY name')
    .all()
    .map((row) => JSON.stringify(row));
  db.close();
  return { ...Object.fromEntries(rows), sequences };
}

it('a rehearsal keeps nothing; a move keeps every row, id and count, there and back, and no id is given twice', async () => {
  const home = tempFolder();
  const alone = await openTestStore({ home, isAlone: true });
  await fill(alone);
  await alone.close();
  const shared = tempFolder();
  const env = await storageSettings(shared);
  const url = urlOf(databaseOf(shared));
  const paths = resolvePaths({ LOCI_HOME: home });

  const rehearsed = await moveStore(paths, { ...quiet, url, direction: 'to-team', isRehearsal: true });
  expect(rehearsed).toMatchObject({ kept: false });
  expect(await runSql(url, 'SELECT id FROM loci.memories')).toEqual([]);
  expect(await moveStore(paths, { ...quiet, url, direction: 'to-team' })).toEqual({ rows: rehearsed.rows, kept: true });
  await expect(moveStore(paths, { ...quiet, url, direction: 'to-team' })).rejects.toMatchObject({ code: 'conflict' });

  const back = tempFolder();
  mkdirSync(resolvePaths({ LOCI_HOME: back }).data, { recursive: true });
  await moveStore(resolvePaths({ LOCI_HOME: back }), { ...quiet, url, direction: 'from-team' });
  expect(rowsOf(back)).toEqual(rowsOf(home));

  const team = await openTestStore({ home: tempFolder(), env });
  const found = async (query: string, mode: string): Promise<number[]> =>
    (await team.call<{ results: { id: number }[] }>('memory_search', { query, mode })).results.map(({ id }) => id);
  expect(await found('世代', 'keyword')).toEqual([3]);
  expect(await found('Invoices go out on Tuesdays.', 'vector')).toContain(2);
  const last = (await runSql<{ last: string }>(url, 'SELECT last_value AS last FROM loci.memories_id_seq'))[0]?.last;
  const { id } = await team.call<{ id: number }>('memory_save', { content: 'The first note of the team.' });
  expect(id).toBe(Number(last) + 1);
});

it('a store here is never written over, and a move needs the daemon to have ended', async () => {
  const home = tempFolder();
  const env = await storageSettings(home);
  const alone = await openTestStore({ home, isAlone: true });
  await alone.close();
  const paths = resolvePaths({ LOCI_HOME: home });
  const url = env.LOCI_STORAGE_URL as string;
  await expect(moveStore(paths, { ...quiet, url, direction: 'from-team' })).rejects.toMatchObject({ code: 'conflict' });
  const lock = new Sqlite(paths.lock, { timeout: 0 });
  lock.exec('BEGIN EXCLUSIVE');
  await expect(moveStore(paths, { ...quiet, url, direction: 'to-team' })).rejects.toThrow('loci stop');
  lock.close();
});
