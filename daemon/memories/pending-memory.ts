import type { Database } from '#daemon/storage/sqlite.ts';
import type { PendingThing } from './embed-pending.ts';
import { memoryByAnyUser } from './memories.repository.ts';
import { embeddedText, searchType } from './memory.ts';

/** A memory as the background embedder needs it, or null once it is gone. */
export async function pendingMemory(database: Database, id: number): Promise<PendingThing | null> {
  const memory = await memoryByAnyUser(database.db, id);
  if (memory === null) return null;
  return {
    kind: 'memory',
    id,
    rev: memory.rev,
    userId: memory.userId,
    status: memory.status,
    type: searchType(memory),
    projectIds: memory.projectIds,
    text: embeddedText(memory),
  };
}
