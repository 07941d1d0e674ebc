// Fitted by `npm run eval -- fit` on public and generated relevance judgements, never by hand. In the order of `featureNames`.

export const fusionWeights: { readonly bias: number; readonly values: readonly number[] } = {
  bias: 0,
  values: [1, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.25, 0, 0, 0, 0],
};
