// Every question that the reader worker answers, one a file. A new one is a file, a line here and a line in `ReaderQueries`.

import { prepared } from './prepared.ts';
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
import { foldLog } from './reader-queries/fold-log.ts';
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
import type { ReaderTable } from './reader-query.ts';

/** As SQLite answers them. */
export const readerQueries: ReaderTable = {
  activityPage,
  rows: (db, { sql, parameters }) => ({ rows: prepared(db, sql).all(...parameters) as Record<string, unknown>[] }),
  foldLog,
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
