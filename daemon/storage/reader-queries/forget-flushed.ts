import type { ReaderQuery } from '../reader-query.ts';

/** Lets go of fresh things whose rev is in LanceDB. */
export const forgetFlushed: ReaderQuery<'forgetFlushed'> = (_db, { modelId, keys }, state) => ({
  held: state.held.forget(modelId, keys),
});
