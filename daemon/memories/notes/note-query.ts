import type { RetrievedHit } from '#daemon/retrieval/retrieve.ts';
import type { Memory } from '../memory.ts';

export type NoteQuery = {
  readonly query: string;
  /** Why it is asked: ranks, but never widens what is found. */
  readonly queryContext: string;
  readonly k: number;
  /** Neighbours of each primary; 0 for none. */
  readonly linksPerPrimary: number;
  readonly importanceFrom: number;
  readonly projectIds: readonly number[] | null;
  /** Neighbours must be of these projects too. */
  readonly strictProjects: boolean;
  readonly tokenBudget: number;
};

export type FoundNote = {
  readonly memory: Memory;
  readonly hit: RetrievedHit;
  /** Null where no reranker ordered it. */
  readonly rerankScore: number | null;
};
