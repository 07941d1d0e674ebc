import type { Selectable } from 'kysely';
import type { Db, Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { TokensTable } from '#daemon/storage/tables/store.ts';

export type TokenRow = Selectable<TokensTable>;
/** A token with the name of the user that it stands for. */
export type NamedToken = TokenRow & { readonly user: string };

function named(db: Queries) {
  return db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('tokens')
    .select('users.name as user');
}

export async function tokenByHash(db: Db, hash: string): Promise<TokenRow | null> {
  return (await db.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst()) ?? null;
}

export async function tokenById(db: Queries, id: number): Promise<NamedToken | null> {
  return (await named(db).where('tokens.id', '=', id).executeTakeFirst()) ?? null;
}

/** The one of that name that is not revoked, else the last that was. */
export async function tokenByName(db: Queries, name: string): Promise<NamedToken | null> {
  const rows = await named(db).where('tokens.name', '=', name).orderBy('tokens.id', 'desc').execute();
  return rows.find(({ revoked_at }) => revoked_at === null) ?? rows[0] ?? null;
}

export async function tokenPage(
  db: Db,
  { withRevoked, limit, offset }: { withRevoked: boolean; limit: number; offset: number },
): Promise<{ tokens: NamedToken[]; total: number }> {
  const wanted = withRevoked ? named(db) : named(db).where('tokens.revoked_at', 'is', null);
  const tokens = await wanted.orderBy('tokens.id', 'desc').limit(limit).offset(offset).execute();
  const counted = db.selectFrom('tokens').select((row) => row.fn.countAll<number>().as('total'));
  const { total } = await (withRevoked ? counted : counted.where('revoked_at', 'is', null)).executeTakeFirstOrThrow();
  return { tokens, total };
}

export type NewToken = Pick<TokenRow, 'user_id' | 'name' | 'hash' | 'scopes' | 'expires_at'>;

/** Answers its id. */
export async function insertToken(trx: Trx, token: NewToken, nowMs: number): Promise<number> {
  const { id } = await trx
    .insertInto('tokens')
    .values({ ...token, created_at: nowMs })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function markRevoked(trx: Trx, id: number, nowMs: number): Promise<void> {
  await trx.updateTable('tokens').set({ revoked_at: nowMs }).where('id', '=', id).execute();
}

export async function markUsed(trx: Trx, id: number, nowMs: number): Promise<void> {
  await trx.updateTable('tokens').set({ last_used_at: nowMs }).where('id', '=', id).execute();
}
