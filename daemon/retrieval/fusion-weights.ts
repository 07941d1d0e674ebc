// Fitted by `npm run eval -- fit`, never by hand.

/** The logarithm of the odds of being right is `bias` plus the sum of each value times its feature. */
export type FittedWeights = { readonly bias: number; readonly values: readonly number[] };

/** In the order of `featureNames`. */
export const memoryWeights: FittedWeights = {
  bias: -7.4328,
  values: [
    1.1054, 0.108, -0.1162, 2.8184, 0.1574, 4.5411, -1.1815, -0.5285, -2.3579, -1.0753, 0.2677, 0.0047, 2.4164, -3.8679,
    -1.1528, 2.0734,
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
