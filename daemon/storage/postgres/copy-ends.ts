// The two ends of a copy: a SQLite database and a connection to PostgreSQL, each to read from and to write to.

import type Sqlite from 'better-sqlite3';
import type { ClientBase } from 'pg';
import { countedTables, recountThings } from '../migrations/0012-list-totals.ts';
import type { BulkTarget, CopiedRow, CopiedTable, RowSource } from './copy-tables.ts';
import { tokenLines } from './tokens.ts';

/** Rows of one statement: fifty columns each stay below the 65,535 parameters that PostgreSQL takes. */
const rowsAtOnce = 500;

export function sqliteEnd(db: Sqlite.Database): RowSource & BulkTarget {
  const number = (sql: string): number => (db.prepare<[], { n: number }>(sql).get() as { n: number }).n;
  return {
    begin: async () => undefined,
    finish: async () => undefined,
    count: async ({ name }) => number(`SELECT count(*) AS n FROM ${name}`),
    figure: async (sql) => number(sql),
    async *pages({ name, columns }) {
      let page: CopiedRow[] = [];
      for (const row of db.prepare<[], CopiedRow>(`SELECT ${columns.join(', ')} FROM ${name}`).iterate()) {
        page.push(row);
        if (page.length < rowsAtOnce) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },
    async lastNumber({ name }) {
      return (
        db.prepare<[string], { seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?').get(name)?.seq ?? 0
      );
    },
    async insert({ name, columns }, rows) {
      const marks = columns.map(() => '?').join(', ');
      const insert = db.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${marks})`);
      for (const row of rows) insert.run(columns.map((column) => row[column]));
    },
    async set(table, column, values) {
      const update = db.prepare(`UPDATE ${table} SET ${column} = ? WHERE id = ?`);
      for (const { id, value } of values) update.run(value, id);
    },
    async setLastNumber({ name }, last) {
      if (last === 0) return;
      const { changes } = db.prepare('UPDATE sqlite_sequence SET seq = ? WHERE name = ?').run(last, name);
      if (changes === 0) db.prepare('INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)').run(name, last);
    },
  };
}

export function postgresEnd(client: ClientBase): RowSource & BulkTarget {
  const number = async (sql: string): Promise<number> => (await client.query<{ n: number }>(sql)).rows[0]?.n ?? 0;
  return {
    async begin() {
      for (const [trigger, table] of countingTriggers)
        await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);
    },
    async finish() {
      for (const statement of recount) await client.query(statement);
      for (const [trigger, table] of countingTriggers)
        await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`);
    },
    count: ({ name }) => number(`SELECT count(*) AS n FROM ${name}`),
    figure: number,
    async *pages({ name, columns }) {
      await client.query(`DECLARE copied CURSOR FOR SELECT ${columns.join(', ')} FROM ${name}`);
      for (;;) {
        const { rows } = await client.query<CopiedRow>(`FETCH ${rowsAtOnce} FROM copied`);
        if (rows.length > 0) yield rows;
        if (rows.length < rowsAtOnce) break;
      }
      await client.query('CLOSE copied');
    },
    lastNumber: ({ name, numbered }) =>
      number(
        `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('${name}', '${numbered}')::regclass), 0) AS n`,
      ),
    async insert(table, rows) {
      const { name, columns } = withTokens(table);
      const values = rows.flatMap((row) => {
        const given = name === 'searchables' ? { ...row, tokens: tokensOf(row) } : row;
        return columns.map((column) => given[column]);
      });
      const marks = rows.map(
        (_, at) => `(${columns.map((__, index) => `$${at * columns.length + index + 1}`).join(', ')})`,
      );
      await client.query(`INSERT INTO ${name} (${columns.join(', ')}) VALUES ${marks.join(', ')}`, values);
    },
    async set(table, column, values) {
      await client.query(
        `UPDATE ${table} SET ${column} = given.value
          FROM unnest($1::bigint[], $2::bigint[]) AS given(id, value) WHERE ${table}.id = given.id`,
        [values.map(({ id }) => id), values.map(({ value }) => value)],
      );
    },
    async setLastNumber({ name, numbered }, last) {
      if (last > 0) await client.query(`SELECT setval(pg_get_serial_sequence('${name}', '${numbered}'), $1)`, [last]);
    },
  };
}

/** They count one row up for each that comes in: for a hundred thousand in one transaction that would be a hundred thousand versions of it. */
const countingTriggers = [
  ['memories_counted_in', 'memories'],
  ['memory_projects_counted_in', 'memory_projects'],
  ['count_words', 'searchables'],
  ...Object.values(countedTables).map((table) => [`${table}_counted_in`, table] as const),
] as const;

/** So what they keep is counted once, at the end. */
const recount = [
  'INSERT INTO memory_counts (user_id, status, memories) SELECT user_id, status, count(*) FROM memories GROUP BY user_id, status',
  recountThings,
  `UPDATE projects SET memory_count = (SELECT count(*) FROM memory_projects p JOIN memories m ON m.id = p.memory_id
    WHERE p.project_id = projects.id AND m.status = 'active')`,
  "INSERT INTO search_terms (word, holders) SELECT word, ndoc FROM ts_stat('SELECT words FROM searchables')",
  'UPDATE search_totals SET rows = (SELECT count(*) FROM searchables), length = (SELECT coalesce(sum(length), 0) FROM searchables)',
  // the first searches come before PostgreSQL would look at what is there by itself
  'ANALYZE memories, memory_projects, searchables, search_terms, vectors',
];

function withTokens({ name, columns }: CopiedTable): Pick<CopiedTable, 'name' | 'columns'> {
  return name === 'searchables' ? { name, columns: [...columns, 'tokens'] } : { name, columns };
}

function tokensOf(row: CopiedRow): string {
  const { title, body, labels, meta } = row as Record<'title' | 'body' | 'labels' | 'meta', string>;
  return tokenLines({ title, body, labels, meta });
}
