// Memories that say exactly the same: the live one, which a save meets, and past ones, which it brings back.
import type { Queries } from '#daemon/storage/sqlite.ts';
import { withProjects } from './memories.repository.ts';
import type { Memory } from './memory.ts';

/** The memory with exactly this text, live at `nowMs`, in the same type and primary project, or null. */
export async function activeTwin(
  db: Queries,
  where: { userId: number; contentHash: string; type: string; projectId: number | null; nowMs: number },
): Promise<Memory | null> {
  const rows = await db
    .selectFrom('memories')
    .selectAll()
    .where('user_id', '=', where.userId)
    .where('content_hash', '=', where.contentHash)
    .where('status', '=', 'active')
    .where('type', '=', where.type)
    .where('category', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', where.nowMs)]))
    .where('primary_project_id', where.projectId === null ? 'is' : '=', where.projectId)
    .orderBy('id')
    .limit(1)
    .execute();
  return [...(await withProjects(db, rows)).values()][0] ?? null;
}

/** Memories with exactly this text that are not live at `nowMs`, in the same type and primary project, the newest first, at most `limit`. */
export async function pastTwins(
  db: Queries,
  where: { userId: number; contentHash: string; type: string; projectId: number | null; nowMs: number },
  limit: number,
): Promise<Memory[]> {
  const rows = await db
    .selectFrom('memories')
    .selectAll()
    .where('user_id', '=', where.userId)
    .where('content_hash', '=', where.contentHash)
    .where((eb) => eb.or([eb('status', '<>', 'active'), eb('expires_at', '<=', where.nowMs)]))
    .where('type', '=', where.type)
    .where('category', 'is', null)
    .where('primary_project_id', where.projectId === null ? 'is' : '=', where.projectId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return [...(await withProjects(db, rows)).values()];
}
