// Backups of a team's database: the folder, the checks and the rules of one machine, by PostgreSQL's own programs.
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { findPrograms, forPrograms } from '#daemon/storage/postgres/client-programs.ts';
import { checkDump, dumpSchema, loadDump } from '#daemon/storage/postgres/dump.ts';
import { checkKeywordIndex } from '../support/open-store-file.ts';
import { runSql } from '../support/postgres/cluster.ts';
import { databaseOf, storageSettings, urlOf } from '../support/storage-under-test.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

type Backup = { name: string; sequence: number; reason: string; memories: number };
type List = { backups: Backup[]; damaged: { name: string; why: string }[]; rehearsed: { name: string } | null };

const folderOf = ({ home }: Pick<TestStore, 'home'>): string => join(home, 'data/backups');
const save = async (store: TestStore, content: string): Promise<number> =>
  (await store.call<{ id: number }>('memory_save', { content, on_duplicate: 'keep' })).id;

async function find(store: TestStore, query: string, mode = 'keyword'): Promise<number[]> {
  const { results } = await store.call<{ results: { id: number }[] }>('memory_search', { query, mode });
  return results.map(({ id }) => id);
}

async function openTeam(): Promise<{ one: TestStore; other: TestStore; url: string; env: Record<string, string> }> {
  const shared = tempFolder();
  const env = await storageSettings(shared);
  const one = await openTestStore({ home: tempFolder(), env });
  const other = await openTestStore({ home: tempFolder(), env });
  return { one, other, url: urlOf(databaseOf(shared)), env };
}

describe('a backup of a team', () => {
  it('comes back under all daemons: each finds what was and nothing that came later, and what was there is saved', async () => {
    const { one, other } = await openTeam();
    const crane = await save(one, 'The harbour crane is serviced in May.');
    const made = await one.call<Backup>('create_backup');
    expect(made).toMatchObject({ sequence: 1, reason: 'manual', memories: 1 });
    expect(statSync(join(folderOf(one), made.name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folderOf(one)).filter((name) => name.includes('unfinished'))).toEqual([]);
    expect(await one.call('verify_backup', { name: made.name })).toMatchObject({ memories: 1 });
    const later = await save(other, 'The vault code word is persimmon.');
    expect(await find(other, 'persimmon', 'vector')).toContain(later);

    const answer = await one.call<{ saved_as: string }>('restore_backup', { name: made.name });
    for (const store of [one, other]) {
      await expect.poll(() => find(store, 'persimmon'), { timeout: 5_000 }).toEqual([]);
      expect(await find(store, 'harbour crane')).toEqual([crane]);
      await expect.poll(() => find(store, 'The vault code word is persimmon.', 'vector')).toEqual([crane]);
    }
    const { id } = await other.call<{ id: number }>('memory_save', { content: 'Invoices go out on Mondays.' });
    await expect.poll(() => find(one, 'Invoices go out on Mondays.', 'vector'), { timeout: 2_000 }).toContain(id);

    await one.call('restore_backup', { name: answer.saved_as });
    await expect.poll(() => find(other, 'persimmon'), { timeout: 5_000 }).toEqual([later]);
    expect((await one.call<List>('list_backups')).backups.map(({ reason }) => reason)).toEqual([
      'before_restore',
      'before_restore',
      'manual',
    ]);
  });

  it('is refused where it is damaged or of one machine, and the store stays as it was', async () => {
    const alone = await openTestStore({ isAlone: true });
    await save(alone, 'A note of one machine.');
    const { name } = await alone.call<Backup>('create_backup');
    const { one } = await openTeam();
    const id = await save(one, 'A note of the team.');
    const own = await one.call<Backup>('create_backup');
    writeFileSync(join(folderOf(one), name), readFileSync(join(folderOf(alone), name)));
    await expect(one.call('restore_backup', { name })).rejects.toMatchObject({ code: 'conflict', message: /unset/ });
    truncateSync(join(folderOf(one), own.name), 2_000);
    await expect(one.call('restore_backup', { name: own.name })).rejects.toMatchObject({ code: 'conflict' });
    expect(await find(one, 'note of the team')).toEqual([id]);
  });

  it('that the database does not take changes nothing: it is one transaction to its end', async () => {
    const { one, url } = await openTeam();
    const id = await save(one, 'The first note.');
    const { name } = await one.call<Backup>('create_backup');
    await save(one, 'The second note.');
    // something outside of the schema that the schema cannot be dropped with
    await runSql(
      url,
      'CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION $q$no$q$; END $$',
    );
    await runSql(
      url,
      "CREATE EVENT TRIGGER refuse ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION public.refuse()",
    );
    await expect(one.call('restore_backup', { name })).rejects.toMatchObject({
      code: 'unavailable',
      message: /nothing was changed/,
    });
    expect((await find(one, 'note')).sort()).toEqual([id, id + 1]);
    expect(await save(one, 'The third note.')).toBe(id + 2);
  });

  it('that ends midway changes nothing either', async () => {
    const { one, url } = await openTeam();
    for (let at = 0; at < 5; at += 1) await save(one, `Note ${at} of the ledger about topic ${at * 7}.`);
    const team = { source: { url, name: 'test' }, env: {}, logger: silentLogger };
    const dump = join(tempFolder(), 'loci.dump');
    await dumpSchema(team, dump);
    truncateSync(dump, Math.floor(statSync(dump).size * 0.6));
    await expect(checkDump(team, dump)).rejects.toMatchObject({ code: 'conflict' });
    await expect(loadDump(team, dump)).rejects.toMatchObject({ code: 'unavailable', message: /nothing was changed/ });
    expect((await find(one, 'note of the ledger')).length).toBe(5);
  });

  it('is saved before a newer version migrates it, also where that fails', async () => {
    const { one, other, url, env } = await openTeam();
    await save(one, 'The yard has two gates.');
    await one.close();
    await other.close();
    // as an older version would have left it; the migration that runs again then fails
    await runSql(url, `DELETE FROM loci.migrations WHERE name = (SELECT max(name) FROM loci.migrations)`);
    const newer = await openTestStore({ home: tempFolder(), env, isBroken: true });
    await expect(newer.call('memory_search', { query: 'gates' })).rejects.toThrow();
    const { backups } = await newer.call<List>('list_backups');
    expect(backups).toMatchObject([{ reason: 'before_migration', memories: 1 }]);
  });

  it('without a pg_dump that fits is refused with what to install', async () => {
    await expect(findPrograms(99, {})).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/postgresql-client-99/),
    });
  });

  it('is never made with a password on a command line', () => {
    const { dbname, env } = forPrograms('postgres://ada:s%40fe@db.example.org/loci?sslmode=verify-full&max=3', {});
    expect(dbname).toBe('postgres://ada@db.example.org/loci?sslmode=verify-full');
    expect(env.PGPASSWORD).toBe('s@fe');
  });
});

