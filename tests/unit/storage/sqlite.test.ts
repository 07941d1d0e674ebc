import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import { answerLifetimeMs, createAnswerStore } from '#daemon/storage/answers.ts';
import { guardedDialect } from '#daemon/storage/guarded-dialect.ts';
import { runMigrations, schemaVersion } from '#daemon/storage/migrate.ts';
import { isOfUser } from '#daemon/storage/of-user.ts';
import { openDatabase, type Trx } from '#daemon/storage/sqlite.ts';
import { sqliteProblem } from '#daemon/storage/sqlite-errors.ts';
import { memorySaveMany } from '#shared/contract/lifecycle.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { openTempDatabase } from '../../support/temp-database.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function addFact(trx: Trx, key: string, value = 'value'): Promise<unknown> {
  return trx.insertInto('store_facts').values({ key, value }).execute();
}

describe('the database', () => {
  it('is private, durable and erases what it deletes', async () => {
    const { database, file } = await openTempDatabase();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const pragma = (name: string) => database.raw.pragma(name, { simple: true });
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('foreign_keys')).toBe(1);
    expect(pragma('secure_delete')).toBe(1);
    expect(pragma('user_version')).toBe(schemaVersion);
  });

  it('takes a change whole or not at all', async () => {
    const { database } = await openTempDatabase();
    const failed = database.write(internalContext, async (trx) => {
      await addFact(trx, 'half');
      throw new Error('half-way');
    });
    await expect(failed).rejects.toThrow('half-way');
    await database.write(internalContext, (trx) => addFact(trx, 'whole'));
    expect(await database.db.selectFrom('store_facts').select('key').execute()).toEqual([{ key: 'whole' }]);
  });

  it('runs changes one after the other, and reads wait for neither for ever', async () => {
    const { database } = await openTempDatabase();
    const order: string[] = [];
    const change = (name: string) =>
      database.write(internalContext, async (trx) => {
        order.push(`${name} begins`);
        await addFact(trx, name);
        await addFact(trx, `${name} again`);
        order.push(`${name} ends`);
      });
    const [, , rows] = await Promise.all([
      change('a'),
      change('b'),
      database.db.selectFrom('store_facts').selectAll().execute(),
    ]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect(rows.length % 2).toBe(0);
  });

  it('says at once that a query on `db` inside a change would wait for ever', async () => {
    const { database } = await openTempDatabase();
    const change = database.write(internalContext, async (trx) => {
      await addFact(trx, 'mine');
      await database.db.selectFrom('store_facts').selectAll().execute();
    });
    await expect(change).rejects.toThrow('use the `trx`');
    expect(await database.db.selectFrom('store_facts').selectAll().execute()).toEqual([]);
  });

  it('lets work that a change left running query once that change has ended', async () => {
    const { database } = await openTempDatabase();
    let later: Promise<unknown> = Promise.resolve();
    await database.write(internalContext, async (trx) => {
      await addFact(trx, 'first');
      later = new Promise((resolve) => setTimeout(resolve, 20)).then(() =>
        database.db.selectFrom('store_facts').selectAll().execute(),
      );
    });
    const other = database.write(internalContext, async (trx) => {
      await addFact(trx, 'second');
      await new Promise((resolve) => setTimeout(resolve, 60));
    });
    await expect(later).resolves.toHaveLength(2);
    await other;
  });

  it('checkpoints without waiting inside SQLite for a reader, and leaves no erased text in either file', async () => {
    const { database, file } = await openTempDatabase();
    await database.write(internalContext, (trx) => addFact(trx, 'secret', 'a text that must go'));
    const reader = new Sqlite(file, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM store_facts').all();
    await database.write(internalContext, async (trx) => {
      await trx.deleteFrom('store_facts').where('key', '=', 'secret').execute();
    });
    const checkpoint = database.checkpoint();
    const startedAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    reader.exec('COMMIT');
    reader.close();
    expect(await checkpoint).toBe(true);
    expect(statSync(`${file}-wal`).size).toBe(0);
    expect(readFileSync(file).includes('a text that must go')).toBe(false);
  });

  it('refuses a file that is no database and leaves it as it is', async () => {
    const file = join(tempFolder(), 'loci.db');
    const text = 'This is not a database, but somebody may need it. '.repeat(100);
    writeFileSync(file, text);
    await expect(openDatabase({ file, clock: createFakeClock() })).rejects.toMatchObject({ code: 'unavailable' });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('names the cause without the path when the file cannot be opened', async () => {
    const folder = tempFolder();
    const refused = await openDatabase({ file: folder, clock: createFakeClock() }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/disk|cannot be opened/) });
    expect(String(refused)).not.toContain(folder);
  });

  it('B59 refuses the database of a newer version before any byte of it changes', async () => {
    const file = join(tempFolder(), 'loci.db');
    const newer = new Sqlite(file);
    newer.exec('CREATE TABLE future (column_of_tomorrow TEXT)');
    newer.pragma(`user_version = ${schemaVersion + 1}`);
    newer.close();
    chmodSync(file, 0o640);
    const before = readFileSync(file);
    await expect(openDatabase({ file, clock: createFakeClock() })).rejects.toMatchObject({
      code: 'unavailable',
      details: { found: schemaVersion + 1, known: schemaVersion },
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('migrations', () => {
  it('that throw leave nothing behind, and those before them stay', async () => {
    const raw = new Sqlite(':memory:');
    const db = new Kysely<unknown>({ dialect: guardedDialect(raw) });
    const steps = {
      '0001-first': {
        up: (trx: Kysely<unknown>) => sql`CREATE TABLE first (id INTEGER)`.execute(trx).then(() => undefined),
      },
      '0002-second': {
        async up(trx: Kysely<unknown>) {
          await sql`CREATE TABLE second (id INTEGER)`.execute(trx);
          await sql`INSERT INTO first VALUES (1)`.execute(trx);
          throw new Error('the second step fails');
        },
      },
    };
    await expect(runMigrations(db, steps)).rejects.toThrow('the second step fails');
    const tables = raw.prepare("SELECT name FROM sqlite_master WHERE name IN ('first', 'second')").pluck().all();
    expect(tables).toEqual(['first']);
    expect(raw.prepare('SELECT COUNT(*) FROM first').pluck().get()).toBe(0);
    raw.close();
  });
});

describe('errors of SQLite', () => {
  it('that a person can act on become one sentence without paths; others stay as they are', () => {
    const full = Object.assign(new Error('/home/x/loci.db: database or disk is full'), { code: 'SQLITE_FULL' });
    expect(sqliteProblem(full)).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('disk is full'),
    });
    expect(String(sqliteProblem(full))).not.toContain('/home');
    const io = Object.assign(new Error('x'), { code: 'SQLITE_IOERR_WRITE' });
    expect(sqliteProblem(io)).toMatchObject({ code: 'unavailable' });
    const unknown = Object.assign(new Error('x'), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
    expect(sqliteProblem(unknown)).toBe(unknown);
    expect(sqliteProblem('text')).toBe('text');
  });

  it('on a full disk change nothing, and the next change works', async () => {
    const { database } = await openTempDatabase();
    const pages = database.raw.pragma('page_count', { simple: true }) as number;
    database.raw.pragma(`max_page_count = ${pages + 2}`);
    const large = database.write(internalContext, (trx) => addFact(trx, 'large', 'x'.repeat(1_000_000)));
    await expect(large).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('disk is full'),
    });
    database.raw.pragma('max_page_count = 1000000');
    await database.write(internalContext, (trx) => addFact(trx, 'small'));
    expect(await database.db.selectFrom('store_facts').select('key').execute()).toEqual([{ key: 'small' }]);
  });
});

describe('answers kept under an idempotency key', () => {
  const claim = { userId: 1, key: 'key-1', operation: 'memory_save', bodyHash: 'hash' };
  const context: CallContext = { ...internalContext, claim };

  it('are recorded in the transaction of the change, or not at all', async () => {
    const { database, clock } = await openTempDatabase();
    const answers = createAnswerStore(database, clock);
    const failed = database.write(context, async (trx) => {
      await addFact(trx, 'a');
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await answers.recorded(claim)).toBeNull();
    await database.write(context, async (trx) => {
      await addFact(trx, 'a');
      return { id: 7, outcome: 'created' };
    });
    expect(await answers.recorded(claim)).toEqual({ answer: { id: 7, outcome: 'created' } });
  });

  it('conflict with another body or another operation under the same key, but not with another user', async () => {
    const { database, clock } = await openTempDatabase();
    const answers = createAnswerStore(database, clock);
    await answers.record(claim, { id: 1 });
    await expect(answers.recorded({ ...claim, bodyHash: 'other' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(answers.recorded({ ...claim, operation: 'memory_update' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await answers.recorded({ ...claim, userId: 2, bodyHash: 'other' })).toBeNull();
  });

  it('are forgotten after 24 hours, and the key may be used for another change', async () => {
    const { database, clock } = await openTempDatabase();
    const answers = createAnswerStore(database, clock);
    await answers.record(claim, { id: 1 });
    clock.advance(answerLifetimeMs - 1);
    expect(await answers.recorded(claim)).toEqual({ answer: { id: 1 } });
    clock.advance(1);
    expect(await answers.recorded(claim)).toBeNull();
    await answers.record({ ...claim, bodyHash: 'new' }, { id: 2 });
    expect(await answers.recorded({ ...claim, bodyHash: 'new' })).toEqual({ answer: { id: 2 } });
  });

  it('keep the first answer when the change recorded it already', async () => {
    const { database, clock } = await openTempDatabase();
    const answers = createAnswerStore(database, clock);
    await database.write(context, async () => ({ id: 1 }));
    await answers.record(claim, { id: 2 });
    expect(await answers.recorded(claim)).toEqual({ answer: { id: 1 } });
  });

  it('take on what a policy remarks after the change', async () => {
    const { database, clock } = await openTempDatabase();
    const answers = createAnswerStore(database, clock);
    await database.write(context, async () => ({ id: 1, warnings: [] }));
    await answers.record(claim, { id: 1, warnings: ['seen afterwards'] });
    expect(await answers.recorded(claim)).toEqual({ answer: { id: 1, warnings: ['seen afterwards'] } });
  });

  it('of a batch of a thousand are kept in 64 KB, with each id and outcome', async () => {
    const { database, clock } = await openTempDatabase();
    const answers = createAnswerStore(database, clock);
    const results = Array.from({ length: 1_000 }, (_, index) => ({
      id: 1_000_000 + index,
      outcome: 'created',
      possible_conflict: { id: 7, similarity: 0.93 },
      obsolete_matches: [{ id: 8, title: 'an earlier one', similarity: 0.95 }],
      project: 'the-project-of-all-of-them',
      warnings: ['embedding_pending'],
    }));
    await answers.record(claim, { results });
    const [row] = await database.db.selectFrom('idempotent_answers').select('answer').execute();
    expect(Buffer.byteLength(row?.answer ?? '')).toBeLessThanOrEqual(64 * 1024);
    const kept = (await answers.recorded(claim))?.answer;
    expect(memorySaveMany.output.parse(kept)).toEqual({
      results: results.map(({ id, outcome }) => ({ id, outcome, project: null, warnings: [] })),
    });
  });

  it('that are very long keep their ids and lose the ends of their texts, never half a character', async () => {
    const { database, clock } = await openTempDatabase();
    const answers = createAnswerStore(database, clock);
    const results = Array.from({ length: 30 }, (_, id) => ({
      id,
      outcome: 'created',
      content: 'x'.repeat(199) + '😀'.repeat(5_000),
    }));
    await answers.record(claim, { results });
    const kept = (await answers.recorded(claim))?.answer as { results: typeof results };
    expect(kept.results.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
    for (const { content } of kept.results) expect(content.isWellFormed()).toBe(true);
  });
});

describe('questions that every list asks', () => {
  it('find the expired by an index of their own and the newest plans in order, whatever is in the store', async () => {
    const { database } = await openTempDatabase();
    const planOf = (query: string): string =>
      (database.raw.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as { detail: string }[])
        .map(({ detail }) => detail)
        .join('; ');
    expect(
      planOf("SELECT count(*) FROM memories WHERE expires_at <= 1 AND user_id = 1 AND status = 'active'"),
    ).toContain('memories_expiring');
    const newest = planOf('SELECT * FROM plans WHERE user_id = 1 ORDER BY created_at DESC, id DESC LIMIT 10');
    expect(newest).toContain('plans_created');
    expect(newest).not.toContain('TEMP B-TREE');
    expect(planOf("SELECT * FROM projects WHERE user_id = 1 AND name_key = 'a'")).toContain('projects_by_name');
    const saved = planOf(
      'SELECT * FROM projects WHERE user_id = 1 AND memory_count > 0 ORDER BY last_saved_at DESC, id DESC LIMIT 5',
    );
    expect(saved).toContain('projects_saved');
    expect(saved).not.toContain('TEMP B-TREE');
  });

  it('look rows up by their ids, and do not walk all that a user has', async () => {
    const { database } = await openTempDatabase();
    for (const table of ['projects', 'documents', 'code_artifacts', 'files', 'skills', 'entities', 'plans'] as const) {
      const { sql, parameters } = database.db
        .selectFrom(table as 'projects')
        .select('id')
        .where('id', 'in', [1, 2, 3])
        .where(isOfUser(1))
        .compile();
      const plan = database.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
      expect(plan[0]?.detail, table).toContain('USING INTEGER PRIMARY KEY');
    }
  });
});
