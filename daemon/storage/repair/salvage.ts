// Getting out of a damaged database what can be read. SQLite refuses a statement at the first bad page; so each table is read in parts,
// and a part that fails is halved until only the rows on the bad page are left out. What is read is newer than any backup, so it wins;
// rows that cannot be read come from the backup that `target` is a copy of; rows that are gone and readable as gone stay gone.
// Synchronous and slow, for a thread of its own; the daemon has closed the database before.
import Sqlite from 'better-sqlite3';
import { foldCase } from '../fold-case.ts';
import { mendReferences } from './mend-references.ts';

export type Salvaged = {
  /** Memories read from the damaged file, and those taken from the backup because they could not be. */
  readonly recovered: number;
  readonly restored: number;
  /** Tables of which some rows could not be read. */
  readonly damagedTables: string[];
  /** Memories whose words must be indexed again, by user. */
  readonly unfiled: { readonly userId: number; readonly id: number }[];
};

/** Rows that could not be read, from and to inclusive. */
type Gap = { readonly from: number; readonly to: number };

type Pair = { readonly from: Sqlite.Database; readonly into: Sqlite.Database };

/** Read at once; small enough that a bad page costs few repetitions. */
const spanRows = 4_096;

/** Reads `damaged` (and its write-ahead log) into `target`, a whole database of this schema: a copy of a backup, or an empty one. */
export function salvage(damaged: string, target: string): Salvaged {
  const into = new Sqlite(target, { fileMustExist: true });
  const from = openDamaged(damaged);
  try {
    into.function('fold_case', { deterministic: true }, foldCase);
    into.pragma('foreign_keys = OFF');
    into.exec('BEGIN IMMEDIATE');
    const triggers = dropTriggers(into);
    const damagedTables: string[] = [];
    let memoryGaps: Gap[] | 'all' = 'all';
    for (const table of tablesOf(into)) {
      const gaps = from === null ? 'all' : copyTable({ from, into }, table);
      if (gaps === 'all' || gaps.length > 0) damagedTables.push(table);
      if (table === 'memories') memoryGaps = gaps;
    }
    const counts = countMemories(into, memoryGaps);
    const unfiled = mendReferences(into);
    for (const sql of triggers) into.exec(sql);
    into.exec('COMMIT');
    into.pragma('wal_checkpoint(TRUNCATE)');
    into.pragma('journal_mode = DELETE');
    return { ...counts, damagedTables, unfiled };
  } finally {
    from?.close();
    into.close();
  }
}

function openDamaged(file: string): Sqlite.Database | null {
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true });
    db.prepare('SELECT name FROM sqlite_schema').all();
    return db;
  } catch {
    return null; // not even its list of tables can be read
  }
}

/** What triggers count and index is a table of its own, or is made anew: they must not do it twice. */
function dropTriggers(db: Sqlite.Database): string[] {
  const triggers = db.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`).all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`);
  return triggers.map(({ sql }) => sql);
}

