// Changes that share a commit must not notice that they do.
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { internalContext } from '#daemon/kernel/context.ts';
import { createAnswerStore } from '#daemon/storage/answers.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import { openTempDatabase } from '../../support/temp-database.ts';

const put = (trx: Trx, key: string) => trx.insertInto('store_facts').values({ key, value: 'x' }).execute();

async function keysOf(database: Awaited<ReturnType<typeof openTempDatabase>>['database']): Promise<string[]> {
  const rows = await database.db.selectFrom('store_facts').select('key').where('value', '=', 'x').execute();
  return rows.map(({ key }) => key).sort();
}

describe('writes that go together', () => {
  it('each gets its own answer, in the order in which they came, and sees what those before it did', async () => {
    const { database } = await openTempDatabase();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        database.writeTogether(internalContext, async (trx) => {
          await put(trx, `key ${index}`);
          const { n } = await trx
            .selectFrom('store_facts')
            .select((eb) => eb.fn.countAll<number>().as('n'))
            .where('value', '=', 'x')
            .executeTakeFirstOrThrow();
          return n;
        }),
      ),
    );
    expect(answers).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });

  it('one that fails leaves no trace and takes nobody with it', async () => {
    const { database } = await openTempDatabase();
    const settled = await Promise.allSettled(
      ['a', 'b', 'c'].map((key) =>
        database.writeTogether(internalContext, async (trx) => {
          await put(trx, key);
          if (key === 'b') throw new LociError('conflict', 'not this one');
          return key;
        }),
      ),
    );
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await keysOf(database)).toEqual(['a', 'c']);
  });

  it('nothing is acknowledged before it is on disk: another connection sees it at once', async () => {
    const { database, file } = await openTempDatabase();
    const other = new Sqlite(file, { readonly: true });
    const count = other.prepare(`SELECT count(*) FROM store_facts WHERE key = ?`).pluck();
    const seen = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await database.writeTogether(internalContext, (trx) => put(trx, `key ${index}`));
        return count.get(`key ${index}`);
      }),
    );
    other.close();
    expect(seen).toEqual(Array.from({ length: 20 }, () => 1));
  });

  it('the answer under an idempotency key is recorded with its change, and not with one that failed', async () => {
    const { database, clock } = await openTempDatabase();
    const claim = (key: string) => ({ userId: 1, key, operation: 'claim_task', bodyHash: 'hash' });
    const change = (key: string) =>
      database.writeTogether({ ...internalContext, claim: claim(key) }, async (trx) => {
        await put(trx, key);
        if (key === 'bad') throw new LociError('conflict', 'not this one');
        return { id: key };
      });
    await Promise.allSettled([change('good'), change('bad')]);
    const answers = createAnswerStore(database, clock);
    expect(await answers.recorded(claim('good'))).toEqual({ answer: { id: 'good' } });
    expect(await answers.recorded(claim('bad'))).toBeNull();
  });

  it('when the database is gone every caller is told, and none waits for ever', async () => {
    const { database } = await openTempDatabase();
    database.raw.exec('BEGIN IMMEDIATE'); // the transaction of a group cannot begin
    const settled = await Promise.allSettled(
      ['a', 'b'].map((key) => database.writeTogether(internalContext, (trx) => put(trx, key))),
    );
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    database.raw.exec('ROLLBACK');
    await database.writeTogether(internalContext, (trx) => put(trx, 'c'));
    expect(await keysOf(database)).toEqual(['c']);
  });

  it('takes its turn with the other writes', async () => {
    const { database } = await openTempDatabase();
    await Promise.all([
      database.write(internalContext, (trx) => put(trx, 'a')),
      database.writeTogether(internalContext, (trx) => put(trx, 'b')),
      database.write(internalContext, (trx) => put(trx, 'c')),
      database.writeTogether(internalContext, (trx) => put(trx, 'd')),
    ]);
    expect(await keysOf(database)).toEqual(['a', 'b', 'c', 'd']);
  });
});
