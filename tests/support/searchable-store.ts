// A real database with things in its keyword index, for tests of search that need no memories room.
import { join } from 'node:path';
import { type IndexSource, indexTextOf } from '#daemon/storage/keyword-index.ts';
import { featuresOf } from '#daemon/storage/keywords/text-features.ts';
import { keywordCandidates } from '#daemon/storage/reader-queries/keyword-candidates.ts';
import type { ScopeFilter } from '#daemon/storage/search-types.ts';
import { openDatabase, type SqliteDatabase } from '#daemon/storage/sqlite.ts';
import { createFakeClock } from './fake-clock.ts';
import { tempFolder } from './temp-folder.ts';

export type StoredText = Partial<IndexSource> & {
  readonly text: string;
  readonly id?: number;
  readonly kind?: string;
  readonly userId?: number;
  readonly status?: string;
  readonly type?: string;
  readonly projectIds?: readonly number[];
  readonly session?: string;
  readonly author?: string;
  readonly sequence?: number;
};

export type SearchableStore = {
  readonly database: SqliteDatabase;
  /** Writes a thing; answers its id (1, 2, 3 … unless given). */
  add(thing: StoredText): number;
  remove(id: number): void;
  /** Ids found by keyword, best first. */
  find(text: string, filter?: Partial<ScopeFilter>, limit?: number): number[];
};

/** Everything of user 1 that is active. */
export const everything: ScopeFilter = {
  userId: 1,
  kinds: ['memory'],
  statuses: ['active'],
  projectIds: null,
  types: null,
};

export async function createSearchableStore(): Promise<SearchableStore> {
  const database = await openDatabase({ file: join(tempFolder(), 'loci.db'), clock: createFakeClock() });
  const { raw } = database;
  const insert = raw.prepare(
    `INSERT INTO searchables(kind, thing_id, user_id, status, type, projects, session, rev, title, body, labels, meta, features)
      VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)`,
  );
  let last = 0;
  return {
    database,
    add(thing) {
      const id = thing.id ?? last + 1;
      last = id;
      const author = thing.author ?? null;
      const words = indexTextOf({
        title: thing.title ?? null,
        texts: [thing.text, ...(thing.texts ?? [])],
        labels: thing.labels ?? [],
        names: [author, ...(thing.names ?? [])],
        dates: thing.dates ?? [],
      });
      const projects = thing.projectIds?.length ? `,${thing.projectIds.join(',')},` : ',';
      const filed = [
        thing.userId ?? 1,
        thing.status ?? 'active',
        thing.type ?? 'fact',
        projects,
        thing.session ?? null,
      ];
      const features = JSON.stringify(featuresOf({ text: thing.text, author, sequence: thing.sequence ?? null }));
      const { title, body, labels, meta } = words;
      insert.run(thing.kind ?? 'memory', id, ...filed, title, body, labels, meta, features);
      return id;
    },
    remove(id) {
      raw.prepare('DELETE FROM searchables WHERE thing_id = ?').run(id);
    },
    find(text, filter = {}, limit = 200) {
      return keywordCandidates(raw, { text, filter: { ...everything, ...filter }, limit }).hits.map((hit) => hit.id);
    },
  };
}
