// Saving one memory: secrets refused → policies → project → embed → mutex → near-duplicates → ONE transaction → published → announced.
// Embedding happens before the transaction, so no write ever waits for the model; the target of a merge is checked again inside it.

import type { Lane } from '#daemon/embeddings/embedder.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { type Change, recordChanges } from '#daemon/storage/change-log.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import type { SaveOutput } from '#shared/contract/lifecycle.ts';
import { LociError } from '#shared/errors.ts';
import { type Committed, commitChanges } from './commit.ts';
import type { MemoryDeps } from './deps.ts';
import { keepMergedText, keepVersion } from './history.repository.ts';
import { fileMemory } from './index-memory.ts';
import { activeTwin, insertMemory, memoryById, updateMemory } from './memories.repository.ts';
import { contentHash, embeddedText, type Memory, type MemoryDraft } from './memory.ts';
import { keepsText, mergeDrafts } from './merge.ts';
import { findNearDuplicates, type NearDuplicates, noNearDuplicates } from './near-duplicates.ts';
import { type PreparedText, prepareText } from './prepare-text.ts';
import { refuseSecretsIn } from './secrets.ts';
import { supersede } from './supersede.ts';

export type SaveRequest = {
  readonly draft: MemoryDraft;
  /** The project's name, or null for none. */
  readonly project: string | null;
  readonly supersedes: readonly number[];
  readonly onDuplicate: 'merge' | 'keep' | 'reject';
};

/** How often a save looks again when its merge target changed under it, before it stores the text as a memory of its own. */
const maxAttempts = 3;

/** Saves one memory and answers what became of it; `id` is always the surviving memory. */
export async function saveMemory(deps: MemoryDeps, request: SaveRequest, context: CallContext): Promise<SaveOutput> {
  await checkSave(deps, request);
  const prepared = await prepareText(deps.embedder, request.draft, 'save');
  return savePrepared(deps, request, prepared, context);
}

/** What refuses a save before anything is embedded or written: secrets, then policies. */
export async function checkSave(deps: MemoryDeps, { draft }: Pick<SaveRequest, 'draft'>): Promise<void> {
  refuseSecretsIn(draft);
  for (const policy of deps.policies) await policy(draft);
}

/** The rest of a save, once its text is embedded. */
export async function savePrepared(
  deps: MemoryDeps,
  request: SaveRequest,
  prepared: PreparedText,
  context: CallContext,
  lane: Lane = 'save',
): Promise<SaveOutput> {
  const { draft, project } = request;
  const key = [context.userId, deps.projects.nameKey(project ?? ''), draft.type].join('\n');
  return deps.mutex.run([key], async () => {
    for (let attempt = 1; ; attempt += 1) {
      const found = await lookAround(deps, request, prepared, context);
      const near = attempt < maxAttempts ? found : { ...found, target: null };
      const outcome = await commitSave(deps, request, prepared, near, context, lane);
      if (outcome !== 'look again') return outcome;
    }
  });
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
  const twin = await activeTwin(db, { userId, contentHash: contentHash(draft), type: draft.type, projectId });
  if (twin !== null && onDuplicate !== 'keep') return { ...noNearDuplicates, twin };
  const near = await findNearDuplicates(deps, draft, prepared, { userId, projectId });
  // what the new memory replaces is no duplicate of it
  const target = near.target !== null && supersedes.includes(near.target.memory.id) ? null : near.target;
  return { ...near, target, twin: null };
}

