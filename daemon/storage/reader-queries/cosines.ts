import { thingRows } from '../held-vectors.ts';
import type { ReaderQuery } from '../reader-queries.ts';
import { bestPassage } from './best-passage.ts';

/** Exact cosines of a few hundred given things, from the blobs: it never waits for vectors to be loaded. */
export const cosines: ReaderQuery<'cosines'> = (db, { vector, modelId, things }) => ({
  cosines: things.map((key) => {
    const thing = thingRows(db, modelId, key);
    return thing === null ? null : (bestPassage(vector, thing.passages)?.similarity ?? null);
  }),
});
