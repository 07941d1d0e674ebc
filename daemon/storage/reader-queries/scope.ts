// A scope as SQL, and the counts that idf needs: rows of the store, rows of the scope, holders of a word.
// Counting costs as much as searching, so counts are kept until something was written, and large ones a little longer:
// a few rows more or less move no idf. Small ones are always exact, so that what was just saved is found as it should be.
import type Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import type { ReaderDatabase } from '../reader-query.ts';
import type { ScopeFilter } from '../search-types.ts';
import { storeVersion } from './recent-answers.ts';

export type StoreCounts = {
  /** Rows of every user and kind. */
  readonly rows: number;
  /** Things of the whole store that match a quoted FTS5 expression. */
  holders(match: string): number;
  scopeRows(filter: ScopeFilter): number;
};

type Kept = { count: number; version: string; countedAtMs: number };

/** Smaller counts are taken anew after every write. */
const largeCount = 1_000;
/** How long a large count may be used after a write. */
const staleAfterMs = 3_000;
const maxKept = 10_000;

const keptByDatabase = new WeakMap<Sqlite.Database, Map<string, Kept>>();

/** A condition on `searchables s`, true for the rows of the scope. */
export function scopeClause(filter: ScopeFilter): { sql: string; parameters: (string | number)[] } {
  const conditions = ['s.user_id = ?', `s.status IN (${marks(filter.statuses)})`, `s.kind IN (${marks(filter.kinds)})`];
  const parameters: (string | number)[] = [filter.userId, ...filter.statuses, ...filter.kinds];
  if (filter.types !== null) {
    conditions.push(`s.type IN (${marks(filter.types)})`);
    parameters.push(...filter.types);
  }
  if (filter.projectIds !== null) {
    if (filter.projectIds.length === 0) conditions.push("s.projects = ','");
    else conditions.push(`(${filter.projectIds.map(() => 'instr(s.projects, ?) > 0').join(' OR ')})`);
    parameters.push(...filter.projectIds.map((id) => `,${id},`));
  }
  for (const { kind, id } of filter.exclude ?? []) {
    conditions.push('NOT (s.thing_id = ? AND s.kind = ?)');
    parameters.push(id, kind);
  }
  return { sql: conditions.join(' AND '), parameters };
}

/** The counts as of the store's last write; take them anew for each query. What is known already need not be asked for. */
export function storeCounts(db: ReaderDatabase, given: { rows?: number; version?: string } = {}): StoreCounts {
  const version = given.version ?? storeVersion(db);
  const kept = keptByDatabase.get(db) ?? new Map<string, Kept>();
  keptByDatabase.set(db, kept);

  const counted = (sql: string, parameters: readonly (string | number)[]): number => {
    const key = `${sql} ${JSON.stringify(parameters)}`;
    const known = kept.get(key);
    const nowMs = performance.now();
    if (known !== undefined && (known.version === version || isCloseEnough(known, nowMs))) return known.count;
    const count = pluck(db, sql, parameters);
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, { count, version, countedAtMs: nowMs });
    return count;
  };

  return {
    rows: given.rows ?? counted('SELECT count(*) FROM searchables', []),
    holders: (match) => counted('SELECT count(*) FROM search_words WHERE search_words MATCH ?', [match]),
    scopeRows(filter) {
      const { sql, parameters } = scopeClause({ ...filter, exclude: [] });
      return counted(`SELECT count(*) FROM searchables s WHERE ${sql}`, parameters);
    },
  };
}

function isCloseEnough({ count, countedAtMs }: Kept, nowMs: number): boolean {
  return count >= largeCount && nowMs - countedAtMs < staleAfterMs;
}

function pluck(db: Sqlite.Database, sql: string, parameters: readonly (string | number)[]): number {
  return prepared(db, sql)
    .pluck()
    .get(...parameters) as number;
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
