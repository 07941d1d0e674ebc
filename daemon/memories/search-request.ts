import type { CallContext } from '#daemon/kernel/context.ts';
import type { RetrievedHit } from '#daemon/retrieval/retrieve.ts';
import type { ScoreFactors } from '#daemon/retrieval/score.ts';
import type { ScopeFilter } from '#daemon/storage/search-types.ts';
import type { Memory } from './memory.ts';

export type Related = {
  readonly id: number;
  readonly title: string;
  readonly score: number;
  readonly via: 'link' | 'meaning' | 'entity';
};

export type SearchRequest = {
  readonly query: string;
  readonly project: string | null;
  readonly type: string | null;
  readonly mode: 'hybrid' | 'keyword' | 'vector';
  readonly depth: 1 | 2 | 3;
  readonly limit: number;
  readonly includeArchived: boolean;
  /** What was known then, in milliseconds; null for now. */
  readonly asOfMs: number | null;
  /** Adds every factor of each score. */
  readonly explain: boolean;
};

export type Scored = {
  readonly hit: RetrievedHit;
  readonly score: ScoreFactors;
  readonly crossProject: boolean;
};

export type Found = Scored & { readonly memory: Memory };

export type SearchAnswer = {
  readonly found: readonly Found[];
  readonly related: readonly Related[];
  readonly degraded: readonly string[];
  /** What to try when a named project gave nothing. */
  readonly hint: string | null;
};

export function filterOf(
  request: Pick<SearchRequest, 'type' | 'includeArchived'>,
  context: CallContext,
  projectId: number | null,
): ScopeFilter {
  return {
    userId: context.userId,
    kinds: ['memory'],
    statuses: request.includeArchived ? ['active', 'archived', 'obsolete'] : ['active'],
    projectIds: projectId === null ? null : [projectId],
    types: request.type === null ? null : request.type === 'fact' ? ['fact', 'keyed_fact'] : [request.type],
  };
}
