// Features belong to a rev of a text and never change under it, so that those of the things which are found again and again are read once:
// two hundred reads of rows are a fifth of what a search costs.
import type Sqlite from 'better-sqlite3';
import { type HitFeatures, hitFeaturesOf } from '../keywords/text-features.ts';
import { prepared } from '../prepared.ts';
import type { ThingKey } from '../search-types.ts';

type Versioned = ThingKey & { readonly rev: number };

/** Two megabytes, about. */
const keptThings = 10_000;

const keptByDatabase = new WeakMap<Sqlite.Database, Map<string, HitFeatures>>();

type Row = { readonly rev: number; readonly features: string; readonly session: string | null };
type ReadRows = (db: Sqlite.Database, things: readonly ThingKey[]) => readonly (Row | null)[];

/** The features of given things, in order; null for one that is not indexed. `read` reads the rows that are not known yet. */
export function featuresOfThings(
  db: Sqlite.Database,
  { things }: { readonly things: readonly Versioned[] },
  read: ReadRows = readEach,
): { features: (HitFeatures | null)[] } {
  const kept = keptByDatabase.get(db) ?? new Map<string, HitFeatures>();
  keptByDatabase.set(db, kept);
  const features = things.map((thing) => kept.get(nameOf(thing)) ?? null);
  const unknown = things.flatMap((thing, index) => (features[index] === null ? [{ thing, index }] : []));
  if (unknown.length === 0) return { features };
  const rows = read(
    db,
    unknown.map(({ thing }) => thing),
  );
  for (const [at, { thing, index }] of unknown.entries()) {
    const row = rows[at];
    if (row === undefined || row === null) continue;
    const found = hitFeaturesOf(row.features, row.session);
    features[index] = found;
    if (kept.size >= keptThings) kept.clear();
    if (row.rev === thing.rev) kept.set(nameOf(thing), found);
  }
  return { features };
}

function readEach(db: Sqlite.Database, things: readonly ThingKey[]): (Row | null)[] {
  const point = prepared<[string, number], Row>(
    db,
    'SELECT rev, features, session FROM searchables WHERE kind = ? AND thing_id = ?',
  );
  return things.map(({ kind, id }) => point.get(kind, id) ?? null);
}

function nameOf({ kind, id, rev }: Versioned): string {
  return `${kind}:${id}:${rev}`;
}
