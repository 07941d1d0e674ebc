// Retrieval seen from the main thread: the query is embedded, everything else is one question to the reader thread.
import { presentModel } from '#daemon/embeddings/active-embedder.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { Reader } from '#daemon/storage/reader.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import { LociError } from '#shared/errors.ts';
import { candidatesPerKind } from './candidates.ts';
import type { Retrieval, RetrieveRequest } from './retrieve.ts';
import type { RetrievalQueries, RetrievedInReader, RetrieveInReader } from './retrieve-in-reader.ts';

export type RetrieveByReaderDeps = {
  readonly reader: Pick<Reader<RetrievalQueries>, 'ask'>;
  readonly vectors: Pick<VectorIndex, 'serve'>;
  readonly embedder: Embedder;
  /** Whether some texts have vectors of another model only, so that a search by meaning cannot see them. */
  readonly isPartial?: () => boolean;
};

export function createRetrievalByReader(deps: RetrieveByReaderDeps): Retrieval {
  const { reader, vectors } = deps;

  async function vectorOf(embedder: Embedder, { text, signal }: RetrieveRequest): Promise<RetrieveInReader['vector']> {
    try {
      const [vector = null] = await embedder.embed([text], { lane: 'query', purpose: 'query', signal });
      return vector;
    } catch (error) {
      if (error instanceof LociError && error.code === 'unavailable') return 'unavailable';
      throw error;
    }
  }

  function prepare({ text, reason, filter }: RetrieveRequest): void {
    // whatever goes wrong with it, the question itself will tell
    void reader
      .ask('prepareRetrieval', reason === undefined ? { text, filter } : { text, reason, filter })
      .catch(() => undefined);
  }

  return {
    async retrieve(request) {
      const { text, filter, mode } = request;
      if (!/[\p{L}\p{N}]/u.test(text)) return { hits: [], degraded: [], noise: null };
      // the model first: waking the reader takes a third of a millisecond, and the keywords are done long before the vector
      const preparing = mode === 'hybrid' ? setImmediate(prepare, request) : null;
      const embedder = presentModel(deps.embedder);
      const vector = mode === 'keyword' ? null : await vectorOf(embedder, request);
      if (preparing !== null) clearImmediate(preparing);
      const { signal: _, ...asked } = request;
      const { modelId } = embedder;
      const ask = (candidates: RetrieveInReader['candidates']): Promise<RetrievedInReader> =>
        reader.ask('retrieve', { ...asked, modelId, vector, candidates });
      const { hits, degraded, noise } =
        vector instanceof Float32Array
          ? await vectors.serve({ vector, modelId, filter, limit: candidatesPerKind }, ask)
          : await ask(null);
      const isPartial = mode !== 'keyword' && deps.isPartial?.() === true;
      return { hits, degraded: isPartial && degraded.length === 0 ? ['vector'] : degraded, noise };
    },
  };
}
