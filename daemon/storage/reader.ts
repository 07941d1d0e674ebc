// The door to the reader worker: a thread with a read-only connection of its own, and the exact vectors in its memory.
// Whatever scans (keyword candidates, facets, statistics, lists) runs there, so that the main thread stays at point reads and writes.
import type {
  EntityPageQuestion,
  FoundNode,
  GraphAroundAnswer,
  GraphAroundQuestion,
  GraphPageAnswer,
  GraphPageQuestion,
  PassageKey,
} from './graph/graph-types.ts';
import type { HitFeatures } from './keywords/text-features.ts';
import type { ExportHead } from './records/export-cursor.ts';
import type { ExportScope } from './records/export-scope.ts';
import type { NoiseLevel, ScopeFilter, ThingHit, ThingKey, VectorChange, VectorHit } from './search-types.ts';
import type { ChangeLogRow } from './tables/store.ts';
import type { FilterKeys } from './vectors/scope-groups.ts';

/** Requests the worker answers, by name: `[argument, answer]`. Rooms add their queries in `reader-queries/`. */
export type ReaderQueries = {
  /** Best keyword hits of a text, scores scaled to the scope's own word statistics. */
  keywordCandidates: [
    { readonly text: string; readonly filter: ScopeFilter; readonly limit: number },
    KeywordCandidates,
  ];
  /** Exact cosines over all vectors, which the worker loads when first asked; best passage of each thing. `held`: rows in memory. */
  vectorCandidates: [
    { readonly vector: Float32Array; readonly modelId: string; readonly filter: ScopeFilter; readonly limit: number },
    { readonly hits: VectorHit[]; readonly noise: NoiseLevel; readonly held: number },
  ];
  /** The same answer from candidates that LanceDB named: their exact cosines, checked against the present rows, and the fresh things besides. */
  rankCandidates: [
    {
      readonly vector: Float32Array;
      readonly modelId: string;
      readonly filter: ScopeFilter;
      readonly limit: number;
      readonly candidates: readonly ThingKey[];
    },
    { readonly hits: VectorHit[]; readonly noise: NoiseLevel; readonly held: number },
  ];
  /** LanceDB has these revs now: they need not be held any more. */
  forgetFlushed: [
    { readonly modelId: string; readonly keys: readonly (ThingKey & { readonly rev: number })[] },
    { readonly held: number },
  ];
  /** Vectors of the model, things that lack one (`pending`), and things that LanceDB does not have yet (`unflushed`). */
  countVectors: [
    { readonly modelId: string },
    { readonly rows: number; readonly pending: number; readonly unflushed: number },
  ];
  /** The same for what one user has. */
  countOwnVectors: [
    { readonly modelId: string; readonly userId: number },
    { readonly rows: number; readonly pending: number },
  ];
  /** Things whose present rev has no vectors yet of the model that everything is being embedded with, a page from `after` (0 first). */
  reembedPage: [
    { readonly modelId: string; readonly after: number; readonly limit: number },
    { readonly rows: readonly (ThingKey & { readonly rowId: number; readonly rev: number })[] },
  ];
  /** All things and their passages, those done with for that model, and those that lack a vector of the active one (`waiting`). */
  reembedCount: [
    { readonly modelId: string },
    { readonly things: number; readonly passages: number; readonly done: number; readonly waiting: number },
  ];
  /** Vectors of a model that are not `dimensions` long, among the rows from `after` on; `next` is null after the last. */
  unfitVectors: [
    { readonly modelId: string; readonly dimensions: number; readonly after: number },
    { readonly things: readonly ThingKey[]; readonly next: number | null },
  ];
  /** Vectors of present things with what LanceDB filters by, a page from `after` (0 first); `next` is null after the last. */
  vectorPage: [
    { readonly modelId: string; readonly dimensions: number; readonly after: number; readonly limit: number },
    VectorRows & { readonly next: number | null },
  ];
  /** The same of given things; none for a thing that is gone or has no vector of its present rev. */
  vectorsOf: [
    { readonly modelId: string; readonly dimensions: number; readonly things: readonly ThingKey[] },
    VectorRows,
  ];
  /** Which rows LanceDB should hold, a page from `after`. */
  revisionPage: [
    { readonly modelId: string; readonly after: number; readonly limit: number },
    {
      readonly rows: (ThingKey & { readonly passage: number; readonly rev: number })[];
      readonly next: number | null;
    },
  ];
  /** Cosines of given things with a vector (for keyword hits that the vector list does not hold); absent where a thing has none. */
  cosines: [
    { readonly vector: Float32Array; readonly modelId: string; readonly things: readonly ThingKey[] },
    { readonly cosines: (number | null)[] },
  ];
  /** What ranking knows of the texts of given things (for vector hits that the keyword list does not hold); null for a thing that is gone. */
  features: [
    { readonly things: readonly (ThingKey & { readonly rev: number })[] },
    { readonly features: (HitFeatures | null)[] },
  ];
  /** Active memories of a project worth telling at the start of a session, in no order: a hundred at most. */
  projectHighlights: [{ readonly userId: number; readonly projectId: number }, { readonly ids: number[] }];
  /** Earlier versions, current at a time, that hold words of a text; `coverage` is the share of its words. */
  historyCandidates: [
    { readonly text: string; readonly userId: number; readonly asOfMs: number; readonly limit: number },
    { readonly hits: readonly { readonly id: number; readonly coverage: number }[] },
  ];
  /** A page of the log of changes, newest first, and how many rows there are. */
  activityPage: [
    { readonly filter: ActivityFilter; readonly limit: number; readonly offset: number },
    { readonly rows: ChangeLogRow[]; readonly total: number },
  ];
  /** A page of a user's memories, newest first by `sort`, and how many there are; each facet is counted under all filters but its own. */
  memoryList: [
    {
      readonly filter: MemoryFilter;
      readonly sort: 'updated' | 'created' | 'importance';
      readonly limit: number;
      readonly offset: number;
      readonly facets: boolean;
    },
    {
      readonly ids: number[];
      readonly total: number;
      readonly facets: Record<FacetName, { value: string | null; count: number }[]> | null;
    },
  ];
  /** Pairs that a save called a possible conflict, both still active and not settled, the latest first. */
  openConflicts: [
    { readonly userId: number; readonly limit: number },
    {
      readonly pairs: {
        readonly newer: number;
        readonly older: number;
        readonly similarity: number | null;
        readonly atMs: number;
      }[];
    },
  ];
  /** What a query finds that was built elsewhere (scans.ts). */
  rows: [
    { readonly sql: string; readonly parameters: readonly unknown[] },
    { readonly rows: readonly Record<string, unknown>[] },
  ];
  /** Brings what the write-ahead log holds into the database file, so that whoever empties the log finds little left to do. */
  foldLog: [Record<string, never>, null];
  /** Who has written, by the name each client gives itself. */
  agents: [{ readonly userId: number }, { readonly agents: AgentRow[] }];
  statistics: [
    {
      readonly userId: number;
      readonly projectId: number | null;
      readonly nowMs: number;
      /** Setting `decay.half_life_days`. */
      readonly halfLifeDays: number;
      /** Setting `consolidate.below`: memories whose decay is below are fading. */
      readonly fadingBelow: number;
    },
    StatisticsRow,
  ];
  /** Ids of a page of entities (newest first, or nearest to a part of a name), and how many there are in all. */
  entityPage: [EntityPageQuestion, { readonly ids: number[]; readonly total: number }];
  graphPage: [GraphPageQuestion, GraphPageAnswer];
  graphAround: [GraphAroundQuestion, GraphAroundAnswer];
  /** Nodes of given things in their order, with the projects they are in; those that are gone or hidden are left out. */
  graphNodes: [
    { readonly userId: number; readonly nowMs: number; readonly keys: readonly PassageKey[] },
    { readonly nodes: readonly FoundNode[] },
  ];
  /**
   * Clusters of fading memories of one user, project and type, any two of which are above `threshold`; none below `minCandidates`.
   * A memory fades when its age times (1 − confidence) is above `fadedAfterMs`.
   */
  fadingClusters: [
    UserVectors & {
      readonly projectId: number | null;
      readonly fadedAfterMs: number;
      readonly minCandidates: number;
      readonly maxMembers: number;
    },
    { readonly candidates: number; readonly clusters: number[][] },
  ];
  /** Pairs of one user, project and type above `threshold`; each memory names at most `maxPartners` of a higher id. */
  duplicatePairs: [
    UserVectors & { readonly maxPartners: number },
    { readonly pairs: { readonly a: number; readonly b: number; readonly similarity: number }[] },
  ];
  /** Ids of active memories that are past their expiry or faded, a page from `after` (0 first). */
  outlived: [
    {
      readonly userId: number;
      readonly nowMs: number;
      readonly fadedAfterMs: number;
      readonly after: number;
      readonly limit: number;
    },
    { readonly ids: number[]; readonly next: number | null },
  ];
  /** Ids of a project's strongest live memories, strongest first, `exclude` aside. */
  strongest: [
    {
      readonly userId: number;
      readonly projectId: number;
      readonly nowMs: number;
      readonly halfLifeDays: number;
      readonly exclude: readonly number[];
      readonly limit: number;
    },
    { readonly ids: number[] },
  ];
  /** How near unrelated texts of the store are under a model. */
  pairNoise: [{ readonly modelId: string; readonly dimensions: number }, { readonly noise: NoiseLevel }];
  /** Begins an export and holds the store as it is now; whoever opens one closes it. */
  exportOpen: [ExportScope, { readonly cursor: number }];
  /** What it holds; null: not counted to the end yet, ask again. */
  exportHead: [{ readonly cursor: number }, { readonly head: ExportHead | null }];
  /** Its next lines, about `maxBytes` of them; null after the last. */
  exportNext: [{ readonly cursor: number; readonly maxBytes: number }, { readonly lines: Uint8Array | null }];
  exportClose: [{ readonly cursor: number }, null];
  /** The active memory whose content is each text, or null. */
  contentOwners: [{ readonly userId: number; readonly texts: readonly string[] }, { readonly ids: (number | null)[] }];
};

