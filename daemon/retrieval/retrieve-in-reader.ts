// Retrieval where its rows are. A search looks at some four hundred candidates, each with a dozen numbers, and answers fifty: as messages
// between threads they cost more than all the work on them (7 of 20 ms at 10,000 memories), and the main thread paid half of it.
// So the reader thread gathers, fuses and cuts, and only the best cross.
import type { Reader, ReaderQueries } from '#daemon/storage/reader.ts';
import type { ReaderDatabase, ReaderState } from '#daemon/storage/reader-query.ts';
import type { ThingKey } from '#daemon/storage/search-types.ts';
import { LociError } from '#shared/errors.ts';
import { candidatesPerKind } from './candidates.ts';
import { createRetrieval, type Retrieved, type RetrieveRequest } from './retrieve.ts';

export type RetrievalQueries = {
  /** Looks the keywords up while the query is being embedded; the `retrieve` that follows finds them done. */
  prepareRetrieval: [Pick<RetrieveRequest, 'text' | 'reason' | 'filter'>, null];
  retrieve: [RetrieveInReader, RetrievedInReader];
};

export type RetrieveInReader = Omit<RetrieveRequest, 'signal'> & {
  readonly modelId: string;
  /** Null where the text has no direction; `unavailable` where it could not be embedded. */
  readonly vector: Float32Array | null | 'unavailable';
  /** What LanceDB found near; null for an exact search. */
  readonly candidates: readonly ThingKey[] | null;
};

/** `held`: vectors in the thread's memory; null where none were searched. */
export type RetrievedInReader = Retrieved & { readonly held: number | null };

export const retrievalQueries = {
  prepareRetrieval(db: ReaderDatabase, asked: RetrievalQueries['prepareRetrieval'][0], state: ReaderState) {
    const { text, reason, filter } = asked;
    for (const words of reason === undefined ? [text] : [text, reason])
      state.queries.keywordCandidates(db, { text: words, filter, limit: candidatesPerKind }, state);
    return null;
  },
  async retrieve(db: ReaderDatabase, request: RetrieveInReader, state: ReaderState): Promise<RetrievedInReader> {
    const { vector, modelId, candidates } = request;
    let held: number | null = null;
    const retrieval = createRetrieval({
      reader: { ask: answerer(db, state) },
      embedder: {
        modelId,
        async embed() {
          if (vector === 'unavailable') throw new LociError('unavailable', 'The query could not be embedded.');
          return [vector];
        },
      },
      vectors: {
        async search(search) {
          if (candidates !== null) return state.queries.rankCandidates(db, { ...search, candidates }, state);
          const found = await state.queries.vectorCandidates(db, search, state);
          held = found.held;
          return found;
        },
        cosines: async (query, model, things) =>
          (await state.queries.cosines(db, { vector: query, modelId: model, things }, state)).cosines,
      },
    });
    const retrieved = await retrieval.retrieve(request);
    return { ...retrieved, held };
  },
};

/** Answers the questions of storage without a message. */
function answerer(db: ReaderDatabase, state: ReaderState): Reader['ask'] {
  const ask = async <Name extends keyof ReaderQueries>(name: Name, argument: ReaderQueries[Name][0]) =>
    state.queries[name](db, argument, state);
  return ask as Reader['ask'];
}
