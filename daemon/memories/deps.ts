import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { Reranker } from '#daemon/embeddings/reranker.ts';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Events } from '#daemon/kernel/events.ts';
import type { AnswerStore } from '#daemon/kernel/invoke.ts';
import type { KeyedMutex } from '#daemon/kernel/keyed-mutex.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { Summariser } from '#daemon/llm/summariser.ts';
import type { Policy } from '#daemon/policies/index.ts';
import type { ProjectResolver, Projects } from '#daemon/projects/index.ts';
import type { Retrieval } from '#daemon/retrieval/retrieve.ts';
import type { Reader } from '#daemon/storage/reader.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import type { Accesses } from './accesses.ts';
import type { Attachable } from './attachments.ts';
import type { PendingEmbeddings } from './embed-pending.ts';

/** Settings that the room's rules take. */
export type MemorySettings = {
  /** Cosine above which a save is a near-duplicate, as a point of the bundled model's cosines. */
  readonly mergeThreshold: number;
  /** Cosine from which an archived or obsolete memory is named to a save that says it again; null turns it off. */
  readonly obsoleteThreshold: number | null;
  readonly decayStrength: number;
  /** Days without an access until a memory of no confidence has half its strength. */
  readonly halfLifeDays: number;
  /** How many links a new note makes by itself; 0 turns them off. */
  readonly automaticLinks: number;
  /** Cosine from which it does. */
  readonly linkThreshold: number;
  /** Tokens and memories of one answer to `query_memory`. */
  readonly tokenBudget: number;
  readonly maxMemories: number;
  /** How many of the first hits a reranker orders again. */
  readonly rerankCandidates: number;
  readonly consolidation: ConsolidationSettings;
  readonly cleaning: CleaningSettings;
};

export type ConsolidationSettings = {
  /** Memories whose decay is below are candidates. */
  readonly below: number;
  /** Least cosine between any two of a cluster, as a point of the bundled model's cosines. */
  readonly threshold: number;
  /** Fewer candidates than this are left alone. */
  readonly minCandidates: number;
};

export type CleaningSettings = {
  /** Memories whose decay is below are archived. */
  readonly archiveBelow: number;
  /** Cosine above which two memories say the same, as a point of the bundled model's cosines. */
  readonly duplicateThreshold: number;
};

/** What every use-case of this room may need. */
export type MemoryDeps = {
  readonly database: Database;
  readonly reader: Reader;
  readonly vectors: VectorIndex;
  readonly embedder: Embedder;
  readonly retrieval: Retrieval;
  readonly projects: Projects;
  readonly resolver: ProjectResolver;
  readonly events: Events;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: MemorySettings;
  readonly policy: Policy;
  /** Orders the first hits of a query of notes again; null where the settings name none. */
  readonly reranker: Reranker | null;
  /** Writes summaries with a language model; null where the settings do not ask for one. */
  readonly summariser: Summariser | null;
  /** The folder of the agent whose memory files are kept fresh (`~/.claude`); null where there is none. */
  readonly agentFolder: string | null;
  readonly mutex: KeyedMutex;
  readonly accesses: Accesses;
  readonly pending: PendingEmbeddings;
  readonly answers: AnswerStore;
  readonly attachable: Attachable;
};
