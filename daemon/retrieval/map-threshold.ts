// The thresholds of the contract (0.92 merges, 0.89 warns, …) are points of the bundled model's cosines. Another model's cosines lie
// elsewhere: unrelated texts near 0.05 in one, near 0.75 in the next. Two points are common to all: unrelated texts have the store's
// mean cosine, and equal texts have 1. A threshold keeps its share of the way between the two.
import type { NoiseLevel } from '#daemon/storage/search-types.ts';

/** Mean cosine of unrelated texts under bge-small-en-v1.5, from the evaluation stores. */
const bundledMean = 0.45;
/** Fewer vectors than this say nothing about a model. */
const minRows = 50;

/** The cosine of model `modelId` that means what `point` means of the bundled model's. */
export function mapThreshold(point: number, modelId: string, noise: NoiseLevel): number {
  if (modelId.includes('bge-small-en-v1.5') || noise.rows < minRows) return point;
  return noise.mean + ((point - bundledMean) / (1 - bundledMean)) * (1 - noise.mean);
}
