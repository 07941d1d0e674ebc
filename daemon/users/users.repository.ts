import type { Selectable } from 'kysely';
import type { Db, Trx } from '#daemon/storage/sqlite.ts';
import type { UsersTable } from '#daemon/storage/tables/schema.ts';

export type User = Selectable<UsersTable>;

export async function userById(db: Db | Trx, id: number): Promise<User | null> {
  return (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function writeNotes(trx: Trx, id: number, notes: string | null, nowMs: number): Promise<User> {
  return trx
    .updateTable('users')
    .set({ notes, updated_at: nowMs })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
