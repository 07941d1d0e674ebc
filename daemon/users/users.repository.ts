import type { Selectable } from 'kysely';
import { newUid } from '#daemon/kernel/ids.ts';
import type { Db, Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { UsersTable } from '#daemon/storage/tables/store.ts';

export type User = Selectable<UsersTable>;

export async function userById(db: Queries, id: number): Promise<User | null> {
  return (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function userByName(db: Queries, name: string): Promise<User | null> {
  return (await db.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst()) ?? null;
}

export async function userByIdentity(db: Queries, identity: string): Promise<User | null> {
  return (await db.selectFrom('users').selectAll().where('identity', '=', identity).executeTakeFirst()) ?? null;
}

export async function userPage(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ users: User[]; total: number }> {
  const users = await db.selectFrom('users').selectAll().orderBy('id').limit(limit).offset(offset).execute();
  const { total } = await db
    .selectFrom('users')
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { users, total };
}

export type NewUser = {
  readonly name: string;
  readonly email: string | null;
  readonly notes: string | null;
  readonly identity: string | null;
};

export async function insertUser(trx: Trx, user: NewUser, nowMs: number): Promise<User> {
  return trx
    .insertInto('users')
    .values({ ...user, uid: newUid(nowMs), updated_at: null, created_at: nowMs })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function writeNotes(trx: Trx, id: number, notes: string | null, nowMs: number): Promise<User> {
  return trx
    .updateTable('users')
    .set({ notes, updated_at: nowMs })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
