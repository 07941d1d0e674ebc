// Backups of a real store on a real disk: made under its feet, brought back under its feet.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { version } from '#shared/version.ts';
import { type Member, writeCraftedArchive } from '../../support/crafted-archive.ts';
import { createFakeClock, dayMs } from '../../support/fake-clock.ts';
import { createFakeEmbedder } from '../../support/fake-embedder.ts';
import { checkKeywordIndex, queryHome } from '../../support/open-store-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Backup = { name: string; sequence: number; reason: string; memories: number; created_at: string };
type List = { backups: Backup[]; damaged: { name: string; why: string }[]; rehearsed: { name: string } | null };
type Search = { results: { id: number; content: string }[]; degraded: string[] };

const folderOf = ({ home }: Pick<TestStore, 'home'>) => join(home, 'data/backups');
const save = async (store: TestStore, content: string) =>
  (await store.call<{ id: number }>('memory_save', { content, on_duplicate: 'keep' })).id;
const saveMany = async (store: TestStore, from: number, to: number) => {
  const memories = Array.from({ length: to - from }, (_, at) => ({
    content: `note word${from + at} of the ledger`,
    on_duplicate: 'keep',
  }));
  await store.call('memory_save_many', { memories });
};
const find = (store: TestStore, query: string, mode: string) =>
  store.call<Search>('memory_search', { query, mode, depth: 3, limit: 5 });
const make = (store: TestStore) => store.call<Backup>('create_backup');
const list = (store: TestStore) => store.call<List>('list_backups');

