// Where searches look for an entity: which of its words are indexed, and what they are filtered by.
import type { PendingThing } from '#daemon/memories/index.ts';
import { type EmbeddedText, fileThing, refileThing, unfileThing } from '#daemon/storage/file-thing.ts';
import { indexTextOf } from '#daemon/storage/keyword-index.ts';
import { featuresOf } from '#daemon/storage/keywords/text-features.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Database, Trx } from '#daemon/storage/sqlite.ts';
import { linkedIds } from '#daemon/storage/thing-links.ts';
import { entityByAnyUser } from './entities.repository.ts';
import { type EntityRow, embeddedText, indexSource } from './entity.ts';

/** Files a new or reworded entity. */
export function fileEntity(
  trx: Trx,
  row: EntityRow,
  projectIds: readonly number[],
  text: EmbeddedText,
  nowMs: number,
): Promise<VectorChange> {
  const words = indexTextOf(indexSource(row));
  const features = featuresOf({ text: row.notes ?? row.name });
  return fileThing(trx, { ...filed(row, projectIds), session: null, words, features }, text, nowMs);
}

/** Files an entity whose projects changed, and whose words did not; its row has the new rev already. */
export function refileEntity(
  trx: Trx,
  row: EntityRow,
  projectIds: readonly number[],
  modelId: string,
  nowMs: number,
): Promise<VectorChange> {
  return refileThing(trx, filed(row, projectIds), modelId, nowMs);
}

/** Takes an erased entity out of every index. */
export function unfileEntity(trx: Trx, row: EntityRow, modelId: string, nowMs: number): Promise<VectorChange> {
  return unfileThing(trx, filed(row, []), modelId, nowMs);
}

/** An entity as the background embedder needs it, or null once it is gone. */
export async function pendingEntity(database: Database, id: number): Promise<PendingThing | null> {
  const row = await entityByAnyUser(database.db, id);
  if (row === null) return null;
  const projectIds = await linkedIds(database.db, { kind: 'entity', id }, 'project');
  return { ...filed(row, projectIds), text: embeddedText(row) };
}

function filed(row: EntityRow, projectIds: readonly number[]) {
  return {
    kind: 'entity',
    id: row.id,
    userId: row.user_id,
    status: 'active',
    type: 'entity',
    projectIds,
    rev: row.rev,
  };
}
