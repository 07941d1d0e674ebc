// The one-tool fact memory: an upsert by category and key, over the same record and index as everything else.

import type { CallContext } from '#daemon/kernel/context.ts';
import { withRemarks } from '#daemon/policies/index.ts';
import { recordChanges } from '#daemon/storage/change-log.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import { LociError } from '#shared/errors.ts';
import { commitChanges } from './commit.ts';
import type { MemoryDeps } from './deps.ts';
import { purgeMemories } from './erasure/purge.ts';
import { factByKey, factIds } from './facts.repository.ts';
import { keepVersion } from './history.repository.ts';
import { fileMemory } from './index-memory.ts';
import { judgeAfter, judgeBefore } from './judge.ts';
import { insertMemory, memoriesByIds, updateMemory } from './memories.repository.ts';
import { isLive, type Memory, type MemoryDraft } from './memory.ts';
import { prepareText } from './prepare-text.ts';
import { refuseSecretsIn } from './secrets.ts';

const maxFacts = 15;
/** Facts looked at before the past-expiry ones are dropped. */
const candidates = 60;

/** Saves a fact; saving its key again overwrites it and keeps the old value in the history. */
export async function saveFact<Answer extends object>(
  deps: MemoryDeps,
  draft: MemoryDraft & { readonly category: string; readonly key: string },
  context: CallContext,
  answerOf: (memory: Memory, created: boolean) => Answer,
): Promise<Answer & { plugin_warnings?: PluginWarning[] | undefined }> {
  refuseSecretsIn(draft);
  const { userId } = context;
  const previous = deps.policy.isSet ? await factByKey(deps.database.db, userId, draft.category, draft.key) : null;
  const write = { operation: previous === null ? 'create' : 'update', previous, proposed: draft } as const;
  const warned = await judgeBefore(deps, write);
  const prepared = await prepareText(deps.embedder, draft, 'save');
  const answer = await deps.mutex.run([`${userId}\nfact\n${draft.category}\n${draft.key}`], () =>
    commitChanges(deps, context, async (trx) => {
      const nowMs = deps.clock.now();
      const before = await factByKey(trx, userId, draft.category, draft.key);
      if (before !== null) await keepVersion(trx, before, { action: 'updated', agent: context.agent, nowMs });
      const memory =
        before === null
          ? await insertMemory(trx, { draft, userId, projectIds: [], nowMs })
          : await updateMemory(trx, before, {
              draft: { ...draft, pinned: before.pinned, importance: before.importance, metadata: before.metadata },
              projectIds: [],
              updatedAtMs: nowMs,
              grow: true,
            });
      const vectors = await fileMemory(trx, memory, prepared, nowMs);
      const log = await recordChanges(trx, context, deps.clock, [
        { kind: 'memory', thingId: memory.id, action: before === null ? 'created' : 'updated', snapshot: memory },
      ]);
      return { answer: answerOf(memory, before === null), vectors: [vectors], log };
    }),
  );
  if (answer === 'look again') throw new Error('a fact never looks again');
  return withRemarks(answer, [...warned, ...(await judgeAfter(deps, write))]);
}

/** At most 15 live facts for a query, best first. */
export async function searchFacts(
  deps: MemoryDeps,
  query: string,
  context: CallContext,
): Promise<{ facts: Memory[]; degraded: readonly string[] }> {
  const { hits, degraded } = await deps.retrieval.retrieve({
    text: query,
    filter: {
      userId: context.userId,
      kinds: ['memory'],
      statuses: ['active'],
      projectIds: null,
      types: ['keyed_fact'],
    },
    mode: 'hybrid',
    limit: candidates,
    signal: context.signal ?? undefined,
  });
  const rows = await memoriesByIds(
    deps.database.db,
    context.userId,
    hits.map((hit) => hit.id),
  );
  const nowMs = deps.clock.now();
  const facts = hits
    .map((hit) => rows.get(hit.id))
    .filter((memory): memory is Memory => memory !== undefined && isLive(memory, nowMs))
    .slice(0, maxFacts);
  deps.accesses.count(
    facts.map((memory) => memory.id),
    context,
  );
  return { facts, degraded };
}

/** Erases a fact for good; with no category, that key in every category. Throws `not_found` when there is none. */
export async function forgetFact(
  deps: MemoryDeps,
  { key, category }: { key: string; category: string | null },
  context: CallContext,
): Promise<{ deleted: number }> {
  const ids = await factIds(deps.database.db, context.userId, key, category);
  if (ids.length === 0) {
    const where = category === null ? '' : ` in ${category}`;
    throw new LociError('not_found', `There is no fact with the key '${key}'${where}.`, { key });
  }
  return purgeMemories(deps, ids, context, ({ purged }) => ({ deleted: purged }));
}
