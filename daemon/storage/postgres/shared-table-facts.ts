// What a team's daemons agree on about their vector table, kept in their database: which table it is, and up to which number of the outbox
// it holds everything. The outbox is what the daemons follow, so nothing is cleared from it here: a number moves on instead. Numbers are
// given in the order of commits, so everything up to one is there, and everything above it is still to come.
import { sql } from 'kysely';
import { sharedTableKey, type TableFact, type VectorModel } from '../lance/lance-facts.ts';
import type { OutboxKey } from '../outbox.ts';
import type { Db, Queries, Trx } from '../sqlite.ts';

/** `database` tells the database from a copy of it, whose table is another; `bytes` is the size of the table when it was last looked at. */
export type SharedTableFact = TableFact & {
  readonly database: number;
  /** What the names of this database's tables begin with. */
  readonly prefix: string;
  readonly seq: number;
  readonly bytes: number;
};

export type NumberedKey = OutboxKey & { readonly seq: number };

const key = sharedTableKey;

/** The table in use, or null. One that a copy of the database brought along is not. */
export async function readSharedFact(db: Db): Promise<SharedTableFact | null> {
  const row = await db.selectFrom('store_facts').select('value').where('key', '=', key).executeTakeFirst();
  if (row === undefined) return null;
  const fact = JSON.parse(row.value) as SharedTableFact;
  return fact.database === (await databaseNumber(db)) ? fact : null;
}

/** Puts another table in the place of `old`; false where a third has taken that place. */
export async function replaceSharedFact(
  trx: Trx,
  old: SharedTableFact | null,
  fact: Omit<SharedTableFact, 'database'>,
): Promise<boolean> {
  const present = await readSharedFact(trx);
  if (present?.table !== old?.table) return false;
  await put(trx, { ...fact, database: await databaseNumber(trx) });
  return true;
}

/** Moves the number on, if the table is still the one in use and the number is lower; answers whether it is in use. */
export async function advanceSharedFact(
  trx: Trx,
  table: string,
  change: { readonly seq?: number; readonly bytes?: number },
): Promise<boolean> {
  const present = await readSharedFact(trx);
  if (present?.table !== table) return false;
  await put(trx, { ...present, ...change, seq: Math.max(present.seq, change.seq ?? 0) });
  return true;
}

/** The next entries above a number, in order. */
export async function entriesAfter(db: Db, seq: number, limit: number): Promise<NumberedKey[]> {
  const { rows } = await sql<NumberedKey>`SELECT seq, kind, thing_id AS id, rev FROM outbox
    WHERE seq > ${seq} ORDER BY seq LIMIT ${limit}`.execute(db);
  return rows;
}

/** Entries above one number up to another. */
export async function entriesBetween(db: Db, after: number, upTo: number): Promise<NumberedKey[]> {
  const { rows } = await sql<NumberedKey>`SELECT seq, kind, thing_id AS id, rev FROM outbox
    WHERE seq > ${after} AND seq <= ${upTo}`.execute(db);
  return rows;
}

export async function lastEntry(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number }>`SELECT coalesce(max(seq), 0) AS last FROM outbox`.execute(db);
  return rows[0]?.last ?? 0;
}

/** The model of a table, compared with the one that is searched with. */
export function isOfModel(fact: SharedTableFact | null, model: VectorModel): fact is SharedTableFact {
  return fact?.modelId === model.modelId && fact.dimensions === model.dimensions;
}

async function databaseNumber(db: Queries): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT CAST(oid AS BIGINT) AS n FROM pg_database
    WHERE datname = current_database()`.execute(db);
  return rows[0]?.n ?? 0;
}

async function put(trx: Trx, fact: SharedTableFact): Promise<void> {
  const value = JSON.stringify(fact);
  await trx
    .insertInto('store_facts')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
