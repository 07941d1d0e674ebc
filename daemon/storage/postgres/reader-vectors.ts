// The vectors of a team: each daemon's reader thread holds them all, read from the database and kept by the change feed, and compares each.
// There is no vector table to keep in step, so its upkeep has nothing to do here.
import type { Reader } from '../reader.ts';
import type { VectorIndex } from '../vectors.ts';

export type ReaderVectorsDeps = {
  readonly reader: Reader;
  readonly modelId: () => string;
  /** Why there is no shared table although one is wanted. */
  readonly trouble?: string | undefined;
};

export function createReaderVectors({ reader, modelId, trouble }: ReaderVectorsDeps): VectorIndex {
  return {
    publish: (changes) => reader.publish(changes),
    async search({ vector, modelId: model, filter, limit }) {
      const { hits, noise } = await reader.ask('vectorCandidates', { vector, modelId: model, filter, limit });
      return { hits, noise };
    },
    serve: (_request, ask) => ask(null),
    cosines: async (vector, model, things) => (await reader.ask('cosines', { vector, modelId: model, things })).cosines,
    flush: async () => 0,
    reconcile: async () => ({ missing: 0, stale: 0, orphans: 0 }),
    optimise: async () => ({ bytesBefore: 0, bytesAfter: 0 }),
    erase: async () => undefined,
    async stats() {
      return { ...(await reader.ask('countVectors', { modelId: modelId() })), bytes: 0, servedBy: 'exact' };
    },
    modelChanged: () => undefined,
    changedElsewhere: () => undefined,
    state: () => (trouble === undefined ? { status: 'ok' } : { status: 'degraded', why: trouble }),
    close: async () => undefined,
  };
}
