// When fields were written, from the schema step that brought it on: what a store holds by then, and what each change notes.
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { noteChange } from '#daemon/storage/field-times.ts';
import { guardedDialect } from '#daemon/storage/guarded-dialect.ts';
import { migrations, runMigrations } from '#daemon/storage/migrate.ts';
import { decidedWords, isTimedKind, timesOf, timesToTell } from '#daemon/storage/records/field-words.ts';
import { kindRows } from '#daemon/storage/records/kinds.ts';
import type { Tables } from '#daemon/storage/tables/schema.ts';

async function storeBefore(step: string) {
  const raw = new Sqlite(':memory:');
  const db = new Kysely<Tables>({ dialect: guardedDialect(raw) });
  await runMigrations(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < step)));
  raw.exec("INSERT INTO users(id, uid, name, created_at) VALUES (7, 'u', 'ada', 1)");
  const add = raw.prepare(
    `INSERT INTO projects(id, uid, user_id, name, name_key, created_at, updated_at) VALUES (?, ?, 7, 'a', 'a', 100, ?)`,
  );
  add.run(1, 'one', 100);
  add.run(2, 'two', 500);
  const kept = () => raw.prepare('SELECT thing_id, field, written_at FROM field_times ORDER BY 1, 2').raw().all();
  return { raw, db, kept };
}

describe('the times of fields', () => {
  it('begin with the last change of what was changed before they were kept', async () => {
    const { db, kept } = await storeBefore('0013');
    await runMigrations(db, migrations);
    expect(kept()).toEqual([[2, 'rest', 500]]);
    await db.destroy();
  });

  it('are those of the change, but never before what the thing holds already', async () => {
    const { db, kept } = await storeBefore('0014');
    const note = (nowMs: number, ...fields: string[]) =>
      db.transaction().execute((trx) =>
        noteChange(
          trx,
          {
            kind: 'project',
            thingId: 1,
            action: 'updated',
            changes: Object.fromEntries(fields.map((field) => [field, { old: 1, new: 2 }])),
          },
          nowMs,
        ),
      );
    await note(900, 'name');
    await note(901, 'notes', 'status');
    expect(kept()).toEqual([
      [1, 'name', 900],
      [1, 'notes', 901],
      [1, 'status', 901],
    ]);
    // the clock was set back
    await note(50, 'name');
    expect(kept()[0]).toEqual([1, 'name', 902]);
    await db.deleteFrom('projects').execute();
    expect(kept()).toEqual([]);
    await db.destroy();
  });
});

it('every field of every kind is decided once, and its time is told in one way', () => {
  for (const kind of Object.keys(kindRows).filter(isTimedKind)) {
    const words = decidedWords(kind);
    expect(new Set(words).size).toBe(words.length);
    const [word = ''] = words;
    expect(words).not.toContain('updated_at');
    const told = timesToTell({ ...timesOf(kind, { updated_at: 'b' }), [word]: 'c' }, 'c');
    expect(told).toEqual({ rest: 'b', [word]: 'c' });
    expect(timesToTell(timesOf(kind, { updated_at: 'c', field_times: told }), 'c')).toEqual(told);
    expect(timesToTell(timesOf(kind, { updated_at: 'c' }), 'c')).toBeNull();
  }
});
