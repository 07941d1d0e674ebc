// Every question that the reader worker answers, one a file. A new one is a file, a line here and a line in `ReaderQueries`.
import type Sqlite from 'better-sqlite3';
import { prepared } from './prepared.ts';
import type { ReaderQueries } from './reader.ts';
import { activityPage } from './reader-queries/activity-page.ts';
import { agents } from './reader-queries/agents.ts';
import { contentOwners } from './reader-queries/content-owners.ts';
import { cosines } from './reader-queries/cosines.ts';
import { countOwnVectors, countVectors } from './reader-queries/count-vectors.ts';
import { duplicatePairs } from './reader-queries/duplicate-pairs.ts';
import { entityPage } from './reader-queries/entity-page.ts';
import { exportClose, exportHead, exportNext, exportOpen } from './reader-queries/export-lines.ts';
import { fadingClusters } from './reader-queries/fading-clusters.ts';
import { featuresOfThings } from './reader-queries/features.ts';
import { forgetFlushed } from './reader-queries/forget-flushed.ts';
import { graphAround } from './reader-queries/graph-around.ts';
import { graphNodes } from './reader-queries/graph-nodes.ts';
import { graphPage } from './reader-queries/graph-page.ts';
import { historyCandidates } from './reader-queries/history-candidates.ts';
import { keywordCandidates } from './reader-queries/keyword-candidates.ts';
import { memoryList } from './reader-queries/memory-list.ts';
import { openConflicts } from './reader-queries/open-conflicts.ts';
import { outlived } from './reader-queries/outlived.ts';
import { pairNoise } from './reader-queries/pair-noise.ts';
import { projectHighlights } from './reader-queries/project-highlights.ts';
import { rankCandidates } from './reader-queries/rank-candidates.ts';
import { reembedCount, reembedPage, unfitVectors } from './reader-queries/reembedding.ts';
import { revisionPage } from './reader-queries/revision-page.ts';
import { statistics } from './reader-queries/statistics.ts';
import { strongest } from './reader-queries/strongest.ts';
import { vectorCandidates } from './reader-queries/vector-candidates.ts';
import { vectorPage, vectorsOf } from './reader-queries/vector-page.ts';
import type { HeldVectors } from './vectors/held-vectors.ts';

/** The read-only connection of the reader thread: SQLite's, or PostgreSQL's behind the same few methods (postgres/blocking-database.ts). */
export type ReaderDatabase = Sqlite.Database & {
  /** Changes with every write; SQLite is asked by a pragma instead. */
  readonly storeVersion?: () => string;
  /** Another connection that sees the store as it is now until it is closed; SQLite opens its file once more instead. */
  readonly openSnapshot?: () => Sqlite.Database;
};

/** What outlives a question in the worker. */
export type ReaderState = {
  readonly held: HeldVectors;
  /** The answers of this engine. */
  readonly queries: ReaderTable;
};

/** A question that must wait (for vectors being loaded) answers by a promise; the next one is served meanwhile. */
export type ReaderQuery<Name extends keyof ReaderQueries> = (
  db: ReaderDatabase,
  argument: ReaderQueries[Name][0],
  state: ReaderState,
) => ReaderQueries[Name][1] | Promise<ReaderQueries[Name][1]>;

export type ReaderTable = { readonly [Name in keyof ReaderQueries]: ReaderQuery<Name> };

/** As SQLite answers them. */
export const readerQueries: ReaderTable = {
  activityPage,
  rows: (db, { sql, parameters }) => ({ rows: prepared(db, sql).all(...parameters) as Record<string, unknown>[] }),
  keywordCandidates,
  historyCandidates,
  vectorCandidates,
  rankCandidates,
  cosines,
  features: (db, question) => featuresOfThings(db, question),
  forgetFlushed,
  countVectors,
  countOwnVectors,
  vectorPage,
  vectorsOf,
  revisionPage,
  reembedPage,
  reembedCount,
  unfitVectors,
  projectHighlights,
  memoryList,
  openConflicts,
  agents,
  statistics,
  fadingClusters,
  duplicatePairs,
  outlived,
  strongest,
  pairNoise,
  contentOwners,
  exportOpen,
  exportHead,
  exportNext,
  exportClose,
  entityPage,
  graphPage,
  graphAround,
  graphNodes,
};
