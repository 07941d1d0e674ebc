// Fitted by `npm run eval -- fit`, never by hand.

/** The logarithm of the odds of being right is `bias` plus the sum of each value times its feature. */
export type FittedWeights = { readonly bias: number; readonly values: readonly number[] };

/** In the order of `featureNames`. */
export const memoryWeights: FittedWeights = {
  bias: -7.3519,
  values: [
    1.1182, 0.1199, -0.2147, 2.8673, 0.0116, 4.5831, -1.1695, -0.5141, -2.5505, -1.1146, 0.2686, -0.0012, 2.5798,
    -3.9681, -1.1635, 2.2119,
  ],
};

/** In the order of `featureNames`, then `transcriptFeatureNames`. */
export const transcriptWeights: FittedWeights = {
  bias: -9.4799,
  values: [
    0.3986, 0.0046, 2.9181, 0.6224, -0.9336, 3.5238, -0.6458, -0.3986, -1.7968, -0.8423, 0, 0, 0, 0, 0, 0, 0.9705,
    0.5297, 2.1778, 2.4988, 0.6436, 0.1468, 0.247,
  ],
};
