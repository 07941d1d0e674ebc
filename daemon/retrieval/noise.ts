// A cosine means nothing by itself: bge gives unrelated texts .4 to .6, e5 gives them .7 to .8, and each store has a level of its own.
// What counts is how far a hit stands above the noise: how unlike a random thing of the same scope it is. Bm25 scores are put on the same scale,
// so that the two can be added (ranks cannot: they throw away how sure each list is).

export type Level = { readonly mean: number; readonly deviation: number };

/** Deviations above the noise; 0 where the scope shows no spread at all. */
export function standardised(value: number, { mean, deviation }: Level): number {
  return deviation > 1e-9 ? (value - mean) / deviation : 0;
}
