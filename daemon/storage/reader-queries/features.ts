import type Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import type { ThingKey } from '../search-types.ts';
import { type HitFeatures, hitFeaturesOf } from '../text-features.ts';

/** The features of given things, in order; null for one that is not indexed. */
export function featuresOfThings(
  db: Sqlite.Database,
  { things }: { readonly things: readonly ThingKey[] },
): { features: (HitFeatures | null)[] } {
  const statement = prepared(db, 'SELECT features, session FROM searchables WHERE kind = ? AND thing_id = ?');
  const features = things.map(({ kind, id }) => {
    const row = statement.get(kind, id) as { features: string; session: string | null } | undefined;
    return row === undefined ? null : hitFeaturesOf(row.features, row.session);
  });
  return { features };
}
