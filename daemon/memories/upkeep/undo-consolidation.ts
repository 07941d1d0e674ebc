// Takes a consolidation back: the originals are active again as they were, the union is archived. They are kept apart from then
// on, or the next run would unite them again.
import type { CallContext } from '#daemon/kernel/context.ts';
import { type Change, recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import { commitChanges } from '../commit.ts';
import type { MemoryDeps } from '../deps.ts';
import { keepVersion, versionsOf } from '../history.repository.ts';
import { refileMemory } from '../index-memory.ts';
import { keepApart, memoriesByIds, memoryById, supersededBy, updateMemory } from '../memories.repository.ts';
import type { Memory } from '../memory.ts';
import { retireMemory } from './retire.ts';

/** Restores what memory `id` united. Throws `not_found` for an unknown id, `conflict` for one that unites nothing or was united itself. */
export async function undoConsolidation(
  deps: MemoryDeps,
  id: number,
  context: CallContext,
): Promise<{ id: number; restored: number[] }> {
  const answer = await commitChanges(deps, context, async (trx) => {
    const nowMs = deps.clock.now();
    const heir = await memoryById(trx, context.userId, id);
    if (heir === null) throw new LociError('not_found', `Memory ${id} not found.`, { id });
    const members = await membersOf(trx, heir);
    if (members.length === 0) {
      throw new LociError('conflict', `Memory ${id} unites no others: name the id that consolidation created.`, { id });
    }
    if (heir.supersededBy !== null) {
      const into = heir.supersededBy;
      throw new LociError('conflict', `Memory ${id} was united into ${into} since: undo ${into} first.`, { id, into });
    }
    const vectors: VectorChange[] = [];
    const changes: Change[] = [];
    for (const { member, before } of members) {
      await keepVersion(trx, member, { action: 'restored', agent: context.agent, nowMs });
      const restored = await updateMemory(trx, member, {
        draft: { ...member, ...before, status: 'active' },
        projectIds: member.projectIds,
        updatedAtMs: nowMs,
        grow: true,
      });
      vectors.push(await refileMemory(trx, restored, deps.embedder.modelId, nowMs));
      changes.push({
        kind: 'memory',
        thingId: member.id,
        action: 'restored',
        changes: {
          status: { old: member.status, new: 'active' },
          superseded_by: { old: id, new: before.supersededBy },
        },
      });
    }
    const restored = members.map(({ member }) => member.id);
    await keepApart(trx, restored, nowMs);
    if (heir.status === 'active') {
      const retirement = { action: 'archived', reason: 'its consolidation was undone', supersededBy: null };
      const retired = await retireMemory(trx, deps, heir, retirement, context);
      vectors.push(retired.vectors);
      changes.push(retired.change);
    }
    return { answer: { id, restored }, vectors, log: await recordChanges(trx, context, deps.clock, changes) };
  });
  if (answer === 'look again') throw new Error('an undo never looks again');
  return answer;
}

type Member = { readonly member: Memory; readonly before: Pick<Memory, 'supersededBy' | 'obsoleteReason'> };

/** What consolidation archived in favour of `heir` and nobody has touched since, with what each pointed to before. */
async function membersOf(trx: Trx, heir: Memory): Promise<Member[]> {
  const ids = (await supersededBy(trx, [heir.id])).get(heir.id) ?? [];
  const members: Member[] = [];
  for (const member of (await memoriesByIds(trx, heir.userId, ids)).values()) {
    const [last] = await versionsOf(trx, member.id);
    if (member.status !== 'archived' || last?.action !== 'consolidated') continue;
    const { supersededBy: by, obsoleteReason } = last.snapshot;
    members.push({ member, before: { supersededBy: by, obsoleteReason } });
  }
  return members;
}
