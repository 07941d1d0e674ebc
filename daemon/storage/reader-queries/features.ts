// Features belong to a rev of a text and never change under it, so that those of the things which are found again and again are read once:
// two hundred reads of rows are a fifth of what a search costs.
import type Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import type { ThingKey } from '../search-types.ts';
import { type HitFeatures, hitFeaturesOf } from '../text-features.ts';

type Versioned = ThingKey & { readonly rev: number };

/** Two megabytes, about. */
const keptThings = 10_000;

const keptByDatabase = new WeakMap<Sqlite.Database, Map<string, HitFeatures>>();

/** The features of given things, in order; null for one that is not indexed. */
export function featuresOfThings(
  db: Sqlite.Database,
  { things }: { readonly things: readonly Versioned[] },
): { features: (HitFeatures | null)[] } {
  const kept = keptByDatabase.get(db) ?? new Map<string, HitFeatures>();
  keptByDatabase.set(db, kept);
  const features = things.map((thing) => {
    const key = `${thing.kind}:${thing.id}:${thing.rev}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const read = readFeatures(db, thing);
    if (read === null) return null;
    if (kept.size >= keptThings) kept.clear();
    if (read.rev === thing.rev) kept.set(key, read.features);
    return read.features;
  });
  return { features };
}

function readFeatures(db: Sqlite.Database, { kind, id }: ThingKey): { rev: number; features: HitFeatures } | null {
  const row = prepared(db, 'SELECT rev, features, session FROM searchables WHERE kind = ? AND thing_id = ?').get(
    kind,
    id,
  ) as { rev: number; features: string; session: string | null } | undefined;
  return row === undefined ? null : { rev: row.rev, features: hitFeaturesOf(row.features, row.session) };
}
