// Clean-up without a language model: what has expired, what has faded, what says the same as another is archived, with reason and
// pointer, never erased; then the agent's MEMORY.md files are refreshed. First the whole plan, then small transactions that look
// at each memory once more: what was read or changed meanwhile stays.
import type { CallContext } from '#daemon/kernel/context.ts';
import { recordChanges } from '#daemon/storage/change-log.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { type Refreshed, refreshMemoryMd } from '../agent-files/refresh-memory-md.ts';
import type { MemoryDeps } from '../deps.ts';
import { type Done, inSmallTransactions, nextTurn } from '../in-small-transactions.ts';
import { memoriesByIds, memoryById } from '../memories.repository.ts';
import { isKeyedFact, type Memory } from '../memory.ts';
import { cosineFor, fadedAfterMs } from './fading.ts';
import {
  type Comparable,
  comparable,
  type Doomed,
  type Duplicate,
  doomed,
  planDuplicates,
  whyOutlived,
} from './plan-cleaning.ts';
import { retireMemory } from './retire.ts';

export type CleanPlan = {
  readonly expired: readonly Doomed[];
  readonly decayed: readonly Doomed[];
  readonly duplicates: readonly Duplicate[];
};

export type Cleaning = CleanPlan & { readonly memoryMd: readonly Refreshed[] };

export type CleanRequest = { readonly dryRun: boolean; readonly signal: AbortSignal };

/** Rows read at once: a page of records is parsed in a millisecond or two. */
const pageRows = 200;
/** Nearest partners that each memory names; the next run finds what is beyond. */
const maxPartners = 16;

/** Cleans up the caller's memories, or says what it would archive. */
export async function cleanMemories(deps: MemoryDeps, request: CleanRequest, context: CallContext): Promise<Cleaning> {
  return deps.mutex.run([`${context.userId}\nupkeep`], async () => {
    await deps.accesses.flush();
    const plan = await planCleaning(deps, request.signal, context);
    const done = request.dryRun ? plan : await applyPlan(deps, plan, request.signal, context);
    const gone = [...done.expired, ...done.decayed, ...done.duplicates].map(({ id }) => id);
    return { ...done, memoryMd: await refreshMemoryMd(deps, { gone, dryRun: request.dryRun }, context) };
  });
}

async function planCleaning(deps: MemoryDeps, signal: AbortSignal, context: CallContext): Promise<CleanPlan> {
  const nowMs = deps.clock.now();
  const { archiveBelow, duplicateThreshold } = deps.settings.cleaning;
  const expired: Doomed[] = [];
  const decayed: Doomed[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: { ids: number[]; next: number | null } = await deps.reader.ask('outlived', {
      userId: context.userId,
      nowMs,
      fadedAfterMs: fadedAfterMs(archiveBelow, deps.settings),
      after,
      limit: pageRows,
    });
    const rows = await memoriesByIds(deps.database.db, context.userId, page.ids);
    for (const memory of page.ids.flatMap((id) => rows.get(id) ?? [])) {
      const why = whyOutlived(memory, nowMs, deps.settings);
      if (why !== null) (why === 'expired' ? expired : decayed).push(doomed(memory));
    }
    signal.throwIfAborted();
    await nextTurn();
    after = page.next;
  }
  const { modelId, dimensions } = deps.embedder;
  const { pairs } = await deps.reader.ask('duplicatePairs', {
    userId: context.userId,
    nowMs,
    modelId,
    dimensions,
    threshold: await cosineFor(deps, duplicateThreshold),
    maxPartners,
  });
  const gone = new Set([...expired, ...decayed].map(({ id }) => id));
  const paired = new Set(pairs.flatMap(({ a, b }) => [a, b]).filter((id) => !gone.has(id)));
  return { expired, decayed, duplicates: planDuplicates(pairs, await comparables(deps, [...paired], context)) };
}

async function comparables(
  deps: MemoryDeps,
  ids: readonly number[],
  context: CallContext,
): Promise<Map<number, Comparable>> {
  const found = new Map<number, Comparable>();
  for (let first = 0; first < ids.length; first += pageRows) {
    const page = await memoriesByIds(deps.database.db, context.userId, ids.slice(first, first + pageRows));
    for (const memory of page.values()) if (mayBeDuplicate(memory)) found.set(memory.id, comparable(memory));
    await nextTurn();
  }
  return found;
}

function mayBeDuplicate(memory: Memory): boolean {
  return memory.status === 'active' && !memory.pinned && !isKeyedFact(memory);
}

/** What of the plan was done. */
async function applyPlan(
  deps: MemoryDeps,
  plan: CleanPlan,
  signal: AbortSignal,
  context: CallContext,
): Promise<CleanPlan> {
  const how = { context, signal };
  const outlived = (why: 'expired' | 'decayed', reason: string) => (trx: Trx, item: Doomed, caller: CallContext) =>
    archive(deps, trx, item, { reason, supersededBy: null }, caller, async (memory) => {
      return whyOutlived(memory, deps.clock.now(), deps.settings) === why;
    });
  const expired = await inSmallTransactions(deps, plan.expired, outlived('expired', 'expired'), how);
  const decayed = await inSmallTransactions(deps, plan.decayed, outlived('decayed', 'faded: not used for long'), how);
  const duplicates = await inSmallTransactions(
    deps,
    plan.duplicates,
    (trx, item, caller) => {
      const { keptId } = item;
      const reason = { reason: `says the same as memory ${keptId}`, supersededBy: keptId };
      return archive(deps, trx, item, reason, caller, async (memory) => {
        const kept = await memoryById(trx, context.userId, keptId);
        return kept?.status === 'active' && mayBeDuplicate(memory);
      });
    },
    how,
  );
  return { expired, decayed, duplicates };
}

async function archive(
  deps: MemoryDeps,
  trx: Trx,
  item: Doomed,
  why: { reason: string; supersededBy: number | null },
  context: CallContext,
  isStillDue: (memory: Memory) => Promise<boolean>,
): Promise<Done | null> {
  const memory = await memoryById(trx, context.userId, item.id);
  if (memory === null || memory.rev !== item.rev || memory.updatedAtMs !== item.updatedAtMs) return null;
  if (!(await isStillDue(memory))) return null;
  const { change, vectors } = await retireMemory(trx, deps, memory, { action: 'archived', ...why }, context);
  return { vectors: [vectors], log: await recordChanges(trx, context, deps.clock, [change]) };
}
