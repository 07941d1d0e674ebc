import type { ActiveEmbedder } from '#daemon/embeddings/active-embedder.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { PendingEmbeddings, PendingThing } from '#daemon/memories/index.ts';
import type { Exclusive } from '#daemon/storage/exclusive.ts';
import type { Reader } from '#daemon/storage/reader.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import type { ModelChoice } from '#daemon/storage/vectors/store-model.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';

/** A model with the choice that it was made by. */
export type Target = { readonly embedder: Embedder; readonly choice: ModelChoice };

export type ReEmbeddingDeps = {
  readonly database: Database;
  readonly reader: Reader;
  readonly vectors: VectorIndex;
  readonly active: ActiveEmbedder;
  readonly pending: PendingEmbeddings;
  /** Reads a thing's text by kind. */
  readonly texts: Readonly<Record<string, (id: number) => Promise<PendingThing | null>>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly open: (choice: ModelChoice) => Embedder;
  /** What the settings say, what holds, and the model of that where it is not the active one. */
  readonly settings: ModelChoice;
  readonly chosen: ModelChoice;
  readonly wanted: Target | null;
  /** Up to so many vectors are searched exactly, in memory. */
  readonly exactLimit: number;
  readonly dataFolder: string;
  /** Whether other daemons have the same store: then its model is theirs too. */
  readonly isShared: boolean;
  /** The right to embed everything anew, which one daemon has at a time. */
  readonly exclusive: () => ReturnType<Exclusive>;
  /** How long a model that cannot be used is left alone; 30 s unless given. */
  readonly retryMs?: number | undefined;
};