type UserVectors = {
  readonly userId: number;
  readonly nowMs: number;
  readonly modelId: string;
  readonly dimensions: number;
  /** A cosine of this model. */
  readonly threshold: number;
};

export type FacetName = 'project' | 'type' | 'tier' | 'status' | 'agent' | 'age';

/** Null where everything is wanted. */
export type MemoryFilter = {
  readonly userId: number;
  readonly projectId: number | null;
  /** The name of that project, as facets count by it. */
  readonly projectName: string | null;
  readonly type: string | null;
  readonly tier: string | null;
  readonly status: string | null;
  readonly agent: string | null;
  readonly age: string | null;
  readonly pinned: boolean | null;
  readonly createdSinceMs: number | null;
  readonly nowMs: number;
};

/** Null where everything is wanted. */
export type ActivityFilter = {
  readonly userId: number;
  readonly kind: string | null;
  readonly thingId: number | null;
  /** Only these words of the log, or (`without`) all but these. */
  readonly actions: ActionWords | null;
  readonly actor: string | null;
  readonly actorId: string | null;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
};

export type ActionWords = { readonly words: readonly string[]; readonly without: boolean };

export type KeywordCandidates = {
  readonly hits: ThingHit[];
  /** Rows of the scope. */
  readonly rows: number;
  /** Words of the query that were looked up, with their idf in the scope and how many of its rows hold them. */
  readonly words: { readonly word: string; readonly idf: number; readonly rows: number; readonly exact: boolean }[];
  /** Mean and deviation of the score over all rows of the scope, those without a word of the query counting 0. */
  readonly noise: { readonly mean: number; readonly deviation: number };
};

