// A store whose memories have faded: saved on day 0, looked at months later. Texts are far apart under the fake embedder unless they
// share words, so what is united and what is not is decided by the test alone.
import Sqlite from 'better-sqlite3';
import { resolvePaths } from '#shared/paths.ts';
import { jobNames } from '#shared/settings.ts';
import { dayMs } from './fake-clock.ts';
import { openTestStore, type TestStore, type TestStoreOptions } from './test-store.ts';

export type Memory = {
  id: number;
  status: string;
  content: string;
  tags: string[];
  superseded_by: number | null;
  supersedes: number[];
  obsolete_reason: string | null;
  [field: string]: unknown;
};

export type Consolidated = {
  clusters: number;
  created: { id: number | null; title: string; from: number[]; by: string }[];
  archived: { id: number; title: string; superseded_by: number | null }[];
  candidates: number;
};

export type Cleaned = {
  expired: { id: number }[];
  decayed: { id: number }[];
  duplicates: { id: number; kept: number; similarity: number }[];
  memory_md: { file: string; project: string; memories: number[]; outcome: string; why?: string }[];
};

/** A clock that jumps by months makes every job overdue. */
const noJobs = Object.fromEntries(
  jobNames.map((name) => [`LOCI_JOBS_${name.toUpperCase()}_ENABLED`, 'false'] as const),
);

/** With the fewest candidates that consolidation can be told, and no job that runs by itself. */
export async function openFadingStore(options: TestStoreOptions = {}): Promise<TestStore> {
  return openTestStore({
    ...options,
    env: { LOCI_CONSOLIDATE_MIN_CANDIDATES: '2', ...noJobs, ...options.env },
  });
}

export const save = async (store: TestStore, content: string, more: object = {}): Promise<number> =>
  (await store.call<{ id: number }>('memory_save', { content, on_duplicate: 'keep', ...more })).id;

/** The record, without counting as a read that would keep it alive. */
export async function look(store: TestStore, id: number): Promise<Memory> {
  const record = await store.call<Memory>('memory_update', { id });
  return record;
}

/** Long enough for a save of confidence .5 to fade below .3 (104 days), not below .1 (199 days). */
export const fade = (store: TestStore, days = 120): void => store.clock.advance(days * dayMs);

export const consolidate = (store: TestStore, input: object = {}) =>
  store.call<Consolidated>('memory_consolidate', input);

export const clean = (store: TestStore, input: object = {}) => store.call<Cleaned>('memory_clean', input);

/** A sentence of its own for each number: nine words of which none is shared with another's. */
export function unlike(number: number): string {
  return Array.from({ length: 9 }, (_, index) => `w${'abcdefghij'[number % 10]}${letters(number * 9 + index)}`).join(
    ' ',
  );
}

function letters(number: number): string {
  let text = '';
  for (let rest = number + 26; rest > 0; rest = Math.floor(rest / 26)) text += String.fromCharCode(97 + (rest % 26));
  return text;
}

/** Links two memories, by the table: what makes links is another room's. */
export function link(store: TestStore, a: number, b: number): void {
  withDatabase(store, (db) =>
    db
      .prepare('INSERT INTO memory_links(user_id, source_id, target_id, created_at) VALUES (1, ?, ?, 0)')
      .run(Math.min(a, b), Math.max(a, b)),
  );
}

/** Does what no operation of these tests can do, such as setting when a memory was learned, on a connection of its own. */
export function withDatabase(store: TestStore, work: (db: Sqlite.Database) => unknown): void {
  const db = new Sqlite(resolvePaths({ LOCI_HOME: store.home }).database);
  work(db);
  db.close();
}
