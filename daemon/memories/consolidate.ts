// Fading memories that say nearly the same become one. Each cluster is one transaction: killed anywhere, every memory is either
// as it was or consolidated. What was planned is looked at again inside it, so a memory that somebody reads or changes meanwhile
// is left alone. The united memory is new and fresh: it does not fade at once, so repeating the run changes nothing.
import type { CallContext } from '#daemon/kernel/context.ts';
import { type Change, recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { inheritThingLinks } from '#daemon/storage/thing-links.ts';
import { commitChanges } from './commit.ts';
import type { MemoryDeps } from './deps.ts';
import { cosineFor, fadedAfterMs, isFading } from './fading.ts';
import { nextTurn, withoutClaim } from './in-small-transactions.ts';
import { fileMemory } from './index-memory.ts';
import { inheritLinks } from './links.repository.ts';
import { insertMemory, memoriesByIds } from './memories.repository.ts';
import { type Memory, shownTitle } from './memory.ts';
import { prepareText } from './prepare-text.ts';
import { retireMemory } from './retire.ts';
import { maySummarise, summaryOf } from './summarise.ts';
import { partsThatFit, uniteMemories } from './unite.ts';

export type Consolidation = {
  /** Fading memories that were looked at. */
  readonly candidates: number;
  readonly united: readonly United[];
};

export type United = {
  /** Null in a plan. */
  readonly id: number | null;
  readonly title: string;
  readonly members: readonly { readonly id: number; readonly title: string }[];
  readonly by: 'merge' | 'summary';
};

export type ConsolidateRequest = {
  /** Only this project, or null for all. */
  readonly projectId: number | null;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
};

/** Members of one union: more would make a memory that nobody reads. */
const maxMembers = 25;

/** Unites the caller's fading memories, or says what it would unite. */
export async function consolidate(
  deps: MemoryDeps,
  request: ConsolidateRequest,
  context: CallContext,
): Promise<Consolidation> {
  return deps.mutex.run([`${context.userId}\nupkeep`], async () => {
    // what was read lately is not fading, even if the counters do not say so yet
    await deps.accesses.flush();
    const { candidates, clusters } = await findClusters(deps, request, context);
    const united: United[] = [];
    for (const ids of clusters) {
      for (const part of await readParts(deps, ids, context)) {
        request.signal.throwIfAborted();
        const one = request.dryRun ? await planOf(deps, part) : await uniteCluster(deps, part, request.signal, context);
        if (one !== null) united.push(one);
        await nextTurn();
      }
    }
    return { candidates, united };
  });
}

async function findClusters(deps: MemoryDeps, { projectId }: ConsolidateRequest, context: CallContext) {
  const { below, threshold, minCandidates } = deps.settings.consolidation;
  const { modelId, dimensions } = deps.embedder;
  return deps.reader.ask('fadingClusters', {
    userId: context.userId,
    projectId,
    nowMs: deps.clock.now(),
    fadedAfterMs: fadedAfterMs(below, deps.settings),
    modelId,
    dimensions,
    threshold: await cosineFor(deps, threshold),
    minCandidates,
    maxMembers,
  });
}

/** The members that are still fading, in parts that fit into one memory. */
async function readParts(deps: MemoryDeps, ids: readonly number[], context: CallContext): Promise<Memory[][]> {
  const rows = await memoriesByIds(deps.database.db, context.userId, ids);
  const nowMs = deps.clock.now();
  return partsThatFit([...rows.values()].filter((memory) => isFading(memory, nowMs, deps.settings)));
}

async function planOf(deps: MemoryDeps, members: readonly Memory[]): Promise<United> {
  const isSummary = deps.summariser !== null && maySummarise(members) && (await deps.summariser.isOpen());
  return {
    id: null,
    title: shownTitle(uniteMemories(members).draft),
    members: members.map(titled),
    by: isSummary ? 'summary' : 'merge',
  };
}

/** Commits one union; null when a member changed meanwhile. */
async function uniteCluster(
  deps: MemoryDeps,
  members: readonly Memory[],
  signal: AbortSignal,
  context: CallContext,
): Promise<United | null> {
  const summary = await summaryOf(deps, members, signal);
  const { draft, projectIds, accessCount } = uniteMemories(members, summary ?? undefined);
  const prepared = await prepareText(deps.embedder, draft, 'bulk');
  const ids = members.map((memory) => memory.id);
  const id = await commitChanges(deps, withoutClaim(context), async (trx) => {
    const nowMs = deps.clock.now();
    const present = await memoriesByIds(trx, context.userId, ids);
    if (!members.every((memory) => isSame(memory, present.get(memory.id)))) return 'look again';
    if (![...present.values()].every((memory) => isFading(memory, nowMs, deps.settings))) return 'look again';
    const heir = await insertMemory(trx, { draft, userId: context.userId, projectIds, nowMs, accessCount });
    const vectors: VectorChange[] = [await fileMemory(trx, heir, prepared, nowMs)];
    const changes: Change[] = [
      { kind: 'memory', thingId: heir.id, action: 'consolidated', snapshot: heir, metadata: { from: ids } },
    ];
    const retirement = {
      action: 'consolidated',
      reason: `united into memory ${heir.id}`,
      supersededBy: heir.id,
    };
    for (const member of present.values()) {
      const retired = await retireMemory(trx, deps, member, retirement, context);
      vectors.push(retired.vectors);
      changes.push(retired.change);
    }
    await inheritLinks(trx, { userId: context.userId, fromIds: ids, toId: heir.id, nowMs });
    const things = ids.map((one) => ({ kind: 'memory' as const, id: one }));
    await inheritThingLinks(trx, context.userId, things, { kind: 'memory', id: heir.id }, nowMs);
    return { answer: heir.id, vectors, log: await recordChanges(trx, context, deps.clock, changes) };
  });
  if (id === 'look again') return null;
  return { id, title: shownTitle(draft), members: members.map(titled), by: summary === null ? 'merge' : 'summary' };
}

function isSame(planned: Memory, present: Memory | undefined): boolean {
  return present?.rev === planned.rev && present.updatedAtMs === planned.updatedAtMs;
}

function titled(memory: Memory): { id: number; title: string } {
  return { id: memory.id, title: shownTitle(memory) };
}
