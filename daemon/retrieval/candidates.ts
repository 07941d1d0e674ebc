// Gathers what may answer a query: 200 things by keyword and 200 by meaning, each within the filter, united by (kind, id).
// The keywords are asked for while the query is being embedded, so that they cost no time; what either list does not know of the
// other's finds (a cosine, the features of a text) is fetched in one more step, all at once.
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { HitFeatures } from '#daemon/storage/keywords/text-features.ts';
import type { KeywordCandidates, Reader } from '#daemon/storage/reader.ts';
import type { NoiseLevel, ScopeFilter, ThingHit, ThingKey, VectorHit } from '#daemon/storage/search-types.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import { LociError } from '#shared/errors.ts';

export type SearchMode = 'hybrid' | 'keyword' | 'vector';

export type CandidateDeps = {
  readonly reader: Pick<Reader, 'ask'>;
  readonly vectors: Pick<VectorIndex, 'search' | 'cosines'>;
  readonly embedder: Pick<Embedder, 'embed' | 'modelId'>;
  /** Whether search by meaning knows only a part of what is stored. */
  readonly isPartial?: () => boolean;
};

export type CandidateRequest = {
  readonly text: string;
  readonly filter: ScopeFilter;
  readonly mode: SearchMode;
  readonly signal?: AbortSignal | undefined;
};

export type KeywordEvidence = Pick<ThingHit, 'score' | 'coverage' | 'rarestIdf' | 'matched'>;

/** A thing that may answer the query. `similarity` is a cosine, null where the thing has no vector; `keyword` is null where no word of the query was found in it. */
export type Candidate = ThingKey & {
  readonly rev: number;
  readonly similarity: number | null;
  readonly keyword: KeywordEvidence | null;
  /** The passage that is nearest in meaning; null where none was compared. */
  readonly passage: number | null;
  readonly features: HitFeatures;
};

export type Candidates = {
  /** What was asked. */
  readonly text: string;
  readonly list: Candidate[];
  /** Rows of the scope. */
  readonly rows: number;
  /** Null where nothing was searched by meaning. */
  readonly cosineNoise: NoiseLevel | null;
  readonly keywordNoise: { readonly mean: number; readonly deviation: number };
  readonly words: KeywordCandidates['words'];
  /** `vector` where search by meaning was asked for and could not be had. */
  readonly degraded: string[];
};

/** Candidates of each kind before fusion, as the contract says; with 128 a search is half a millisecond shorter and LoCoMo's recall@10 .003 lower. */
export const candidatesPerKind = 200;

type Meaning = { readonly vector: Float32Array; readonly hits: readonly VectorHit[]; readonly noise: NoiseLevel };

export async function gatherCandidates(deps: CandidateDeps, request: CandidateRequest): Promise<Candidates> {
  const { mode, filter, text } = request;
  const [keywords, meaning] = await Promise.all([
    mode === 'vector' ? null : deps.reader.ask('keywordCandidates', { text, filter, limit: candidatesPerKind }),
    mode === 'keyword' ? null : searchMeaning(deps, request),
  ]);
  // without a model every mode searches by keyword, and says so
  if (meaning === 'unavailable' && mode === 'vector') {
    return { ...(await gatherCandidates(deps, { ...request, mode: 'keyword' })), degraded: ['vector'] };
  }
  const found = meaning === 'unavailable' ? null : meaning;
  const keywordHits = keywords?.hits ?? [];
  const list = await unite(deps, keywordHits, found);
  return {
    text,
    list,
    rows: keywords?.rows ?? found?.noise.rows ?? 0,
    cosineNoise: found?.noise ?? null,
    keywordNoise: keywords?.noise ?? { mean: 0, deviation: 0 },
    words: keywords?.words ?? [],
    degraded: mode !== 'keyword' && (meaning === 'unavailable' || deps.isPartial?.() === true) ? ['vector'] : [],
  };
}

/** `null` where the query has no direction; `unavailable` where model or index cannot be used: a search then goes on by keyword alone. */
async function searchMeaning(deps: CandidateDeps, request: CandidateRequest): Promise<Meaning | null | 'unavailable'> {
  try {
    const { text, filter, signal } = request;
    const [vector] = await deps.embedder.embed([text], { lane: 'query', purpose: 'query', signal });
    if (vector === undefined || vector === null) return null;
    const { modelId } = deps.embedder;
    const { hits, noise } = await deps.vectors.search({ vector, modelId, filter, limit: candidatesPerKind });
    return { vector, hits, noise };
  } catch (error) {
    if (error instanceof LociError && error.code === 'unavailable') return 'unavailable';
    throw error;
  }
}

async function unite(
  deps: CandidateDeps,
  keywordHits: readonly ThingHit[],
  meaning: Meaning | null,
): Promise<Candidate[]> {
  const vectorHits = new Map((meaning?.hits ?? []).map((hit) => [keyOf(hit), hit]));
  const known = new Set(keywordHits.map(keyOf));
  const onlyByKeyword = meaning === null ? [] : keywordHits.filter((hit) => !vectorHits.has(keyOf(hit)));
  const onlyByMeaning = [...vectorHits.values()].filter((hit) => !known.has(keyOf(hit)));
  const [cosines, features] = await Promise.all([
    meaning === null || onlyByKeyword.length === 0
      ? []
      : deps.vectors.cosines(meaning.vector, deps.embedder.modelId, onlyByKeyword.map(toKey)),
    onlyByMeaning.length === 0
      ? []
      : deps.reader.ask('features', { things: onlyByMeaning }).then((answer) => answer.features),
  ]);
  const cosineByKey = new Map(onlyByKeyword.map((hit, index) => [keyOf(hit), cosines[index] ?? null]));

  const byKeyword = keywordHits.map((hit): Candidate => {
    const key = keyOf(hit);
    const byMeaning = vectorHits.get(key);
    // field by field: spreading another object into four hundred of these took as long as searching ten thousand vectors
    return {
      kind: hit.kind,
      id: hit.id,
      rev: Math.max(hit.rev, byMeaning?.rev ?? 0),
      similarity: byMeaning?.similarity ?? cosineByKey.get(key) ?? null,
      keyword: { score: hit.score, coverage: hit.coverage, rarestIdf: hit.rarestIdf, matched: hit.matched },
      passage: byMeaning?.passage ?? null,
      features: hit.features,
    };
  });
  const byMeaning = onlyByMeaning.flatMap((hit, index): Candidate[] => {
    const known = features[index];
    // gone since its vector was read
    if (known === undefined || known === null) return [];
    const { kind, id, rev, similarity, passage } = hit;
    return [{ kind, id, rev, similarity, keyword: null, passage, features: known }];
  });
  return [...byKeyword, ...byMeaning];
}

function toKey({ kind, id }: ThingKey): ThingKey {
  return { kind, id };
}

function keyOf({ kind, id }: ThingKey): string {
  return `${kind}:${id}`;
}
