// What is to become of a text, worked out before the transaction: it is stored already, it is merged, or it is new.
// Whoever plans holds the keys of `savePlaces` from here to the commit, so that two equal saves cannot both be new.

import type { Lane } from '#daemon/embeddings/embedder.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { LociError } from '#shared/errors.ts';
import type { MemoryDeps } from './deps.ts';
import { mergeDrafts } from './duplicates/merge.ts';
import {
  findNearDuplicates,
  maxObsolete,
  type NearDuplicates,
  noNearDuplicates,
} from './duplicates/near-duplicates.ts';
import { contentHash, type Memory, type MemoryDraft, shownTitle } from './memory.ts';
import { type PreparedText, prepareText } from './prepare-text.ts';
import type { SaveRequest } from './save-request.ts';
import { activeTwin, pastTwins } from './twins.repository.ts';

export type SavePlan = {
  readonly request: SaveRequest;
  readonly prepared: PreparedText;
  /** The project as it is shown in the answer. */
  readonly projectName: string | null;
  /** The live memory that says exactly this. */
  readonly twin: Memory | null;
  readonly merge: PreparedMerge | null;
  readonly conflict: NearDuplicates['conflict'];
  readonly obsolete: NearDuplicates['obsolete'];
};

export type PreparedMerge = {
  readonly target: Memory;
  readonly similarity: number;
  readonly united: MemoryDraft;
  readonly prepared: PreparedText;
};

export type PlanOptions = {
  readonly lane: Lane;
  /** Memories that may not be merged into. */
  readonly apart: ReadonlySet<number> | 'all';
};

/** The key under which saves exclude each other: user, project (by id, whatever it is called) and type. */
export async function savePlace(
  deps: MemoryDeps,
  { draft, project }: SaveRequest,
  context: CallContext,
): Promise<string> {
  const { userId } = context;
  const id = project === null ? null : await deps.projects.idByName(deps.database.db, userId, project);
  return [userId, id ?? deps.projects.nameKey(project ?? ''), draft.type].join('\n');
}

/** Throws `conflict` where the request refuses duplicates and there is one. */
export async function planSave(
  deps: MemoryDeps,
  request: SaveRequest,
  prepared: PreparedText,
  context: CallContext,
  { lane, apart }: PlanOptions,
): Promise<SavePlan> {
  const { draft, project, onDuplicate } = request;
  const near = await lookAround(deps, request, prepared, context);
  refuseDuplicate(request, near.twin ?? near.target?.memory ?? null, near.target?.similarity);
  const projectName =
    project === null ? null : await deps.projects.shownName(deps.database.db, context.userId, project);
  const { target } = near;
  const isApart = target === null || apart === 'all' || apart.has(target.memory.id);
  const merge = onDuplicate === 'merge' && !isApart ? await prepareMerge(deps, target, draft, lane) : null;
  return { request, prepared, projectName, twin: near.twin, merge, conflict: near.conflict, obsolete: near.obsolete };
}

/** `conflict` when a save that says `reject` meets a memory that says the same. */
export function refuseDuplicate({ onDuplicate }: SaveRequest, duplicate: Memory | null, similarity = 1): void {
  if (duplicate === null || onDuplicate !== 'reject') return;
  throw new LociError(
    'conflict',
    `Memory ${duplicate.id} already says this: update it, or save with on_duplicate "keep".`,
    { id: duplicate.id, similarity },
  );
}

type Surroundings = NearDuplicates & { readonly twin: Memory | null };

async function lookAround(
  deps: MemoryDeps,
  { draft, project, onDuplicate, supersedes }: SaveRequest,
  prepared: PreparedText,
  context: CallContext,
): Promise<Surroundings> {
  const { db } = deps.database;
  const { userId } = context;
  const projectId = project === null ? null : await deps.projects.idByName(db, userId, project);
  // a project that does not exist yet holds nothing to be near to
  if (project !== null && projectId === null) return { ...noNearDuplicates, twin: null };
  const sameText = { userId, contentHash: contentHash(draft), type: draft.type, projectId, nowMs: deps.clock.now() };
  const twin = await activeTwin(db, sameText);
  if (twin !== null && onDuplicate !== 'keep') return { ...noNearDuplicates, twin };
  const near = await findNearDuplicates(deps, draft, prepared, { userId, projectId });
  // what the new memory replaces is no duplicate of it
  const target = near.target !== null && supersedes.includes(near.target.memory.id) ? null : near.target;
  return { ...near, target, twin: null, obsolete: await withPastTwins(deps, near.obsolete, sameText) };
}

/** The very same text is named whatever the model says of it: it may be away, or the text be of several passages. */
async function withPastTwins(
  deps: MemoryDeps,
  near: NearDuplicates['obsolete'],
  sameText: Parameters<typeof pastTwins>[1],
): Promise<NearDuplicates['obsolete']> {
  if (deps.settings.obsoleteThreshold === null) return [];
  const twins = await pastTwins(deps.database.db, sameText, maxObsolete);
  const same = twins.map((memory) => ({ id: memory.id, title: shownTitle(memory), similarity: 1 }));
  return [...same, ...near.filter(({ id }) => !twins.some((twin) => twin.id === id))].slice(0, maxObsolete);
}

/** Unites the drafts and embeds the united text. */
async function prepareMerge(
  deps: MemoryDeps,
  { memory: target, similarity }: { memory: Memory; similarity: number },
  draft: MemoryDraft,
  lane: Lane,
): Promise<PreparedMerge> {
  const united = mergeDrafts(target, draft);
  return { target, similarity, united, prepared: await prepareText(deps.embedder, united, lane) };
}