describe('a backup', () => {
  it('B57 holds what is only in the write-ahead log, while a reader holds a snapshot, and comes back whole in an empty home', async () => {
    const store = await openTestStore();
    await saveMany(store, 0, 200);
    const reader = new Sqlite(join(store.home, 'data/loci.db'), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM memories').get();
    const { name, memories } = await make(store);
    reader.exec('COMMIT');
    reader.close();
    expect(memories).toBe(200);
    expect(statSync(join(folderOf(store), name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folderOf(store)).filter((entry) => entry.includes('unfinished'))).toEqual([]);

    const other = await openTestStore();
    mkdirSync(folderOf(other), { recursive: true });
    copyFileSync(join(folderOf(store), name), join(folderOf(other), name));
    expect(await other.call('restore_backup', { name })).toMatchObject({ restored: { name, memories: 200 } });
    for (let at = 0; at < 200; at += 1) {
      expect(await other.call('memory_get', { id: at + 1 })).toMatchObject({ content: `note word${at} of the ledger` });
      expect((await find(other, `word${at}`, 'keyword')).results[0]?.id).toBe(at + 1);
      expect((await find(other, `note word${at} of the ledger`, 'vector')).results[0]?.id).toBe(at + 1);
    }
    expect((await find(other, 'word3', 'hybrid')).degraded).toEqual([]);
    await other.close();
    checkKeywordIndex(other.home);
  });

  it('is verified byte by byte, and one that is cut off or changed is refused, listed as damaged and never restored', async () => {
    const store = await openTestStore();
    await save(store, 'the first word');
    const whole = await make(store);
    const cut = await make(store);
    const changed = await make(store);
    expect(await store.call('verify_backup', { name: whole.name })).toMatchObject(whole);
    const cutFile = join(folderOf(store), cut.name);
    truncateSync(cutFile, Math.floor(statSync(cutFile).size / 2));
    const changedFile = join(folderOf(store), changed.name);
    const bytes = readFileSync(changedFile);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 2000) ^ 1, bytes.length - 2000);
    writeFileSync(changedFile, bytes);
    for (const { name } of [cut, changed]) {
      await expect(store.call('verify_backup', { name })).rejects.toMatchObject({
        code: 'conflict',
        message: /damaged/,
      });
      await expect(store.call('restore_backup', { name })).rejects.toMatchObject({ code: 'conflict' });
    }
    expect(await find(store, 'first word', 'keyword')).toMatchObject({ results: [{ id: 1 }] });
    expect((await list(store)).backups.map(({ reason }) => reason)).not.toContain('before_restore');
    expect(await list(store)).toMatchObject({ damaged: [{ name: cut.name, why: expect.stringMatching(/cut off/) }] });
    writeFileSync(cutFile, 'no archive');
    expect(await list(store)).toMatchObject({ damaged: [{ name: cut.name, why: expect.stringMatching(/damaged/) }] });
  });

  it('keeps its name to itself: a folder, a path or a foreign file is no backup', async () => {
    const store = await openTestStore();
    await make(store);
    for (const name of ['../data/loci.db', '/etc/passwd', 'notes.txt', 'loci-20260101T000000000Z.tar.gz/../x'])
      await expect(store.call('restore_backup', { name })).rejects.toMatchObject({ code: 'invalid_input' });
    const unknown = { name: 'loci-20200101T000000000Z.tar.gz' };
    await expect(store.call('verify_backup', unknown)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('cannot be written where there is no room or no permission: the cause is told, nothing half-written stays, and saves go on', async () => {
    const home = tempFolder();
    const folder = join(home, 'elsewhere');
    writeFileSync(folder, 'a file where the folder should be');
    const store = await openTestStore({ home, env: { LOCI_BACKUP_FOLDER: folder } });
    await save(store, 'before');
    await expect(make(store)).rejects.toThrow();
    expect(await save(store, 'after')).toBe(2);
    expect(readFileSync(folder, 'utf8')).toBe('a file where the folder should be');
  });
});

describe('the nightly job', () => {
  it('B63 keeps the newest by recorded sequence, drops only after the new one stands, and touches nothing that is not ours', async () => {
    const clock = createFakeClock();
    const store = await openTestStore({ clock, env: { LOCI_BACKUP_DAILY: '3', LOCI_BACKUP_WEEKLY: '0', ...noJobs } });
    await save(store, 'kept');
    mkdirSync(join(folderOf(store), 'my-backup.old'), { recursive: true });
    writeFileSync(join(folderOf(store), 'notes.txt'), 'mine');
    const byHand = await make(store);
    for (let at = 0; at < 6; at += 1) {
      clock.advance(at === 4 ? -40 * dayMs : dayMs);
      expect(await store.call('run_job', { name: 'backup' })).toMatchObject({ outcome: 'ok' });
    }
    const { backups } = await list(store);
    expect(backups.map(({ sequence }) => sequence)).toEqual([7, 6, 5, byHand.sequence]);
    expect(readFileSync(join(folderOf(store), 'notes.txt'), 'utf8')).toBe('mine');
    expect(existsSync(join(folderOf(store), 'my-backup.old'))).toBe(true);
  });

  it('once a week restores the newest on trial and finds its memories by word and by meaning; health says when', async () => {
    const store = await openTestStore();
    expect(await store.call('run_job', { name: 'rehearse_restore' })).toMatchObject({
      outcome: 'ok',
      counts: { backups: 0 },
    });
    await saveMany(store, 0, 30);
    await store.call('run_job', { name: 'backup' });
    const run = await store.call('run_job', { name: 'rehearse_restore' });
    expect(run).toMatchObject({
      outcome: 'ok',
      counts: { memories: 30, found_by_keyword: 5, found_by_meaning: 5 },
    });
    const now = new Date(store.clock.now()).toISOString();
    expect(await store.call('memory_health')).toMatchObject({ backups: { last_at: now, rehearsed_at: now } });
    await store.close();
    const again = await openTestStore({ home: store.home });
    await expect
      .poll(() => again.call('memory_health'))
      .toMatchObject({ backups: { last_at: now, rehearsed_at: now } });
  });

  it('a trial that does not find what the backup holds fails, and health says so', async () => {
    const store = await openTestStore();
    await saveMany(store, 0, 5);
    // what somebody's disk did to the index, and nobody noticed
    const raw = new Sqlite(join(store.home, 'data/loci.db'));
    raw.exec(`INSERT INTO search_words(search_words) VALUES ('delete-all')`);
    raw.close();
    await store.call('run_job', { name: 'backup' });
    expect(await store.call('run_job', { name: 'rehearse_restore' })).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/not found by its words/),
    });
    expect(await store.call('memory_health')).toMatchObject({ status: 'degraded', jobs: { why: /rehearse_restore/ } });
  });
});