describe('the nightly jobs of a team', () => {
  it('make a backup, keep what the settings say, and restore the newest on trial, of which nothing stays', async () => {
    const home = tempFolder();
    const store = await openTestStore({ home, env: { LOCI_BACKUP_DAILY: '2', LOCI_BACKUP_WEEKLY: '0' } });
    for (let at = 0; at < 12; at += 1) await save(store, `Note ${at} of the ledger about topic ${at * 7}.`);
    for (let night = 0; night < 3; night += 1) {
      store.clock.advance(24 * 3_600_000);
      expect(await store.call('run_job', { name: 'backup' })).toMatchObject({
        outcome: 'ok',
        counts: { memories: 12 },
      });
    }
    expect((await store.call<List>('list_backups')).backups.map(({ sequence }) => sequence)).toEqual([3, 2]);
    expect(await store.call('run_job', { name: 'rehearse_restore' })).toMatchObject({
      outcome: 'ok',
      counts: { memories: 12, found_by_keyword: 5, found_by_meaning: 5 },
    });
    expect((await store.call<List>('list_backups')).rehearsed).not.toBeNull();
    const left = await runSql(urlOf('postgres'), "SELECT datname FROM pg_database WHERE datname LIKE '%_rehearsal'");
    expect(left).toEqual([]);
  });

  it('say that no database may be made for a trial, where that is so', async () => {
    const home = tempFolder();
    const env = await storageSettings(home);
    const name = databaseOf(home);
    const role = `${name}_user`;
    const admin = urlOf(name);
    await runSql(
      admin,
      `CREATE ROLE ${role} LOGIN; GRANT ALL ON DATABASE ${name} TO ${role}; ALTER DATABASE ${name} OWNER TO ${role}`,
    );
    await runSql(admin, 'DROP SCHEMA loci CASCADE');
    const url = (env.LOCI_STORAGE_URL as string).replace('user=loci', `user=${role}`);
    const store = await openTestStore({ home: tempFolder(), env: { LOCI_STORAGE_URL: url } });
    await save(store, 'The yard has two gates.');
    await store.call('run_job', { name: 'backup' });
    expect(await store.call('run_job', { name: 'rehearse_restore' })).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/CREATEDB/),
    });
    await store.close();
    await runSql(admin, `DROP SCHEMA loci CASCADE; ALTER DATABASE ${name} OWNER TO loci`);
    await runSql(admin, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
});

describe('repair_database', () => {
  it('counts words anew, marks what lacks its vector and files what lacks its place', async () => {
    const home = tempFolder();
    const store = await openTestStore({ home });
    const id = await save(store, 'The harbour crane is serviced in May.');
    await save(store, 'Invoices go out on Mondays.');
    expect(await store.call('repair_database')).toMatchObject({ fault: null });
    const url = urlOf(databaseOf(home));
    await runSql(
      url,
      'SET search_path = loci; UPDATE search_terms SET holders = holders + 5; DELETE FROM vectors WHERE thing_id = 2',
    );
    await runSql(url, `SET search_path = loci; DELETE FROM searchables WHERE thing_id = ${id}`);
    expect(await store.call('repair_database')).toMatchObject({
      fault: expect.stringMatching(
        /without a vector, .*words of the index counted wrong, 1 memories without their words/,
      ),
    });
    checkKeywordIndex(home);
    await expect.poll(() => find(store, 'harbour crane'), { timeout: 5_000 }).toEqual([id]);
    expect(await store.call('repair_database')).toMatchObject({ fault: null });
  });
});
