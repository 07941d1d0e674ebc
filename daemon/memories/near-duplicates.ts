// Which stored memories say what a new one says. Searched by meaning, decided by the guard.
import { mapThreshold } from '#daemon/retrieval/map-threshold.ts';
import type { NoiseLevel } from '#daemon/storage/search-types.ts';
import type { MemoryDeps } from './deps.ts';
import { guardAllows } from './guard.ts';
import { memoriesByIds } from './memories.repository.ts';
import { embeddedText, isLive, type Memory, type MemoryDraft, shownTitle } from './memory.ts';
import type { PreparedText } from './prepare-text.ts';
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

/** How many nearest memories are looked at before the guard has its say. */
const candidates = 8;
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
  const { obsoleteThreshold } = deps.settings;
  const request = { vector: prepared.vector, modelId: prepared.modelId };
  const [active, past] = await Promise.all([
    deps.vectors.search({ ...request, filter: { ...filter, statuses: ['active'] }, limit: candidates }),
    obsoleteThreshold === null
      ? { hits: [], noise: noNoise }
      : deps.vectors.search({
          ...request,
          filter: { ...filter, statuses: ['archived', 'obsolete'] },
          limit: maxObsolete,
        }),
  ]);
  const near = active.hits.filter(
    (hit) => hit.similarity > threshold(deps, deps.settings.mergeThreshold, active.noise),
  );
  const before = past.hits.filter((hit) => hit.similarity >= threshold(deps, obsoleteThreshold ?? 1, past.noise));
  if (near.length === 0 && before.length === 0) return noNearDuplicates;
  const rows = await memoriesByIds(
    deps.database.db,
    where.userId,
    [...near, ...before].map((hit) => hit.id),
  );
  const nowMs = deps.clock.now();
  const isPast = ({ id }: Hit): boolean => !isLive(rows.get(id) ?? neverLive, nowMs);
  return {
    ...decide(
      near.filter((hit) => !isPast(hit)),
      rows,
      draft,
      where.projectId,
    ),
    obsolete: [...before, ...near.filter(isPast)].flatMap((hit) => toObsolete(hit, rows)).slice(0, maxObsolete),
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
const noNoise: NoiseLevel = { mean: 0, deviation: 0, rows: 0 };

function threshold(deps: MemoryDeps, point: number, noise: NoiseLevel): number {
  return mapThreshold(point, deps.embedder.modelId, noise);
}
