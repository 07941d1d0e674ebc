// Whether a find is worth telling to someone who did not ask. A search always has a best hit; most prompts have no right one, and a memory that
// has nothing to do with the prompt is worse than none. How far a hit stands above the others says nothing about that (a floor on it kept
// 42 % of the right finds); how near it is to the query does, and so does holding most of what the query says.
// Measured with `npm run eval -- silence`: silent on 98 % of unrelated prompts, 92 % of the right finds told.
import type { NoiseLevel } from '#daemon/storage/search-types.ts';
import { mapThreshold } from './map-threshold.ts';
import type { RetrievedHit } from './retrieve.ts';

/** Cosines of the bundled model between a query and a stored text. */
const nearEnough = 0.67;
/** Near enough for a text that holds most of the query's words by weight. */
const nearEnoughWithWords = 0.54;
const mostWords = 0.6;
/** One word alone is chance, however rare it is. */
const fewestWords = 2;

export type Evidence = Pick<RetrievedHit, 'similarity' | 'coverage' | 'matchedWords'>;

/** `noise` is the query's level as the search found it; null where nothing was searched by meaning: then the words must tell. */
export function isWorthTelling(hit: Evidence, modelId: string, noise: NoiseLevel | null): boolean {
  const holdsMost = hit.coverage >= mostWords && hit.matchedWords >= fewestWords;
  if (hit.similarity === null || noise === null) return holdsMost;
  if (hit.similarity >= mapThreshold(nearEnough, modelId, noise)) return true;
  return holdsMost && hit.similarity >= mapThreshold(nearEnoughWithWords, modelId, noise);
}
