import { toUtc } from '#daemon/kernel/clock.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { holdQuarantined, listQuarantined, rejectQuarantined, releaseQuarantined } from '#shared/contract/trust.ts';
import type { MemoryDeps } from '../deps.ts';
import { memoriesByIds } from '../memories.repository.ts';
import { type Memory, shownTitle } from '../memory.ts';
import { type Quarantined, quarantinePage } from './quarantine.repository.ts';
import { holdMemory, rejectMemory, releaseMemory } from './quarantine.ts';

export function quarantineOperations(deps: MemoryDeps): Operation[] {
  return [
    implement(listQuarantined, async ({ verdict, limit, offset }, { userId }) => {
      const { db } = deps.database;
      const { rows, total } = await quarantinePage(db, userId, { verdict, limit, offset });
      const memories = await memoriesByIds(
        db,
        userId,
        rows.map(({ memoryId }) => memoryId),
      );
      const held = rows.flatMap((row) => {
        const memory = memories.get(row.memoryId);
        return memory === undefined ? [] : [heldToWords(row, memory)];
      });
      return { memories: held, total, has_more: offset + rows.length < total };
    }),
    implement(releaseQuarantined, async ({ id }, context) => releaseMemory(deps, id, context)),
    implement(holdQuarantined, async ({ id }, context) => holdMemory(deps, id, context)),
    implement(rejectQuarantined, async ({ id }, context) => rejectMemory(deps, id, context)),
  ];
}

function heldToWords(row: Quarantined, memory: Memory) {
  const { memoryId: id, reasons, verdict } = row;
  return {
    id,
    title: shownTitle(memory),
    content: memory.content,
    reasons: [...reasons],
    verdict,
    agent: memory.agent,
    author: memory.author,
    session: memory.session,
    found_at: toUtc(row.foundAtMs),
    judged_at: row.judgedAtMs === null ? null : toUtc(row.judgedAtMs),
  };
}