describe('a restore', () => {
  it('B58 under a client that saves in a loop: exactly the rows of the backup, a retryable refusal meanwhile, the state before saved', async () => {
    const store = await openTestStore();
    await saveMany(store, 0, 100);
    const { name } = await make(store);
    await saveMany(store, 100, 150);
    let restoring = true;
    const refusals: { code: string; details: object }[] = [];
    const loop = (async () => {
      for (let at = 0; restoring; at += 1) {
        await save(store, `loop word${at}`).catch((error) => refusals.push(error));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    const restored = await store.call<{ saved_as: string }>('restore_backup', { name });
    restoring = false;
    await loop;
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['unavailable']));
    expect(refusals[0]?.details).toMatchObject({ restoring: true });

    const after = Number(queryHome(store.home, 'SELECT max(id) AS n FROM memories')[0]?.n);
    // what the client saved once the store was back came after the hundred
    expect(queryHome(store.home, 'SELECT count(*) AS n FROM memories WHERE id <= 100')).toEqual([{ n: 100 }]);
    expect(queryHome(store.home, "SELECT id FROM memories WHERE id > 100 AND content NOT LIKE 'loop%'")).toEqual([]);
    expect((await find(store, 'word120', 'keyword')).results.filter(({ id }) => id <= 100)).toEqual([]);
    for (let at = 0; at < 100; at += 1) {
      expect((await find(store, `word${at}`, 'keyword')).results[0]?.id).toBe(at + 1);
      expect((await find(store, `note word${at} of the ledger`, 'vector')).results[0]?.id).toBe(at + 1);
    }
    const { vectors } = await store.call<{ vectors: { rows: number; pending: number } }>('memory_stats');
    expect(vectors).toMatchObject({ rows: after, pending: 0 });
    await store.call('run_job', { name: 'reconcile' });
    const saved = (await list(store)).backups.find((backup) => backup.name === restored.saved_as);
    expect(saved).toMatchObject({ reason: 'before_restore' });
    expect(saved?.memories).toBeGreaterThanOrEqual(150);
    expect(readdirSync(join(store.home, 'data')).filter((entry) => entry.includes('unfinished'))).toEqual([]);

    await store.close();
    expect(existsSync(join(store.home, 'data/loci.db-wal'))).toBe(false);
    checkKeywordIndex(store.home);
    const again = await openTestStore({ home: store.home });
    expect((await find(again, 'note word7 of the ledger', 'vector')).results[0]?.id).toBe(8);
    // and back to what was before the restore
    await again.call('restore_backup', { name: restored.saved_as });
    expect((await find(again, 'note word120 of the ledger', 'vector')).results[0]?.id).toBe(121);
  });

  it('with LanceDB serving: its table is built again from the backup, and nothing of the later state is found', async () => {
    const store = await openTestStore({ env: { LOCI_VECTORS_EXACT_LIMIT: '0' } });
    await saveMany(store, 0, 20);
    const { name } = await make(store);
    await saveMany(store, 20, 30);
    expect((await find(store, 'note word25 of the ledger', 'vector')).results[0]?.id).toBe(26);
    await store.call('restore_backup', { name });
    expect((await find(store, 'note word12 of the ledger', 'vector')).results[0]?.id).toBe(13);
    await store.call('run_job', { name: 'reconcile' });
    expect((await find(store, 'note word25 of the ledger', 'vector')).results.map(({ id }) => id)).not.toContain(26);
  });

  it('of a backup of a newer version is refused before anything changes', async () => {
    const store = await openTestStore();
    await save(store, 'still here');
    const { name } = await make(store);
    const newer = new Sqlite(join(store.home, 'newer.db'));
    newer.pragma('user_version = 999');
    newer.close();
    writeBackup(join(folderOf(store), name), readFileSync(join(store.home, 'newer.db')), 999);
    await expect(store.call('restore_backup', { name })).rejects.toMatchObject({ code: 'conflict', message: /newer/ });
    expect(await find(store, 'still here', 'keyword')).toMatchObject({ results: [{ id: 1 }] });
  });

  it('B69 of a crafted archive is refused before a byte is written, outside or inside', async () => {
    const store = await openTestStore();
    await save(store, 'still here');
    const outside = tempFolder();
    const good = await make(store);
    const name = 'loci-20260101T000000000Z.tar.gz';
    const database = Buffer.from('SQLite format 3\0 and no more');
    const honest: Member[] = [
      { path: 'manifest.json', body: manifestOf(database, 7) },
      { path: 'loci.db', body: database },
    ];
    const crafted: Member[][] = [
      [...honest, { path: '../../evil.txt', body: 'evil' }],
      [...honest, { path: join(outside, 'evil'), body: 'evil' }],
      [...honest, { path: 'data/../../evil', body: 'evil' }],
      [...honest, { path: 'd', type: 'SymbolicLink', linkpath: outside }, { path: 'd/evil', body: 'evil' }],
      [...honest, { path: 'h', type: 'Link', linkpath: 'loci.db' }],
      [honest[0] as Member, { path: 'loci.db', type: 'SymbolicLink', linkpath: join(outside, 'evil') }],
      [honest[0] as Member, { path: '../loci.db', body: database }],
      [...honest, { path: 'loci.db', body: database }],
      [{ path: 'loci.db', body: database }],
    ];
    const before = readdirSync(join(store.home, 'data'), { recursive: true }).length;
    for (const members of crafted) {
      writeCraftedArchive(join(folderOf(store), name), members);
      for (const operation of ['verify_backup', 'restore_backup'])
        await expect(store.call(operation, { name }), JSON.stringify(members.at(-1)?.path)).rejects.toMatchObject({
          code: 'conflict',
        });
    }
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(store.home, 'evil.txt'))).toBe(false);
    expect(readdirSync(join(store.home, 'data'), { recursive: true })).toHaveLength(before + 1);
    expect(await find(store, 'still here', 'keyword')).toMatchObject({ results: [{ id: 1 }] });
    expect(await store.call('verify_backup', { name: good.name })).toMatchObject({ memories: 1 });
  });

  it('B70 writes no archive through a link that somebody left, and takes no link for a backup', async () => {
    const store = await openTestStore({ clock: createFakeClock(Date.UTC(2026, 0, 5, 9)) });
    await save(store, 'private');
    const victim = join(tempFolder(), 'victim');
    writeFileSync(victim, 'untouched');
    mkdirSync(folderOf(store), { recursive: true });
    const guessed = 'loci-20260105T090000000Z.tar.gz';
    symlinkSync(victim, join(folderOf(store), guessed));
    const { name } = await make(store);
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
    expect(name).not.toBe(guessed);
    expect(lstatSync(join(folderOf(store), name)).isFile()).toBe(true);
    await expect(store.call('restore_backup', { name: guessed })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is answered once for its key, although the store is another one by then', async () => {
    const store = await openTestStore();
    await save(store, 'first');
    const { name } = await make(store);
    const input = { name, idempotency_key: 'restore-1' };
    const first = await store.call('restore_backup', input);
    await save(store, 'second');
    expect(await store.call('restore_backup', input)).toEqual(first);
    expect(await find(store, 'second', 'keyword')).toMatchObject({ results: [{ content: 'second' }] });
  });
});

