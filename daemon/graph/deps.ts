import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Events } from '#daemon/kernel/events.ts';
import type { KeyedMutex } from '#daemon/kernel/keyed-mutex.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { PendingEmbeddings } from '#daemon/memories/index.ts';
import type { Policy } from '#daemon/policies/index.ts';
import type { Projects } from '#daemon/projects/index.ts';
import type { Retrieval } from '#daemon/retrieval/retrieve.ts';
import type { Reader } from '#daemon/storage/reader.ts';
import type { Database, Queries } from '#daemon/storage/sqlite.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import type { NodeType } from '#shared/contract/knowledge/node-types.ts';

/** Answers which of the ids are the user's. */
export type Existing = (db: Queries, userId: number, ids: readonly number[]) => Promise<readonly number[]>;

/** What the use-cases of this room need. */
export type GraphDeps = {
  readonly database: Database;
  readonly reader: Pick<Reader, 'ask'>;
  readonly vectors: VectorIndex;
  readonly embedder: Embedder;
  readonly retrieval: Retrieval;
  readonly projects: Pick<Projects, 'byIds'>;
  readonly events: Events;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mutex: KeyedMutex;
  readonly pending: PendingEmbeddings;
  /** Judges entities. */
  readonly policy: Policy;
  /** The room of files stands above this one; undefined where there is none. */
  readonly existingFiles?: Existing | undefined;
  /** Setting `graph.max_nodes`. */
  readonly maxNodes: number;
  /** Kinds that a setting has turned off, with its key. */
  readonly turnedOff: ReadonlyMap<NodeType, string>;
};