/** Tables that hold what somebody saved; not those of SQLite, of the migrator and of the keyword index, which is made anew. */
function tablesOf(db: Sqlite.Database): string[] {
  const names = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`)
    .all() as { name: string }[];
  return names.map(({ name }) => name).filter((name) => !/^(sqlite_|kysely_|search_words|search_terms)/.test(name));
}

/** Copies what can be read; answers what could not, or `all` where nothing could. */
function copyTable(pair: Pair, table: string): Gap[] | 'all' {
  const columns = commonColumns(pair, table);
  if (columns.length === 0) return 'all';
  return hasRowid(pair.into, table) ? copyByRowid(pair, table, columns) : copyFromBothEnds(pair, table, columns);
}

function copyByRowid({ from, into }: Pair, table: string, columns: readonly string[]): Gap[] | 'all' {
  const list = columns.map((column) => `"${column}"`).join(', ');
  const read = from.prepare(`SELECT rowid, ${list} FROM "${table}" WHERE rowid BETWEEN ? AND ? ORDER BY rowid`).raw();
  const marks = columns.map(() => '?').join(', ');
  const write = into.prepare(`INSERT OR REPLACE INTO "${table}" (rowid, ${list}) VALUES (?, ${marks})`);
  into.exec('DROP TABLE IF EXISTS temp.kept; CREATE TEMP TABLE kept (id INTEGER PRIMARY KEY)');
  const keep = into.prepare('INSERT OR IGNORE INTO temp.kept VALUES (?)');
  const isKept = into.prepare('SELECT 1 FROM temp.kept WHERE id = ?');
  const gaps: Gap[] = [];
  const parts: Gap[] = [bounds({ from, into }, table)];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const to = Math.min(part.to, part.from + spanRows - 1);
    if (to < part.to) parts.push({ from: to + 1, to: part.to });
    try {
      for (const row of read.iterate(part.from, to) as IterableIterator<unknown[]>) {
        write.run(row);
        keep.run(row[0]);
      }
    } catch (error) {
      if (!isDamage(error)) throw error;
      const middle = Math.floor((part.from + to) / 2);
      if (part.from < to) parts.push({ from: middle + 1, to }, { from: part.from, to: middle });
      // the last row before a bad page is read, and then the step to the next one fails
      else if (isKept.get(to) === undefined) addGap(gaps, to);
    }
  }
  dropGone(into, table, gaps);
  return gaps;
}

/** Rows come in ascending order, so those of one page are one gap. */
function addGap(gaps: Gap[], row: number): void {
  const last = gaps.at(-1);
  if (last !== undefined && last.to === row - 1) gaps[gaps.length - 1] = { from: last.from, to: row };
  else gaps.push({ from: row, to: row });
}

/** Rows of the backup that were deleted since: neither read, nor unreadable. */
function dropGone(into: Sqlite.Database, table: string, gaps: readonly Gap[]): void {
  into.exec('DROP TABLE IF EXISTS temp.gaps; CREATE TEMP TABLE gaps (first INTEGER, last INTEGER)');
  const note = into.prepare('INSERT INTO temp.gaps VALUES (?, ?)');
  for (const { from, to } of gaps) note.run(from, to);
  into.exec(`DELETE FROM "${table}" WHERE rowid NOT IN (SELECT id FROM temp.kept)
    AND NOT EXISTS (SELECT 1 FROM temp.gaps WHERE "${table}".rowid BETWEEN first AND last)`);
}

/** Where the ends themselves cannot be read, what the backup knows and room for what came since. */
function bounds({ from, into }: Pair, table: string): Gap {
  const ends = (db: Sqlite.Database) =>
    db.prepare(`SELECT min(rowid) AS low, max(rowid) AS high FROM "${table}"`).get() as {
      low: number | null;
      high: number | null;
    };
  try {
    const { low, high } = ends(from);
    return { from: low ?? 1, to: high ?? 0 };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { from: 1, to: (ends(into).high ?? 0) * 2 + 100_000 };
  }
}

/** For the small tables without row ids: from the first key up to the bad page, and from the last one down to it. */
function copyFromBothEnds({ from, into }: Pair, table: string, columns: readonly string[]): Gap[] | 'all' {
  const list = columns.map((column) => `"${column}"`).join(', ');
  const keys = primaryKey(from, table).map((column) => `"${column}"`);
  const marks = columns.map(() => '?').join(', ');
  const write = into.prepare(`INSERT OR REPLACE INTO "${table}" (${list}) VALUES (${marks})`);
  const rows: unknown[][] = [];
  const read = (direction: 'ASC' | 'DESC'): boolean => {
    const order = keys.map((key) => `${key} ${direction}`).join(', ');
    try {
      const all = from.prepare(`SELECT ${list} FROM "${table}" ORDER BY ${order}`).raw().iterate();
      for (const row of all as IterableIterator<unknown[]>) rows.push(row);
      return true;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return false;
    }
  };
  const isWhole = read('ASC');
  if (isWhole) into.exec(`DELETE FROM "${table}"`);
  else read('DESC');
  for (const row of rows) write.run(row);
  return isWhole ? [] : 'all';
}

function commonColumns({ from, into }: Pair, table: string): string[] {
  const columnsOf = (db: Sqlite.Database): string[] => {
    try {
      return (db.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => name);
    } catch {
      return [];
    }
  };
  const known = new Set(columnsOf(from));
  return columnsOf(into).filter((name) => known.has(name));
}

function primaryKey(db: Sqlite.Database, table: string): string[] {
  const columns = db.pragma(`table_info("${table}")`) as { name: string; pk: number }[];
  return columns
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => name);
}

function hasRowid(db: Sqlite.Database, table: string): boolean {
  const row = db.prepare('SELECT wr FROM pragma_table_list WHERE name = ?').get(table) as { wr: number } | undefined;
  return row?.wr === 0;
}

function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB|IOERR|ERROR|CANTOPEN)/.test(code);
}

function countMemories(db: Sqlite.Database, gaps: Gap[] | 'all'): Pick<Salvaged, 'recovered' | 'restored'> {
  const { n } = db.prepare('SELECT count(*) AS n FROM memories').get() as { n: number };
  if (gaps === 'all') return { recovered: 0, restored: n };
  const within = db.prepare('SELECT count(*) AS n FROM memories WHERE id BETWEEN ? AND ?');
  const restored = gaps.reduce((sum, { from, to }) => sum + (within.get(from, to) as { n: number }).n, 0);
  return { recovered: n - restored, restored };
}