async function commitSave(
  deps: MemoryDeps,
  request: SaveRequest,
  prepared: PreparedText,
  near: Surroundings,
  context: CallContext,
  lane: Lane,
): Promise<SaveOutput | 'look again'> {
  const { draft, project, onDuplicate } = request;
  const duplicate = near.twin ?? near.target?.memory ?? null;
  if (duplicate !== null && onDuplicate === 'reject') {
    throw new LociError(
      'conflict',
      `Memory ${duplicate.id} already says this: update it, or save with on_duplicate "keep".`,
      {
        id: duplicate.id,
        similarity: near.target?.similarity ?? 1,
      },
    );
  }
  const projectName =
    project === null ? null : await deps.projects.shownName(deps.database.db, context.userId, project);
  if (near.twin !== null) return unchanged(near.twin, projectName);
  const merge =
    onDuplicate === 'merge' && near.target !== null ? await prepareMerge(deps, near.target, draft, lane) : null;
  const warnings = (merge?.prepared ?? prepared).state === 'pending' ? ['embedding_pending'] : [];
  return commitChanges(deps, context, async (trx): Promise<Committed<SaveOutput> | 'look again'> => {
    const saved =
      merge === null
        ? await create(trx, deps, request, prepared, context)
        : await mergeInto(trx, deps, merge, draft, context);
    if (saved === 'look again') return 'look again';
    const replaced = await supersede(trx, deps, request.supersedes, saved.memory, context);
    const log = await recordChanges(trx, context, deps.clock, [saved.change, ...replaced.changes]);
    return {
      answer: {
        id: saved.memory.id,
        outcome: merge === null ? 'created' : 'merged',
        ...(merge === null ? {} : { merged_into: saved.memory.id, similarity: merge.similarity }),
        ...(near.conflict === null || merge !== null ? {} : { possible_conflict: near.conflict }),
        ...(near.obsolete.length === 0 ? {} : { obsolete_matches: near.obsolete }),
        ...(request.supersedes.length === 0 ? {} : { supersedes: [...request.supersedes] }),
        project: projectName,
        warnings,
      },
      vectors: [saved.vectors, ...replaced.vectors],
      log,
    };
  });
}

function unchanged(twin: Memory, project: string | null): SaveOutput {
  return { id: twin.id, outcome: 'unchanged', project, warnings: [] };
}

async function create(trx: Trx, deps: MemoryDeps, request: SaveRequest, prepared: PreparedText, context: CallContext) {
  const nowMs = deps.clock.now();
  const projectIds = request.project === null ? [] : [await deps.projects.ensure(trx, context, request.project)];
  const memory = await insertMemory(trx, { draft: request.draft, userId: context.userId, projectIds, nowMs });
  const vectors = await fileMemory(trx, memory, prepared, nowMs);
  const change: Change = { kind: 'memory', thingId: memory.id, action: 'created', snapshot: memory };
  return { memory, vectors, change };
}

type PreparedMerge = {
  readonly target: Memory;
  readonly similarity: number;
  readonly united: MemoryDraft;
  readonly prepared: PreparedText | null;
};

/** Unites the drafts and embeds the united text, unless it reads like the target's own. */
async function prepareMerge(
  deps: MemoryDeps,
  { memory: target, similarity }: { memory: Memory; similarity: number },
  draft: MemoryDraft,
  lane: Lane,
): Promise<PreparedMerge & { prepared: PreparedText }> {
  const united = mergeDrafts(target, draft);
  return { target, similarity, united, prepared: await prepareText(deps.embedder, united, lane) };
}

async function mergeInto(
  trx: Trx,
  deps: MemoryDeps,
  { target, united, prepared }: PreparedMerge & { prepared: PreparedText },
  draft: MemoryDraft,
  context: CallContext,
) {
  const nowMs = deps.clock.now();
  const present = await memoryById(trx, context.userId, target.id);
  if (present === null || present.rev !== target.rev || present.status !== 'active') return 'look again';
  const by = { agent: context.agent, nowMs };
  if (embeddedText(united) !== embeddedText(present)) await keepVersion(trx, present, { ...by, action: 'merged' });
  if (!keepsText(united, draft)) await keepMergedText(trx, present, { ...by, draft });
  const memory = await updateMemory(trx, present, {
    draft: united,
    projectIds: present.projectIds,
    updatedAtMs: nowMs,
    grow: true,
  });
  const vectors = await fileMemory(trx, memory, prepared, nowMs);
  const change: Change = { kind: 'memory', thingId: memory.id, action: 'merged', snapshot: memory };
  return { memory, vectors, change };
}
