// The door of this room: a text in, ids and numbers out. It knows no room and no row; what a memory is, who may see it and how old it is
// are the caller's to say (by the filter) and to weigh (score.ts).
import type { NoiseLevel, ScopeFilter, ThingKey } from '#daemon/storage/search-types.ts';
import { type CandidateDeps, gatherCandidates, type SearchMode } from './candidates.ts';
import { type Explanation, explain } from './explain.ts';
import { type FuseOptions, fuse } from './fuse.ts';
import { leanToReason } from './lean-to-reason.ts';

export type RetrieveRequest = {
  readonly text: string;
  readonly filter: ScopeFilter;
  readonly mode: SearchMode;
  /** 1 to 200. */
  readonly limit: number;
  /** Why it is asked: moves up those of the found that share its words. */
  readonly reason?: string;
  /** Adds `explain` to each hit. */
  readonly explain?: boolean;
  readonly signal?: AbortSignal | undefined;
};

export type RetrievedHit = ThingKey & {
  readonly rev: number;
  /** 0–1, grows with `fused`. */
  readonly relevance: number;
  /** Cosine of the best passage; null where the thing has no vector or nothing was searched by meaning. */
  readonly similarity: number | null;
  /** Bm25 in the scope's own statistics; null where the text holds no word of the query. */
  readonly keyword: number | null;
  /** Share of the query's idf that the text holds, 0–1, and by how many of its words. */
  readonly coverage: number;
  readonly matchedWords: number;
  readonly fused: number;
  /** The passage of the text that is nearest in meaning; null where none was compared. */
  readonly passage: number | null;
  readonly explain?: Explanation;
};

export type Retrieved = {
  /** Best first; equal ones by id. */
  readonly hits: RetrievedHit[];
  /** How near a random thing of the scope is to the query; null where nothing was searched by meaning. */
  readonly noise: NoiseLevel | null;
  /** `vector` where search by meaning was asked for and could not be had. */
  readonly degraded: string[];
};

export type Retrieval = { retrieve(request: RetrieveRequest): Promise<Retrieved> };

/** `options` force a way of fusing, for measurements. */
export function createRetrieval(deps: CandidateDeps, options: FuseOptions = {}): Retrieval {
  return {
    async retrieve(request) {
      // nothing that could be asked for: an empty list, in every mode (rule 1 of the contract)
      if (!/[\p{L}\p{N}]/u.test(request.text)) return { hits: [], degraded: [], noise: null };
      const candidates = await gatherCandidates(deps, request);
      const fused = fuse(candidates, { ...options, limit: request.limit });
      const { reason, filter } = request;
      const best = reason === undefined ? fused : await leanToReason(deps, { reason, filter }, fused);
      const explanations = request.explain === true ? explain(candidates, best) : [];
      const hits = best.map((hit, index): RetrievedHit => {
        const explanation = explanations[index];
        return {
          kind: hit.kind,
          id: hit.id,
          rev: hit.rev,
          relevance: hit.relevance,
          similarity: hit.similarity,
          keyword: hit.keyword?.score ?? null,
          coverage: hit.keyword?.coverage ?? 0,
          matchedWords: bitsIn(hit.keyword?.matched ?? 0),
          fused: hit.fused,
          passage: hit.passage,
          ...(explanation === undefined ? {} : { explain: explanation }),
        };
      });
      return { hits, degraded: candidates.degraded, noise: candidates.cosineNoise };
    },
  };
}

function bitsIn(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest > 0; rest &= rest - 1) bits += 1;
  return bits;
}
