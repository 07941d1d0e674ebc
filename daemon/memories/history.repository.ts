// Earlier versions of a memory, each with the time in which it was current. The present version is the row itself.
import type { Selectable } from 'kysely';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { MemoryHistoryTable } from '#daemon/storage/tables/memories.ts';
import type { Memory, MemoryDraft } from './memory.ts';

/** A version as it was: the record without identity and counters. */
export type Version = {
  readonly version: number;
  /** What ended this version: `updated`, `merged`, `archived`; or `merged_in` for a text that was united into the memory. */
  readonly action: string;
  readonly agent: string | null;
  readonly recordedFromMs: number;
  readonly recordedToMs: number;
  readonly snapshot: MemoryDraft & { readonly projectIds: readonly number[] };
};

/** Keeps the present version before it is changed. Versions are numbered from 1, oldest first. */
export async function keepVersion(
  trx: Trx,
  memory: Memory,
  given: { action: string; agent: string | null; nowMs: number },
): Promise<void> {
  const snapshot = snapshotOf(memory, memory.projectIds);
  await addVersion(trx, memory, { ...given, fromMs: memory.updatedAtMs, snapshot });
}

/** Keeps a text that was merged into the memory and did not become its content, so that it is never lost. */
export async function keepMergedText(
  trx: Trx,
  into: Memory,
  given: { draft: MemoryDraft; agent: string | null; nowMs: number },
): Promise<void> {
  const snapshot = snapshotOf(given.draft, into.projectIds);
  await addVersion(trx, into, {
    action: 'merged_in',
    agent: given.agent,
    nowMs: given.nowMs,
    fromMs: given.nowMs,
    snapshot,
  });
}

async function addVersion(
  trx: Trx,
  memory: Memory,
  given: { action: string; agent: string | null; nowMs: number; fromMs: number; snapshot: Version['snapshot'] },
): Promise<void> {
  await trx
    .insertInto('memory_history')
    .values({
      memory_id: memory.id,
      version: (await countVersions(trx, memory.id)) + 1,
      user_id: memory.userId,
      action: given.action,
      agent: given.agent,
      recorded_from: Math.min(given.fromMs, given.nowMs),
      recorded_to: given.nowMs,
      snapshot: JSON.stringify(given.snapshot),
    })
    .execute();
}

/** Every earlier version, newest first. */
export async function versionsOf(db: Queries, memoryId: number): Promise<Version[]> {
  const rows = await db
    .selectFrom('memory_history')
    .selectAll()
    .where('memory_id', '=', memoryId)
    .orderBy('version', 'desc')
    .execute();
  return rows.map(rowToVersion);
}

/** The version of each memory that was current at a time; absent where the present one already was, or none. */
export async function versionsAt(db: Queries, ids: readonly number[], atMs: number): Promise<Map<number, Version>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('memory_history')
    .selectAll()
    .where('memory_id', 'in', ids)
    .where('recorded_from', '<=', atMs)
    .where('recorded_to', '>', atMs)
    .orderBy('version')
    .execute();
  return new Map(rows.map((row) => [row.memory_id, rowToVersion(row)]));
}

/** Writes an earlier version anew, for an erasure alone: what else was recorded stays as it was. */
export async function rewriteVersion(trx: Trx, memoryId: number, { version, snapshot }: Version): Promise<void> {
  await trx
    .updateTable('memory_history')
    .set({ snapshot: JSON.stringify(snapshot) })
    .where('memory_id', '=', memoryId)
    .where('version', '=', version)
    .execute();
}

export async function countVersions(db: Queries, memoryId: number): Promise<number> {
  const row = await db
    .selectFrom('memory_history')
    .select((eb) => eb.fn.max('version').as('versions'))
    .where('memory_id', '=', memoryId)
    .executeTakeFirst();
  return Number(row?.versions ?? 0);
}

/** The number of earlier versions of each memory. */
export async function countVersionsOf(db: Queries, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('memory_history')
    .select(['memory_id', (eb) => eb.fn.countAll<number>().as('versions')])
    .where('memory_id', 'in', ids)
    .groupBy('memory_id')
    .execute();
  return new Map(rows.map((row) => [row.memory_id, Number(row.versions)]));
}

function rowToVersion(row: Selectable<MemoryHistoryTable>): Version {
  return {
    version: row.version,
    action: row.action,
    agent: row.agent,
    recordedFromMs: row.recorded_from,
    recordedToMs: row.recorded_to,
    snapshot: JSON.parse(row.snapshot) as Version['snapshot'],
  };
}

/** The fields of a draft alone, whatever more the given record carries. */
export function snapshotOf(memory: MemoryDraft, projectIds: readonly number[]): Version['snapshot'] {
  const { id, uid, userId, rev, contentHash, accessCount, lastAccessedAtMs, createdAtMs, updatedAtMs, ...draft } =
    memory as Memory;
  return { ...draft, projectIds };
}
