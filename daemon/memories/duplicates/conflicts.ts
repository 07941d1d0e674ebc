// Possible conflicts, as a save reported them, until somebody has decided. Deciding for one of the two is an update, a merge or an
// archiving; that both hold has no other trace, so it is written down here.
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { recordChanges } from '#daemon/storage/change-log.ts';
import type { memoryConflicts } from '#shared/contract/browse.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import { commitChanges } from '../commit.ts';
import type { MemoryDeps } from '../deps.ts';
import { linesOf } from '../memory-lines.ts';
import { requireMemory } from '../update.ts';

/** Pairs that are still open, the latest first. */
export async function openConflicts(
  deps: MemoryDeps,
  limit: number,
  context: CallContext,
): Promise<OutputOf<typeof memoryConflicts>> {
  const { pairs } = await deps.reader.ask('openConflicts', { userId: context.userId, limit: limit + 1 });
  const page = pairs.slice(0, limit);
  const lines = await linesOf(deps, [...new Set(page.flatMap(({ newer, older }) => [newer, older]))], context);
  const byId = new Map(lines.map((line) => [line.id, line]));
  const conflicts = page.flatMap((pair) => {
    const [newer, older] = [byId.get(pair.newer), byId.get(pair.older)];
    if (newer === undefined || older === undefined) return [];
    return [{ newer, older, similarity: pair.similarity, found_at: toUtc(pair.atMs) }];
  });
  return { conflicts, has_more: pairs.length > limit };
}

/** Writes down that both hold, or that it is open again. Throws `not_found` for a memory that is not the user's. */
export async function settleConflict(
  deps: MemoryDeps,
  given: { readonly id: number; readonly with: number; readonly settled: boolean },
  context: CallContext,
): Promise<{ id: number; with: number; settled: boolean }> {
  const { id, with: other, settled } = given;
  if (id === other) throw new LociError('invalid_input', 'Name two memories.', { with: 'must be another memory' });
  for (const one of [id, other]) await requireMemory(deps, one, context);
  const answer = { id, with: other, settled };
  await commitChanges(deps, context, async (trx) => {
    const action = settled ? 'settled' : 'unsettled';
    const change = { kind: 'memory', thingId: id, action, metadata: { with: other } };
    return { answer, vectors: [], log: await recordChanges(trx, context, deps.clock, [change]) };
  });
  return answer;
}
