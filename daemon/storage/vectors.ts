// Vectors: derived from the blobs in SQLite, searched exactly up to a limit, by LanceDB above it.
import type { NoiseLevel, ScopeFilter, ThingKey, VectorChange, VectorHit } from './search-types.ts';

export type VectorSearch = {
  readonly vector: Float32Array;
  readonly modelId: string;
  readonly filter: ScopeFilter;
  readonly limit: number;
};

export type VectorIndex = {
  /** Makes committed vectors visible to the very next search; called in the same tick as the commit. */
  publish(changes: readonly VectorChange[]): void;
  /** Things nearest to `vector`, best passage of each, best first; `noise` over the scope for calibration. */
  search(request: VectorSearch): Promise<{ hits: VectorHit[]; noise: NoiseLevel }>;
  /**
   * Lets a question to the reader thread search vectors as part of more: `ask` gets what LanceDB found near, or null where the thread
   * is to search exactly, and answers how many vectors the thread holds (null where it searched none).
   */
  serve<Answer extends { readonly held: number | null }>(
    request: VectorSearch,
    ask: (candidates: readonly ThingKey[] | null) => Promise<Answer>,
  ): Promise<Answer>;
  /** Exact cosines of given things, from SQLite's blobs; null where a thing has no vector of the model. */
  cosines(vector: Float32Array, modelId: string, things: readonly ThingKey[]): Promise<(number | null)[]>;
  /** Writes at most 64 outbox rows to LanceDB at a time until none is left; answers how many. */
  flush(): Promise<number>;
  /** Compares LanceDB with SQLite by id and rev, and puts what differs into the outbox; answers counts. */
  reconcile(): Promise<{ missing: number; stale: number; orphans: number }>;
  /** Compacts the table, drops old versions, builds the index when it is large enough. */
  optimise(): Promise<{ bytesBefore: number; bytesAfter: number }>;
  /** Another model is the active one now: what was known of the former one's rows and table is forgotten. */
  modelChanged(): void;
  /** Another daemon of the team has changed vectors, or this one writes the shared table from now on. */
  changedElsewhere(): void;
  /** After a purge: rewrites the table without the erased bytes, at once when small, else at the next `optimise`. */
  erase(): Promise<void>;
  /** `rows` of the active model, things without a vector (`pending`), things not in LanceDB yet (`unflushed`), bytes of LanceDB's folder. */
  stats(): Promise<{
    rows: number;
    pending: number;
    unflushed: number;
    bytes: number;
    servedBy: 'exact' | 'lance';
  }>;
  state(): { readonly status: 'ok' | 'degraded' | 'down'; readonly why?: string };
  close(): Promise<void>;
};
