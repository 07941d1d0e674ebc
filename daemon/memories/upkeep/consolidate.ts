// Fading memories that say nearly the same become one. A cluster is written within one transaction: killed anywhere, every memory is
// either as it was or consolidated. What was planned is looked at again inside it, so a memory that somebody reads or changes meanwhile
// is left alone. The united memory is new and fresh: it does not fade at once, so repeating the run changes nothing.
import type { CallContext } from '#daemon/kernel/context.ts';
import { type Change, recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { inheritThingLinks } from '#daemon/storage/thing-links.ts';
import type { MemoryDeps } from '../deps.ts';
import { type Done, inSmallTransactions, nextTurn } from '../in-small-transactions.ts';
import { fileMemory } from '../index-memory.ts';
import { inheritLinks } from '../links.repository.ts';
import { inheritProvenanceClass, insertMemory, memoriesByIds } from '../memories.repository.ts';
import { type Memory, shownTitle } from '../memory.ts';
import { type PreparedText, prepareText } from '../prepare-text.ts';
import { cosineFor, fadedAfterMs, isFading } from './fading.ts';
import { retireMemory } from './retire.ts';
import { maySummarise, summaryOf } from './summarise.ts';
import { recordUnion } from './unions.repository.ts';
import { partsThatFit, type Union, uniteMemories } from './unite.ts';

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
/** Clusters that are prepared (read, summarised, embedded) before the next transactions. */
const clustersAtOnce = 8;

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
    for (let first = 0; first < clusters.length; first += clustersAtOnce) {
      const parts: Memory[][] = [];
      for (const ids of clusters.slice(first, first + clustersAtOnce)) {
        parts.push(...(await readParts(deps, ids, context)));
        await nextTurn();
      }
      if (request.dryRun) for (const part of parts) united.push(await planOf(deps, part));
      else united.push(...(await uniteAll(deps, parts, request.signal, context)));
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

type Prepared = {
  readonly members: readonly Memory[];
  readonly union: Union;
  readonly text: PreparedText;
  readonly by: United['by'];
};

async function uniteAll(
  deps: MemoryDeps,
  parts: readonly Memory[][],
  signal: AbortSignal,
  context: CallContext,
): Promise<United[]> {
  const prepared: Prepared[] = [];
  for (const members of parts) {
    signal.throwIfAborted();
    const summary = await summaryOf(deps, members, signal);
    const union = uniteMemories(members, summary ?? undefined);
    const text = await prepareText(deps.embedder, union.draft, 'bulk');
    prepared.push({ members, union, text, by: summary === null ? 'merge' : 'summary' });
    await nextTurn();
  }
  const ids = new Map<Prepared, number>();
  const unite = async (trx: Trx, one: Prepared, caller: CallContext): Promise<Done | null> => {
    const done = await commitUnion(deps, trx, one, caller);
    if (done !== null) ids.set(one, done.id);
    return done;
  };
  const united = await inSmallTransactions(deps, prepared, unite, { context, signal });
  return united.map((one) => ({
    id: ids.get(one) ?? null,
    title: shownTitle(one.union.draft),
    members: one.members.map(titled),
    by: one.by,
  }));
}

/** Writes one union whole, in the caller's transaction; null, with nothing written, when a member changed since it was read. */
async function commitUnion(
  deps: MemoryDeps,
  trx: Trx,
  { members, union: { draft, projectIds, accessCount }, text, by }: Prepared,
  context: CallContext,
): Promise<(Done & { id: number }) | null> {
  const nowMs = deps.clock.now();
  const { userId } = context;
  const ids = members.map((memory) => memory.id);
  const present = await memoriesByIds(trx, userId, ids);
  if (!members.every((memory) => isSame(memory, present.get(memory.id)))) return null;
  if (![...present.values()].every((memory) => isFading(memory, nowMs, deps.settings))) return null;
  const heir = await insertMemory(trx, { draft, userId, projectIds, nowMs, accessCount });
  await inheritProvenanceClass(trx, heir.id, ids);
  const vectors: VectorChange[] = [await fileMemory(trx, heir, text, nowMs)];
  const changes: Change[] = [
    { kind: 'memory', thingId: heir.id, action: 'consolidated', snapshot: heir, metadata: { from: ids } },
  ];
  const retirement = { action: 'consolidated', reason: `united into memory ${heir.id}`, supersededBy: heir.id };
  for (const member of present.values()) {
    const retired = await retireMemory(trx, deps, member, retirement, context);
    vectors.push(retired.vectors);
    changes.push(retired.change);
  }
  await recordUnion(trx, { heirId: heir.id, memberIds: ids, by });
  await inheritLinks(trx, { userId, fromIds: ids, toId: heir.id, nowMs });
  const things = ids.map((id) => ({ kind: 'memory' as const, id }));
  await inheritThingLinks(trx, userId, things, { kind: 'memory', id: heir.id }, nowMs);
  return { id: heir.id, vectors, log: await recordChanges(trx, context, deps.clock, changes) };
}

function isSame(planned: Memory, present: Memory | undefined): boolean {
  return present?.rev === planned.rev && present.updatedAtMs === planned.updatedAtMs;
}

function titled(memory: Memory): { id: number; title: string } {
  return { id: memory.id, title: shownTitle(memory) };
}
