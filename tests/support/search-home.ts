// Searches every kind of thing in the home of a test store, over a reader and vectors of its own, as the store's own search does.

import { join } from 'node:path';
import { silentLogger } from '#daemon/kernel/logger.ts';
import type { RetrievedHit } from '#daemon/retrieval/retrieve.ts';
import { createRetrievalByReader } from '#daemon/retrieval/retrieve-by-reader.ts';
import type { RetrievalQueries } from '#daemon/retrieval/retrieve-in-reader.ts';
import { createReader } from '#daemon/storage/create-reader.ts';
import type { ScopeFilter, VectorHit } from '#daemon/storage/search-types.ts';
import { openDatabase } from '#daemon/storage/sqlite.ts';
import { createVectors } from '#daemon/storage/vectors/create-vectors.ts';
import { atEnd } from './at-end.ts';
import { tempFolder } from './temp-folder.ts';
import type { TestStore } from './test-store.ts';

export type HomeSearch = {
  /** Things best first, by keyword and meaning, or by one of them. */
  find(text: string, filter: Partial<ScopeFilter>, mode?: 'hybrid' | 'keyword' | 'vector'): Promise<RetrievedHit[]>;
  /** Things nearest in meaning, with the passage that is. */
  nearest(text: string, filter: Partial<ScopeFilter>): Promise<VectorHit[]>;
};

/** Reads what the store has written so far; the end of the test closes it. */
export async function searchHome({ home, clock, embedder }: TestStore): Promise<HomeSearch> {
  const file = join(home, 'data', 'loci.db');
  const database = await openDatabase({ file, clock });
  const reader = createReader<RetrievalQueries>({ source: { file }, logger: silentLogger });
  const { modelId, dimensions } = embedder;
  const vectors = createVectors({
    database,
    reader,
    clock,
    logger: silentLogger,
    folder: tempFolder(),
    model: () => ({ modelId, dimensions }),
    exactLimit: 100_000,
  });
  const retrieval = createRetrievalByReader({ reader, vectors, embedder });
  atEnd(async () => {
    await vectors.close();
    await reader.close();
    await database.close();
  });
  const whole = (filter: Partial<ScopeFilter>): ScopeFilter => ({
    userId: 1,
    kinds: ['document', 'code_artifact', 'memory'],
    statuses: ['active'],
    projectIds: null,
    types: null,
    ...filter,
  });
  return {
    async find(text, filter, mode = 'hybrid') {
      return (await retrieval.retrieve({ text, filter: whole(filter), mode, limit: 50 })).hits;
    },
    async nearest(text, filter) {
      const [vector = null] = await embedder.embed([text], { lane: 'query', purpose: 'query' });
      if (vector === null) return [];
      return (await vectors.search({ vector, modelId, filter: whole(filter), limit: 50 })).hits;
    },
  };
}
