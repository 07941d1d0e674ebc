// Where a file waits, read and checked, until it is applied: a small database of its own in the state folder. It makes an import of any
// size need little memory, gives the records in the order in which they can be stored, and is what a killed import goes on from.
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import { type RecordKind, type RowKind, recordKinds } from '#daemon/storage/records/kinds.ts';
import { mapRefs, type Ref } from './format/refs.ts';
import { needsSecondPass } from './format/second-pass.ts';

export type Staged = {
  readonly seq: number;
  readonly line: number | null;
  readonly record: ExportRecord;
  readonly isPresent: boolean;
  readonly isTimed: boolean;
};

export type Staging = {
  readonly db: Sqlite.Database;
  /** Keeps a record; answers the line of an earlier one that is the same thing, or null where it is the first. */
  add(
    record: ExportRecord,
    from: { readonly line: number | null; readonly isTimed: boolean },
    refs: readonly Ref[],
  ): { readonly twinLine: number | null } | null;
  /** Forgets a record that turned out to be no good. */
  drop(seq: number): void;
  has(kind: RowKind, uid: string): boolean;
  /** What the file knows under one uid is known under another here. */
  alias(kind: RowKind, uid: string, local: string): void;
  /** Records after one, in the order in which they are stored; with `again` only memories to which a second pass has something to add. */
  page(after: number, limits: { readonly records: number; readonly bytes: number; readonly again?: boolean }): Staged[];
  /** What each record of a kind is known by, in order; records may be marked or dropped meanwhile. */
  things(kind: RecordKind): Generator<{ readonly seq: number; readonly thing: string }>;
  counts(): Record<string, number>;
  /** Writes everything down, so that it survives a power cut. */
  seal(): void;
  close(): void;
};

/** Records of one kind; their numbers begin at its rank times this. */
const kindStep = 2 ** 40;

const schema = [
  `CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    line INTEGER,
    kind TEXT NOT NULL,
    thing TEXT NOT NULL,
    present INTEGER NOT NULL DEFAULT 0,
    timed INTEGER NOT NULL,
    again INTEGER NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (kind, thing)
  )`,
  'CREATE TABLE refs (seq INTEGER NOT NULL, kind TEXT NOT NULL, uid TEXT NOT NULL)',
  'CREATE TABLE aliases (kind TEXT NOT NULL, uid TEXT NOT NULL, local TEXT NOT NULL, PRIMARY KEY (kind, uid)) WITHOUT ROWID',
];