describe('before a migration', () => {
  it('a store with memories is saved, and an empty one is not', async () => {
    const store = await openTestStore();
    await save(store, 'from an older version');
    await store.close();
    const file = join(store.home, 'data/loci.db');
    const raw = new Sqlite(file);
    const known = raw.pragma('user_version', { simple: true }) as number;
    raw.pragma(`user_version = ${known - 1}`);
    raw.close();
    const again = await openTestStore({ home: store.home });
    const { backups } = await list(again);
    expect(backups).toMatchObject([{ reason: 'before_migration', memories: 1, schema: known - 1 }]);
    expect(await again.call('memory_get', { id: 1 })).toMatchObject({ content: 'from an older version' });
    // an older backup is migrated on the way back
    await again.call('restore_backup', { name: 'latest' });
    expect(queryHome(store.home, 'PRAGMA user_version')).toEqual([{ user_version: known }]);
    const empty = await openTestStore();
    expect((await list(empty)).backups).toEqual([]);
  });
});

it('a backup of one model is searched on trial although another is configured', async () => {
  const store = await openTestStore();
  await saveMany(store, 0, 10);
  await make(store);
  await store.close();
  const other = await openTestStore({ home: store.home, embedder: createFakeEmbedder({ dimensions: 768 }) });
  expect(await other.call('run_job', { name: 'rehearse_restore' })).toMatchObject({
    outcome: 'ok',
    counts: { found_by_meaning: 5 },
  });
});

const noJobs = { LOCI_JOBS_BACKUP_ENABLED: 'false', LOCI_JOBS_REHEARSE_RESTORE_ENABLED: 'false' };

function manifestOf(database: Buffer, schema: number): string {
  return JSON.stringify({
    format: 'loci-backup',
    format_version: 1,
    sequence: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    reason: 'manual',
    version,
    schema,
    memories: 0,
    files: [{ name: 'loci.db', bytes: database.length, sha256: createHash('sha256').update(database).digest('hex') }],
  });
}

function writeBackup(file: string, database: Buffer, schema: number): void {
  writeCraftedArchive(file, [
    { path: 'manifest.json', body: manifestOf(database, schema) },
    { path: 'loci.db', body: database },
  ]);
}
