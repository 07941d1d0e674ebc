// Fitted by `npm run eval -- fit`, never by hand.

/** The logarithm of the odds of being right is `bias` plus the sum of each value times its feature. */
export type FittedWeights = { readonly bias: number; readonly values: readonly number[] };

/** In the order of `featureNames`. */
export const memoryWeights: FittedWeights = {
  bias: -7.5698,
  values: [
    1.1056, 0.1073, 0.0246, 2.6578, 0.0896, 4.7036, -1.1836, -0.5156, -2.3673, -1.0532, 0.3472, -0.0016, 2.5853,
    -4.7112, -1.427, 2.315,
  ],
};

/** In the order of `featureNames`, then `transcriptFeatureNames`. */
export const transcriptWeights: FittedWeights = {
  bias: -9.5039,
  values: [
    0.3776, 0.0039, 3.171, 0.3919, -0.8919, 3.3354, -0.6422, -0.3776, -1.5765, -0.776, 0, 0, 0, 0, 0, 0, 0.9482, 0.5278,
    2.1868, 2.4576, 0.7416, 0.1486, 0.2406,
  ],
};