/** Opens a staged file, or begins a new one. */
export function openStaging(file: string, isNew: boolean): Staging {
  // what an interrupted reading left is read anew
  if (isNew) rmSync(file, { force: true });
  const db = new Sqlite(file, { fileMustExist: !isNew });
  db.pragma('cache_size = -8000');
  if (isNew) {
    // until it is sealed nothing depends on it
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    for (const statement of schema) db.exec(statement);
    db.exec('BEGIN');
  }
  const next = new Map<RecordKind, number>();
  const insert = db.prepare(
    'INSERT OR IGNORE INTO records(seq, line, kind, thing, timed, again, json) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertRef = db.prepare('INSERT INTO refs(seq, kind, uid) VALUES (?, ?, ?)');
  const twin = db
    .prepare<[string, string], number | null>('SELECT line FROM records WHERE kind = ? AND thing = ?')
    .pluck();
  const known = db.prepare('SELECT 1 FROM records WHERE kind = ? AND thing = ?');
  const remove = db.prepare('DELETE FROM records WHERE seq = ?');
  const removeRefs = db.prepare('DELETE FROM refs WHERE seq = ?');
  const setAlias = db.prepare('INSERT OR REPLACE INTO aliases(kind, uid, local) VALUES (?, ?, ?)');
  const localOf = db.prepare<[string, string], string>('SELECT local FROM aliases WHERE kind = ? AND uid = ?').pluck();
  // by number, never by kind: the index of kinds would have to be sorted for each page
  const range = db.prepare('SELECT seq, thing FROM records WHERE seq > ? AND seq < ? ORDER BY seq LIMIT 500');
  const columns = 'SELECT seq, line, present, timed, json FROM records WHERE seq > ?';
  const nextRow = db.prepare<[number], RecordRow>(`${columns} ORDER BY seq LIMIT 1`);
  const [memories, afterMemories] = [recordKinds.indexOf('memory'), recordKinds.indexOf('memory') + 1];
  const nextAgain = db.prepare<[number], RecordRow>(
    `${columns} AND seq > ${memories * kindStep} AND seq < ${afterMemories * kindStep} AND (again = 1 OR present = 1) ORDER BY seq LIMIT 1`,
  );
  const hasAliases = db.prepare('SELECT 1 FROM aliases LIMIT 1');

  return {
    db,
    add(record, { line, isTimed }, refs) {
      const kind = record.kind as RecordKind;
      const number = (next.get(kind) ?? 0) + 1;
      const seq = recordKinds.indexOf(kind) * kindStep + number;
      const thing = thingOf(record);
      const again = kind === 'memory' && needsSecondPass(record) ? 1 : 0;
      if (insert.run(seq, line, kind, thing, isTimed ? 1 : 0, again, JSON.stringify(record)).changes === 0) {
        return { twinLine: (twin.get(kind, thing) as number | null | undefined) ?? null };
      }
      next.set(kind, number);
      for (const ref of refs) insertRef.run(seq, ref.kind, ref.uid);
      return null;
    },
    drop(seq) {
      remove.run(seq);
      removeRefs.run(seq);
    },
    has: (kind, uid) => known.get(kind, uid) !== undefined,
    alias: (kind, uid, local) => void setAlias.run(kind, uid, local),
    page(after, { records, bytes, again = false }) {
      const translate = hasAliases.get() !== undefined;
      const page: Staged[] = [];
      let length = 0;
      while (page.length < records && length < bytes) {
        const row = (again ? nextAgain : nextRow).get(page.at(-1)?.seq ?? after);
        if (row === undefined) break;
        length += row.json.length;
        const record = JSON.parse(row.json) as ExportRecord;
        page.push({
          seq: row.seq,
          line: row.line,
          isPresent: row.present === 1,
          isTimed: row.timed === 1,
          record: translate ? translated(record) : record,
        });
      }
      return page;
    },
    *things(kind) {
      const rank = recordKinds.indexOf(kind);
      const end = (rank + 1) * kindStep;
      for (let after = rank * kindStep; ; ) {
        const rows = range.all(after, end) as { seq: number; thing: string }[];
        yield* rows;
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.seq;
      }
    },
    counts() {
      const rows = db
        .prepare<[], { kind: string; n: number }>('SELECT kind, count(*) AS n FROM records GROUP BY kind')
        .all();
      return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]));
    },
    seal() {
      db.exec('COMMIT');
      const descriptor = openSync(file, 'r');
      fsyncSync(descriptor);
      closeSync(descriptor);
    },
    close() {
      db.close();
    },
  };

  function translated(record: ExportRecord): ExportRecord {
    const local = (kind: RowKind, uid: string): string => (localOf.get(kind, uid) as string | undefined) ?? uid;
    const mapped = mapRefs(record, local);
    const own = typeof record.uid === 'string' ? { uid: local(record.kind as RowKind, record.uid) } : {};
    const history = Array.isArray(record.history)
      ? { history: record.history.map((version) => versionWith(version, local)) }
      : {};
    return { ...mapped, ...own, ...history };
  }
}

type RecordRow = { seq: number; line: number | null; present: number; timed: number; json: string };

function versionWith(version: unknown, local: (kind: RowKind, uid: string) => string): unknown {
  const { snapshot, ...rest } = version as { snapshot: Record<string, unknown> };
  const projects = Array.isArray(snapshot.projects)
    ? snapshot.projects.map((uid) => local('project', String(uid)))
    : [];
  const by = snapshot.superseded_by;
  return {
    ...rest,
    snapshot: { ...snapshot, projects, superseded_by: typeof by === 'string' ? local('memory', by) : null },
  };
}

/** What a record is known by in its kind: its uid, or the ends that it ties. */
function thingOf(record: ExportRecord): string {
  if (record.kind === 'dependency') return `${record.task} ${record.depends_on}`;
  if (record.kind !== 'link') return String(record.uid);
  return [record.from, record.to]
    .map((end) => (end as Ref).uid)
    .sort()
    .join(' ');
}
