import type { ReaderQuery } from '../reader-query.ts';

/** Exact search over every vector of the model. */
export const vectorCandidates: ReaderQuery<'vectorCandidates'> = async (_db, argument, state) => {
  const { vector, modelId, filter, limit } = argument;
  const vectors = await state.held.of(modelId, vector.length, 'all');
  return { ...vectors.search(vector, filter, limit), held: vectors.rows() };
};
