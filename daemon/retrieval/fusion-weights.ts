// Fitted by `npm run eval -- fit`, never by hand.

/** The logarithm of the odds of being right is `bias` plus the sum of each value times its feature. */
export type FittedWeights = { readonly bias: number; readonly values: readonly number[] };

/** In the order of `featureNames`. */
export const memoryWeights: FittedWeights = {
  bias: 0,
  values: [1, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.25, 0, 0, 0, 0],
};

/** In the order of `featureNames`, then `transcriptFeatureNames`. */
export const transcriptWeights: FittedWeights = {
  bias: 0,
  values: [1, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
};
