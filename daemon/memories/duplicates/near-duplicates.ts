// Which stored memories say what a new one says. Searched by meaning, decided by the guard.
import { mapThreshold } from '#daemon/retrieval/map-threshold.ts';
import type { NoiseLevel } from '#daemon/storage/search-types.ts';
import type { MemoryDeps } from '../deps.ts';
import { memoriesByIds } from '../memories.repository.ts';
import { embeddedText, isLive, type Memory, type MemoryDraft, shownTitle } from '../memory.ts';
import type { PreparedText } from '../prepare-text.ts';
import { guardAllows } from './guard.ts';
import { stateTheSame, subjectsOf } from './subject-words.ts';

export type NearDuplicates = {
  /** The active memory to merge into. */
  readonly target: { readonly memory: Memory; readonly similarity: number } | null;
  /** The nearest active memory that is as near and yet differs in a number, a name, a negation or its subject. */
  readonly conflict: { readonly id: number; readonly similarity: number } | null;
  /** Archived, obsolete and expired memories that said it before, nearest first, at most three. */
  readonly obsolete: { readonly id: number; readonly title: string; readonly similarity: number }[];
};

export const noNearDuplicates: NearDuplicates = { target: null, conflict: null, obsolete: [] };

/** How many nearest memories are looked at, of the present and of the past. */
const candidates = 24;
/** How many of the present the guard has its say on. */
const maxDecided = 8;
/** How many memories of the past a save is told of. */
export const maxObsolete = 3;

/** Looks in the same user, type and primary project. A text of several passages is decided later, so it has none here. */
export async function findNearDuplicates(
  deps: MemoryDeps,
  draft: MemoryDraft,
  prepared: PreparedText,
  where: { userId: number; projectId: number | null; exclude?: number },
): Promise<NearDuplicates> {
  if (prepared.vector === null || prepared.passages.length > 1) return noNearDuplicates;
  const filter = {
    userId: where.userId,
    kinds: ['memory'],
    projectIds: where.projectId === null ? [] : [where.projectId],
    types: [draft.type],
    ...(where.exclude === undefined ? {} : { exclude: [{ kind: 'memory', id: where.exclude }] }),
  };
  const { mergeThreshold, obsoleteThreshold } = deps.settings;
  const statuses = obsoleteThreshold === null ? ['active'] : ['active', 'archived', 'obsolete'];
  const request = { vector: prepared.vector, modelId: prepared.modelId };
  const { hits, noise } = await deps.vectors.search({ ...request, filter: { ...filter, statuses }, limit: candidates });
  const merges = threshold(deps, mergeThreshold, noise);
  const warns = threshold(deps, obsoleteThreshold ?? 1, noise);
  const near = hits.filter(({ similarity }) => similarity > merges || similarity >= warns);
  if (near.length === 0) return noNearDuplicates;
  const rows = await memoriesByIds(
    deps.database.db,
    where.userId,
    near.map((hit) => hit.id),
  );
  const nowMs = deps.clock.now();
  const isPast = ({ id }: Hit): boolean => !isLive(rows.get(id) ?? neverLive, nowMs);
  const live = near.filter((hit) => !isPast(hit) && hit.similarity > merges);
  const past = near.filter((hit) => isPast(hit) && hit.similarity >= warns);
  return {
    ...decide(live.slice(0, maxDecided), rows, draft, where.projectId),
    obsolete: past.flatMap((hit) => toObsolete(hit, rows)).slice(0, maxObsolete),
  };
}

type Hit = { readonly id: number; readonly rev: number; readonly similarity: number };

function decide(near: readonly Hit[], rows: ReadonlyMap<number, Memory>, draft: MemoryDraft, projectId: number | null) {
  let target: NearDuplicates['target'] = null;
  let conflict: NearDuplicates['conflict'] = null;
  const text = embeddedText(draft);
  const subjects = subjectsOf(draft);
  for (const { id, rev, similarity } of near) {
    const memory = rows.get(id);
    if (memory === undefined || memory.rev !== rev || memory.status !== 'active' || memory.pinned) continue;
    if ((memory.projectIds[0] ?? null) !== projectId) continue;
    const isSame = guardAllows(text, embeddedText(memory)) && stateTheSame(subjects, subjectsOf(memory));
    if (isSame) target ??= { memory, similarity };
    else conflict ??= { id, similarity };
  }
  return { target, conflict };
}

function toObsolete(hit: Hit, rows: ReadonlyMap<number, Memory>): NearDuplicates['obsolete'] {
  const memory = rows.get(hit.id);
  return memory === undefined ? [] : [{ id: memory.id, title: shownTitle(memory), similarity: hit.similarity }];
}

const neverLive = { status: 'archived', expiresAtMs: null } as const;

function threshold(deps: MemoryDeps, point: number, noise: NoiseLevel): number {
  return mapThreshold(point, deps.embedder.modelId, noise);
}
