// Pages of the database overwritten with noise, as a failing disk leaves them: what can be read is kept, the rest comes from the newest
// backup, and nobody has to know which was which.
import { closeSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { checkKeywordIndex, queryHome } from '../../support/open-store-file.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Repaired = {
  fault: string | null;
  backup: string | null;
  recovered: number;
  restored: number;
  set_aside: string | null;
};
type Search = { results: { id: number }[]; degraded: string[] };

const text = (at: number) => `note word${at} of the ledger ${`filler${at % 7} `.repeat(40)}`;
const fill = (store: TestStore, from: number, to: number) =>
  store.call('memory_save_many', {
    memories: Array.from({ length: to - from }, (_, at) => ({
      content: text(from + at),
      on_duplicate: 'keep',
      project: `project ${(from + at) % 3}`,
    })),
  });
const databaseOf = ({ home }: Pick<TestStore, 'home'>) => join(home, 'data/loci.db');
const repair = (store: TestStore) => store.call<Repaired>('repair_database');
const find = async (store: TestStore, query: string, mode: string) =>
  (await store.call<Search>('memory_search', { query, mode, depth: 1, limit: 3 })).results.map(({ id }) => id);

/** Overwrites leaf pages of a table, one in the middle of each share, and answers how many. */
function spoil(file: string, table: string, pages: number): void {
  const db = new Sqlite(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const pageBytes = db.pragma('page_size', { simple: true }) as number;
  const leaves = db
    .prepare(`SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path`)
    .all(table) as { pageno: number }[];
  db.close();
  const descriptor = openSync(file, 'r+');
  for (let at = 0; at < pages; at += 1) {
    const { pageno } = leaves[Math.floor(((at + 0.5) * leaves.length) / pages)] as { pageno: number };
    writeSync(descriptor, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (pageno - 1) * pageBytes);
  }
  closeSync(descriptor);
}

describe('a damaged database', () => {
  it('is made whole from what can be read and the newest backup: every memory is there and found, the files are kept', async () => {
    const store = await openTestStore();
    await fill(store, 0, 200);
    await store.call('memory_update', { id: 10, content: 'reworded before the backup word9000' });
    const { name } = await store.call<{ name: string }>('create_backup');
    await fill(store, 200, 240);
    await store.call('memory_purge', { id: 5 });
    await store.close();
    for (const [table, pages] of [
      ['memories', 2],
      ['vectors', 3],
      ['searchables', 2],
      ['memory_projects', 1],
    ] as const)
      spoil(databaseOf(store), table, pages);

    const again = await openTestStore({ home: store.home });
    const repaired = await repair(again);
    expect(repaired).toMatchObject({
      backup: name,
      fault: expect.any(String),
      set_aside: expect.stringMatching(/^damaged-/),
    });
    expect(repaired.restored).toBeGreaterThan(0);
    expect(repaired.recovered).toBeGreaterThan(200);
    const ids = new Set(queryHome<{ id: number }>(store.home, 'SELECT id FROM memories').map(({ id }) => id));
    const lost = Array.from({ length: 240 }, (_, at) => at + 1).filter((id) => id !== 5 && !ids.has(id));
    // the damage lies in the middle of the table, which the backup knew
    expect(lost).toEqual([]);
    expect(ids.has(5)).toBe(false);
    expect(queryHome(store.home, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(queryHome(store.home, 'PRAGMA foreign_key_check')).toEqual([]);
    await expect
      .poll(async () => (await again.call<{ vectors: { pending: number } }>('memory_stats')).vectors.pending, {
        timeout: 20_000,
      })
      .toBe(0);
    checkKeywordIndex(store.home);
    for (const id of [1, 60, 61, 62, 120, 121, 180, 199, 200, 221, 240]) {
      expect(await find(again, `word${id - 1}`, 'keyword'), `memory ${id}`).toEqual([id]);
      expect((await find(again, text(id - 1), 'vector'))[0], `memory ${id}`).toBe(id);
    }
    expect(await find(again, 'word9000', 'keyword')).toEqual([10]);
    expect(await again.call('memory_sync')).toMatchObject({ stats: { active: 239 } });
    expect(readdirSync(join(store.home, 'data', repaired.set_aside ?? '')).sort()).toContain('loci.db');
    // and it is a store like any other again
    await fill(again, 300, 301);
    expect(await find(again, 'word300', 'keyword')).toHaveLength(1);
    expect(await repair(again)).toMatchObject({ fault: null, set_aside: null });
  });

  it('without any backup gives back what can be read, and says what it could not', async () => {
    const store = await openTestStore();
    await fill(store, 0, 120);
    await store.close();
    spoil(databaseOf(store), 'memories', 1);
    const again = await openTestStore({ home: store.home });
    const repaired = await repair(again);
    expect(repaired).toMatchObject({ backup: null, restored: 0 });
    expect(repaired.recovered).toBeGreaterThan(100);
    expect(repaired.recovered).toBeLessThan(120);
    expect(queryHome(store.home, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(queryHome(store.home, 'PRAGMA foreign_key_check')).toEqual([]);
    expect((await find(again, text(0), 'vector'))[0]).toBe(1);
    expect(await again.call('memory_sync')).toMatchObject({ stats: { active: repaired.recovered } });
    await again.close();
    checkKeywordIndex(store.home);
  });

  it('that cannot even be opened is told so by every call, and its newest backup comes back without a restart', async () => {
    const store = await openTestStore();
    await fill(store, 0, 10);
    await store.call('create_backup');
    await store.close();
    writeFileSync(databaseOf(store), 'this was a database once'.repeat(500));
    const again = await openTestStore({ home: store.home, isBroken: true });
    await expect(again.call('memory_sync')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/loci backup repair/),
    });
    expect(await again.call('list_backups')).toMatchObject({ backups: [{ memories: 10 }] });
    expect(await repair(again)).toMatchObject({ recovered: 0, restored: 10 });
    expect((await find(again, text(3), 'vector'))[0]).toBe(4);
  });

  it('can also be replaced by a backup as it was: the damaged files are set aside', async () => {
    const store = await openTestStore();
    await fill(store, 0, 10);
    const { name } = await store.call<{ name: string }>('create_backup');
    await store.close();
    writeFileSync(databaseOf(store), 'this was a database once'.repeat(500));
    const again = await openTestStore({ home: store.home, isBroken: true });
    expect(await again.call('restore_backup', { name })).toMatchObject({ restored: { memories: 10 }, saved_as: null });
    expect(readdirSync(join(store.home, 'data')).filter((entry) => entry.startsWith('damaged-'))).toHaveLength(1);
    expect((await find(again, text(3), 'vector'))[0]).toBe(4);
  });

  it('B61 an index spoiled by hand is noticed and rebuilt; nothing else changes', async () => {
    const store = await openTestStore();
    await fill(store, 0, 20);
    expect(await repair(store)).toMatchObject({ fault: null });
    const before = queryHome(store.home, 'SELECT * FROM memories');
    await store.close();
    const raw = new Sqlite(databaseOf(store));
    raw.exec(`INSERT INTO search_words(search_words) VALUES ('delete-all')`);
    raw.close();
    const again = await openTestStore({ home: store.home });
    expect(await find(again, 'word7', 'keyword')).toEqual([]);
    expect(await repair(again)).toMatchObject({ fault: expect.any(String), recovered: 20, restored: 0 });
    expect(await find(again, 'word7', 'keyword')).toEqual([8]);
    expect(queryHome(store.home, 'SELECT * FROM memories')).toEqual(before);
  });
});
