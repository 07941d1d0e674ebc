// Every text of the database, whichever table it stands in, for a look through all of it. Made from the schema itself, so that a table which
// is added later is looked through without anybody adding it to a list. Page by page, with a turn of the event loop between.
import type Sqlite from 'better-sqlite3';

export type StoredText = {
  readonly table: string;
  readonly column: string;
  /** Values of the primary key, by column. */
  readonly key: Readonly<Record<string, unknown>>;
  /** Bytes where the column holds a file. */
  readonly value: string | Buffer;
};

/** Tables that hold what is derived from others, or nothing that anybody wrote. */
const passedOver = /^(?:sqlite_|search_words|kysely_|vectors$|outbox$|searchables$|tokens$|thing_tags$|store_facts$)/;
/** Columns of bytes that are files; other bytes are numbers. */
const fileColumns: ReadonlySet<string> = new Set(['file_contents.bytes', 'compressed_files.original']);
const pageLength = 200;

type Column = { readonly name: string; readonly type: string; readonly pk: number };

/** Walks over all texts; rows that are added meanwhile may be missed. */
export async function* storedTexts(raw: Sqlite.Database): AsyncGenerator<StoredText> {
  for (const table of tablesOf(raw)) {
    const columns = raw.prepare(`SELECT name, type, pk FROM pragma_table_info(?)`).all(table) as Column[];
    const keyColumns = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
    const keys = keyColumns.length === 0 ? ['rowid'] : keyColumns;
    const read = columns.filter(({ name, type }) => type === 'TEXT' || fileColumns.has(`${table}.${name}`));
    if (read.length === 0) continue;
    const names = [...keys, ...read.map(({ name }) => name)].map(quoted);
    const order = keys.map(quoted).join(', ');
    const page = raw.prepare(`SELECT ${names.join(', ')} FROM ${quoted(table)} ORDER BY ${order} LIMIT ? OFFSET ?`);
    for (let offset = 0; ; offset += pageLength) {
      const rows = page.all(pageLength, offset) as Record<string, unknown>[];
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
export function replaceStoredText(raw: Sqlite.Database, place: StoredText, value: string | Buffer): void {
  const { table, column, key, value: before } = place;
  const names = Object.keys(key);
  const where = [...names, column].map((name) => `${quoted(name)} IS ?`).join(' AND ');
  raw
    .prepare(`UPDATE ${quoted(table)} SET ${quoted(column)} = ? WHERE ${where}`)
    .run(value, ...names.map((name) => key[name]), before);
}

function tablesOf(raw: Sqlite.Database): string[] {
  const rows = raw
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")
    .all() as { name: string }[];
  return rows.map(({ name }) => name).filter((name) => !passedOver.test(name));
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