/** Rows with their vectors one behind the other. */
export type VectorRows = { readonly rows: VectorPageRow[]; readonly vectors: Float32Array };

/** A row of a page; its vector is the slice of the page's `vectors` at the same position. */
export type VectorPageRow = FilterKeys & { readonly id: number; readonly rev: number; readonly passage: number };

export type AgentRow = { agent: string; memories: number; changes: number; lastMs: number | null };

export type StatisticsRow = {
  readonly byStatus: { readonly active: number; readonly archived: number; readonly obsolete: number };
  readonly byType: Record<string, number>;
  readonly byTier: Record<string, number>;
  readonly byProject: { readonly name: string; readonly memories: number }[];
  readonly accesses: number;
  readonly ages: {
    readonly fresh: number;
    readonly aging: number;
    readonly fading: number;
    readonly fadingIn30Days: number;
  };
  /** Memories learned in each of the last twelve weeks that are over or under way, oldest first. */
  readonly growth: { readonly fromMs: number; readonly saved: number }[];
  /** What fades next, within the 30 days, soonest first, at most ten. */
  readonly fadingNext: {
    readonly id: number;
    readonly title: string | null;
    readonly content: string;
    readonly fadesAtMs: number;
  }[];
};

/** Questions by name: `[argument, answer]`. */
export type Questions = Readonly<Record<string, readonly [argument: unknown, answer: unknown]>>;

/** `More`: questions that rooms above storage have added to the thread. */
export type Reader<More extends Questions = Record<never, never>> = {
  ask<Name extends keyof ReaderQueries>(name: Name, argument: ReaderQueries[Name][0]): Promise<ReaderQueries[Name][1]>;
  ask<Name extends keyof More>(name: Name, argument: More[Name][0]): Promise<More[Name][1]>;
  /** Tells the worker of committed vectors, before any later question: messages keep their order. */
  publish(changes: readonly VectorChange[]): void;
  /** Tells the worker of things that another daemon changed, so that it reads their vectors again. */
  reread(keys: readonly (ThingKey & { readonly rev: number })[]): void;
  close(): Promise<void>;
};
