import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { MemoryDeps } from './deps.ts';
import { memoriesByIds } from './memories.repository.ts';
import { cutAtWord, type Memory, shownTitle } from './memory.ts';
import { projectNamesOf } from './record.ts';

const excerptLength = 240;

/** A line for each memory that is the user's, in the order of `ids`. */
export async function linesOf(deps: MemoryDeps, ids: readonly number[], { userId }: CallContext) {
  const { db } = deps.database;
  const found = await memoriesByIds(db, userId, ids);
  const memories = ids.flatMap((id) => found.get(id) ?? []);
  const names = await projectNamesOf(deps, db, memories);
  return memories.map((memory) => memoryToLine(memory, names));
}

function memoryToLine(memory: Memory, names: ReadonlyMap<number, string>) {
  const [primary] = memory.projectIds;
  return {
    id: memory.id,
    title: shownTitle(memory),
    excerpt: cutAtWord(memory.content.trim(), excerptLength),
    type: memory.type,
    tier: memory.tier,
    status: memory.status,
    project: primary === undefined ? null : (names.get(primary) ?? null),
    agent: memory.agent,
    pinned: memory.pinned,
    importance: memory.importance,
    confidence: memory.confidence,
    created_at: toUtc(memory.createdAtMs),
    updated_at: toUtc(memory.updatedAtMs),
    expires_at: toUtc(memory.expiresAtMs),
  };
}
