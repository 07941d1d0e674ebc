import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Events } from '#daemon/kernel/events.ts';
import type { KeyedMutex } from '#daemon/kernel/keyed-mutex.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { PendingEmbeddings } from '#daemon/memories/index.ts';
import type { Projects } from '#daemon/projects/index.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';

/** What the use-cases of this room need. */
export type ThingDeps = {
  readonly database: Database;
  readonly vectors: VectorIndex;
  readonly embedder: Embedder;
  readonly projects: Pick<Projects, 'byIds'>;
  readonly events: Events;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mutex: KeyedMutex;
  readonly pending: PendingEmbeddings;
};
