// A planned save inside its transaction. What the plan rests on is checked again here: the target of a merge may have changed
// while its united text was embedded, and in a batch an earlier item may have said the same.
import type { CallContext } from '#daemon/kernel/context.ts';
import { type Change, recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import type { SaveOutput } from '#shared/contract/lifecycle.ts';
import type { Committed } from './commit.ts';
import type { MemoryDeps } from './deps.ts';
import { keepsText } from './duplicates/merge.ts';
import { keepMergedText, keepVersion } from './history.repository.ts';
import { fileMemory } from './index-memory.ts';
import { insertMemory, memoryById, updateMemory } from './memories.repository.ts';
import { contentHash, embeddedText, isLive, type Memory, type MemoryDraft } from './memory.ts';
import { type PreparedMerge, refuseDuplicate, type SavePlan } from './plan-save.ts';
import { supersede } from './supersede.ts';
import { activeTwin } from './twins.repository.ts';
import { isChanged } from './update.ts';

type Kept = { readonly memory: Memory; readonly vectors: VectorChange; readonly change: Change };

/** Stores what was planned; 'look again' when the target of its merge is no longer what it was. */
export async function applySave(
  trx: Trx,
  deps: MemoryDeps,
  plan: SavePlan,
  context: CallContext,
): Promise<Committed<SaveOutput> | 'look again'> {
  const { request, merge, projectName } = plan;
  const projectIds = request.project === null ? [] : [await deps.projects.ensure(trx, context, request.project)];
  const twin = await presentTwin(trx, deps, plan, projectIds[0] ?? null, context);
  const kept =
    twin !== null
      ? null
      : merge === null
        ? await create(trx, deps, plan, projectIds, context)
        : await mergeInto(trx, deps, merge, request.draft, context);
  if (kept === 'look again') return 'look again';
  const memory = twin ?? (kept as Kept).memory;
  const supersedes = request.supersedes.filter((id) => id !== twin?.id);
  const replaced = await supersede(trx, deps, supersedes, memory, context);
  const log = await recordChanges(trx, context, deps.clock, [
    ...(kept === null ? [] : [kept.change]),
    ...replaced.changes,
  ]);
  const isPending = kept !== null && (merge?.prepared ?? plan.prepared).state === 'pending';
  return {
    answer: {
      id: memory.id,
      outcome: twin !== null ? 'unchanged' : merge === null ? 'created' : 'merged',
      ...(twin !== null || merge === null ? {} : { merged_into: memory.id, similarity: merge.similarity }),
      ...(twin !== null || merge !== null || plan.conflict === null ? {} : { possible_conflict: plan.conflict }),
      ...(twin !== null || plan.obsolete.length === 0 ? {} : { obsolete_matches: plan.obsolete }),
      ...(supersedes.length === 0 ? {} : { supersedes }),
      project: projectName,
      warnings: isPending ? ['embedding_pending'] : [],
    },
    vectors: [...(kept === null ? [] : [kept.vectors]), ...replaced.vectors],
    log,
  };
}

/** The live memory that says exactly this, as it is now. */
async function presentTwin(
  trx: Trx,
  deps: MemoryDeps,
  { request, merge }: SavePlan,
  projectId: number | null,
  context: CallContext,
): Promise<Memory | null> {
  const { draft, onDuplicate } = request;
  if (onDuplicate === 'keep' || merge !== null) return null;
  const twin = await activeTwin(trx, {
    userId: context.userId,
    contentHash: contentHash(draft),
    type: draft.type,
    projectId,
    nowMs: deps.clock.now(),
  });
  refuseDuplicate(request, twin);
  return twin;
}

async function create(
  trx: Trx,
  deps: MemoryDeps,
  { request, prepared, conflict }: SavePlan,
  projectIds: readonly number[],
  context: CallContext,
): Promise<Kept> {
  const nowMs = deps.clock.now();
  const memory = await insertMemory(trx, { draft: request.draft, userId: context.userId, projectIds, nowMs });
  const vectors = await fileMemory(trx, memory, prepared, nowMs);
  // from here `memory_conflicts` knows of it
  const metadata = conflict === null ? {} : { metadata: { possible_conflict: conflict } };
  const change: Change = { kind: 'memory', thingId: memory.id, action: 'created', snapshot: memory, ...metadata };
  return { memory, vectors, change };
}

async function mergeInto(
  trx: Trx,
  deps: MemoryDeps,
  { target, united, prepared }: PreparedMerge,
  draft: MemoryDraft,
  context: CallContext,
): Promise<Kept | 'look again'> {
  const nowMs = deps.clock.now();
  const present = await memoryById(trx, context.userId, target.id);
  if (present === null || isChanged(target, present) || !isLive(present, nowMs)) return 'look again';
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
  return { memory, vectors, change: { kind: 'memory', thingId: memory.id, action: 'merged', snapshot: memory } };
}
