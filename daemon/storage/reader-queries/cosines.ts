import { thingRows } from '../held-vectors.ts';
import type { ReaderQuery } from '../reader-queries.ts';
import { bestPassage } from './best-passage.ts';

/** Exact cosines of a few hundred given things: from memory where all vectors are held, else from the blobs; it never waits for a load. */
export const cosines: ReaderQuery<'cosines'> = (db, { vector, modelId, things }, { held }) => {
  const whole = held.whole(modelId);
  if (whole !== null && whole.dimensions === vector.length) {
    return { cosines: things.map((key) => whole.cosine(vector, key)) };
  }
  return {
    cosines: things.map((key) => {
      const thing = thingRows(db, modelId, key);
      return thing === null ? null : (bestPassage(vector, thing.passages)?.similarity ?? null);
    }),
  };
};
