import type { ReaderQueries } from '../reader.ts';
import type { ReaderDatabase, ReaderQuery, ReaderState } from '../reader-query.ts';
import { readThings, type ThingsReader } from '../vectors/held-vectors.ts';
import { bestPassage } from './best-passage.ts';

/** Exact cosines of a few hundred given things: from memory where all vectors are held, else from the blobs; it never waits for a load. */
export const cosines: ReaderQuery<'cosines'> = (db, argument, state) => cosinesBy(readThings, db, argument, state);

export function cosinesBy(
  read: ThingsReader,
  db: ReaderDatabase,
  { vector, modelId, things }: ReaderQueries['cosines'][0],
  { held }: ReaderState,
): ReaderQueries['cosines'][1] {
  const whole = held.whole(modelId);
  if (whole !== null && whole.dimensions === vector.length) {
    return { cosines: things.map((key) => whole.cosine(vector, key)) };
  }
  return {
    cosines: read(db, modelId, things).map((thing) =>
      thing === null ? null : (bestPassage(vector, thing.passages)?.similarity ?? null),
    ),
  };
}
