// A whole store from one engine to the other, row by row with its ids, so that nothing that names them has to be changed. What triggers keep
// (counters, tags, the keyword index) is not copied: the rows that come in make it anew, and at the end it is compared with the source.
import type Sqlite from 'better-sqlite3';
import { LociError } from '#shared/errors.ts';

export type CopiedTable = {
  readonly name: string;
  readonly columns: readonly string[];
  /** The column that the database numbers, of which no number is ever given twice; null where there is none. */
  readonly numbered: string | null;
};

export type CopiedRow = Record<string, unknown>;

export type RowSource = {
  count(table: CopiedTable): Promise<number>;
  pages(table: CopiedTable): AsyncIterable<CopiedRow[]>;
  /** The last number that a table gave, of a row that is gone by now too. */
  lastNumber(table: CopiedTable): Promise<number>;
  /** One number of the whole, such as the sum of a column. */
  figure(sql: string): Promise<number>;
};

export type RowTarget = Pick<RowSource, 'count' | 'figure'> & {
  insert(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  set(
    table: string,
    column: string,
    values: readonly { readonly id: unknown; readonly value: unknown }[],
  ): Promise<void>;
  setLastNumber(table: CopiedTable, last: number): Promise<void>;
};

/** What a target does before the first row and after the last. */
export type BulkTarget = RowTarget & { begin(): Promise<void>; finish(): Promise<void> };

export type CopyProgress = (table: string, done: number, total: number) => void;

/** Kept by triggers, or of this machine alone (what LanceDB waits for). */
const notCopied: ReadonlySet<string> = new Set(['memory_counts', 'thing_counts', 'thing_tags', 'outbox']);

/** Columns that triggers count up as the rows of other tables come in. */
const counted: Readonly<Record<string, readonly string[]>> = { projects: ['memory_count'], tasks: ['unmet'] };

/** Columns that name a row of their own table, which may come later, or that a trigger moves: written when all rows are there. */
const setAtTheEnd: Readonly<Record<string, string>> = { memories: 'superseded_by', projects: 'last_saved_at' };

/** What must be the same on both sides, beside the number of rows. */
const figures = [
  "SELECT coalesce(sum(memories), 0) AS n FROM memory_counts WHERE status = 'active'",
  'SELECT coalesce(sum(things), 0) AS n FROM thing_counts',
  'SELECT coalesce(sum(memory_count), 0) AS n FROM projects',
  'SELECT coalesce(sum(unmet), 0) AS n FROM tasks',
  'SELECT count(*) AS n FROM thing_tags',
  'SELECT coalesce(max(seq), 0) AS n FROM change_log',
];

/** The tables of a migrated store in an order in which each comes after those that it refers to. */
export function tablesInOrder(db: Sqlite.Database): CopiedTable[] {
  const names = db
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid",
    )
    .all()
    .filter(({ name }) => !/^(sqlite_|search_|kysely_)/.test(name) && !notCopied.has(name));
  const ordered: CopiedTable[] = [];
  const place = ({ name, sql }: { name: string; sql: string }): void => {
    if (ordered.some((table) => table.name === name)) return;
    const references = db
      .prepare<[string], { table: string }>('SELECT "table" FROM pragma_foreign_key_list(?)')
      .all(name);
    for (const reference of references) {
      const other = names.find((table) => table.name === reference.table && table.name !== name);
      if (other !== undefined) place(other);
    }
    const columns = db.prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)').all(name);
    const numbered = /^\s*(\w+) INTEGER PRIMARY KEY AUTOINCREMENT/m.exec(sql)?.[1] ?? null;
    ordered.push({ name, columns: columns.map((column) => column.name), numbered });
  };
  for (const table of names) place(table);
  return ordered;
}

/** Copies every table into an empty store; the caller has a transaction on both sides, and undoes the target's where this throws. */
export async function copyTables(
  tables: readonly CopiedTable[],
  source: RowSource,
  target: BulkTarget,
  progress: CopyProgress,
): Promise<{ readonly rows: number }> {
  await target.begin();
  const late: { table: string; column: string; values: { id: unknown; value: unknown }[] }[] = [];
  let copied = 0;
  for (const table of tables) {
    const column = setAtTheEnd[table.name];
    const values: { id: unknown; value: unknown }[] = [];
    const total = await source.count(table);
    let done = 0;
    for await (const page of source.pages(table)) {
      await target.insert(
        table,
        page.map((row) => blanked(table.name, row)),
      );
      if (column !== undefined)
        values.push(...page.filter((row) => row[column] !== null).map((row) => ({ id: row.id, value: row[column] })));
      done += page.length;
      progress(table.name, done, total);
    }
    if (column !== undefined) late.push({ table: table.name, column, values });
    if (table.numbered !== null) await target.setLastNumber(table, await source.lastNumber(table));
    copied += done;
  }
  for (const { table, column, values } of late) await target.set(table, column, values);
  await target.finish();
  await compare(tables, source, target);
  return { rows: copied };
}

function blanked(table: string, row: CopiedRow): CopiedRow {
  const changed: CopiedRow = { ...row };
  for (const column of counted[table] ?? []) changed[column] = 0;
  const late = setAtTheEnd[table];
  if (late !== undefined) changed[late] = null;
  return changed;
}

async function compare(tables: readonly CopiedTable[], source: RowSource, target: RowTarget): Promise<void> {
  for (const table of tables) {
    const [were, are] = [await source.count(table), await target.count(table)];
    if (were !== are) throw differs(table.name, were, are);
  }
  for (const figure of figures) {
    const [was, is] = [await source.figure(figure), await target.figure(figure)];
    if (was !== is) throw differs(figure, was, is);
  }
}

function differs(what: string, source: number, target: number): LociError {
  return new LociError('internal', 'The copy differs from the store that it was made of, so nothing was kept of it.', {
    what,
    source,
    target,
  });
}
