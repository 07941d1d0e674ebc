// Every text of the database, whichever table it stands in, for a look through all of it. Made from the schema itself, so that a table which
// is added later is looked through without anybody adding it to a list. Page by page, with a turn of the event loop between.
import { sql } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Db, Trx } from './sqlite.ts';

export type StoredText = {
  readonly table: string;
  readonly column: string;
  /** Values of the primary key, by column. */
  readonly key: Readonly<Record<string, unknown>>;
  /** Bytes where the column holds a file. */
  readonly value: string | Buffer;
};

/** Tables that hold what is derived from others, or nothing that anybody wrote. */
const passedOver =
  /^(?:sqlite_|search_|kysely_|migrations$|vectors$|outbox$|searchables$|tokens$|thing_tags$|store_facts$)/;
/** Columns of bytes that are files; other bytes are numbers. */
const fileColumns: ReadonlySet<string> = new Set(['file_contents.bytes', 'compressed_files.original']);
const pageLength = 200;

type Column = { readonly name: string; readonly type: string; readonly pk: number };

/** Walks over all texts; rows that are added meanwhile may be missed. */
export async function* storedTexts(db: Db): AsyncGenerator<StoredText> {
  for (const [table, columns] of await tablesOf(db)) {
    const keyColumns = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
    const keys = keyColumns.length === 0 ? ['rowid'] : keyColumns;
    const read = columns.filter(({ name, type }) => type === 'TEXT' || fileColumns.has(`${table}.${name}`));
    if (read.length === 0) continue;
    const names = sql.join([...keys, ...read.map(({ name }) => name)].map((name) => sql.ref(name)));
    const order = sql.join(keys.map((name) => sql.ref(name)));
    for (let offset = 0; ; offset += pageLength) {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT ${names} FROM ${sql.table(table)} ORDER BY ${order} LIMIT ${pageLength} OFFSET ${offset}`.execute(db);
      for (const row of rows) {
        const key = Object.fromEntries(keys.map((name) => [name, row[name]]));
        for (const { name: column } of read) {
          const value = row[column];
          if (typeof value === 'string' || Buffer.isBuffer(value)) yield { table, column, key, value };
        }
      }
      if (rows.length < pageLength) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Puts another value in the place of one, if it still is what it was. */
export async function replaceStoredText(trx: Trx, place: StoredText, value: string | Buffer): Promise<void> {
  const { table, column, key, value: before } = place;
  const known = Object.entries({ ...key, [column]: before });
  const where = sql.join(
    known.map(([name, held]) => sql`${sql.ref(name)} = ${held}`),
    sql` AND `,
  );
  await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${value} WHERE ${where}`.execute(trx);
}

/** Tables with their columns, from the catalogue of the engine. */
async function tablesOf(db: Db): Promise<Map<string, Column[]>> {
  const catalogue = dialectOf(db) === 'sqlite' ? catalogueOfSqlite : catalogueOfPostgres;
  const { rows } = await sql.raw<Column & { holder: string }>(catalogue).execute(db);
  const tables = new Map<string, Column[]>();
  for (const { holder, ...column } of rows) {
    if (!passedOver.test(holder)) tables.set(holder, [...(tables.get(holder) ?? []), column]);
  }
  return tables;
}

const catalogueOfSqlite = `SELECT m.name AS holder, c.name, c.type, c.pk FROM sqlite_schema m JOIN pragma_table_info(m.name) c
  WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.name, c.cid`;

const catalogueOfPostgres = `SELECT t.relname AS holder, c.attname AS name, upper(format_type(c.atttypid, NULL)) AS type,
    CASE WHEN c.attnum = ANY (k.conkey) THEN 1 ELSE 0 END AS pk
  FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
    LEFT JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'p'
  WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace ORDER BY t.relname, c.attnum`;
