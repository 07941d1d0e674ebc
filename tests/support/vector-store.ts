// A real database with things that have vectors, made the way the rooms make them: row, vectors and outbox in one transaction.
import { join } from 'node:path';
import { internalContext } from '#daemon/kernel/context.ts';
import { enqueue } from '#daemon/storage/outbox.ts';
import type { ScopeFilter, VectorChange } from '#daemon/storage/search-types.ts';
import { type Database, openDatabase } from '#daemon/storage/sqlite.ts';
import { projectIdsToText } from '#daemon/storage/vectors/scope-groups.ts';
import { carryVectors, deleteVectors, writeVectors } from '#daemon/storage/vectors/store-vectors.ts';
import { createFakeClock } from './fake-clock.ts';

export const testModelId = 'test-model';

export type Thing = {
  readonly id: number;
  readonly kind?: string;
  readonly rev?: number;
  readonly userId?: number;
  readonly status?: string;
  readonly type?: string;
  readonly projectIds?: readonly number[];
  readonly modelId?: string;
  /** One vector a passage. */
  readonly vectors: readonly Float32Array[];
};

export async function openTestDatabase(folder: string): Promise<Database> {
  return openDatabase({ file: join(folder, 'loci.db'), clock: createFakeClock() });
}

/** The scope of user 1's active memories, changed by `part`. */
export function scope(part: Partial<ScopeFilter> = {}): ScopeFilter {
  return { userId: 1, kinds: ['memory'], statuses: ['active'], projectIds: null, types: null, ...part };
}

/** Commits things with their vectors and outbox rows; answers what is to be published. */
export async function storeThings(database: Database, things: readonly Thing[]): Promise<VectorChange[]> {
  return database.write(internalContext, async (trx) => {
    const changes: VectorChange[] = [];
    for (const thing of things) {
      const change = changeOf(thing);
      const { kind, id, rev } = change;
      const keys = {
        user_id: change.userId,
        status: change.status,
        type: change.type,
        projects: projectIdsToText(change.projectIds),
        rev,
      };
      await trx
        .insertInto('searchables')
        .values({ kind, thing_id: id, ...keys, body: `thing ${id}`, passages: thing.vectors.length })
        .onConflict((conflict) => conflict.columns(['kind', 'thing_id']).doUpdateSet(keys))
        .execute();
      const passages = change.vectors as Exclude<VectorChange['vectors'], 'kept' | null>;
      await writeVectors(trx, { kind, id, rev, modelId: change.modelId, passages });
      await enqueue(trx, [change], 1);
      changes.push(change);
    }
    return changes;
  });
}

/** Commits new filter keys for a thing whose text stays as it is. */
export async function rekeyThing(
  database: Database,
  thing: Omit<Thing, 'vectors'> & { rev: number },
): Promise<VectorChange> {
  const change: VectorChange = { ...changeOf({ ...thing, vectors: [] }), vectors: 'kept' };
  await database.write(internalContext, async (trx) => {
    await trx
      .updateTable('searchables')
      .set({ rev: change.rev, status: change.status, type: change.type, projects: projectIdsToText(change.projectIds) })
      .where('kind', '=', change.kind)
      .where('thing_id', '=', change.id)
      .execute();
    await carryVectors(trx, { kind: change.kind, id: change.id, fromRev: change.rev - 1, toRev: change.rev });
    await enqueue(trx, [change], 1);
  });
  return change;
}

/** Commits the erasure of a thing. */
export async function eraseThing(
  database: Database,
  thing: Omit<Thing, 'vectors'> & { rev: number },
): Promise<VectorChange> {
  const change: VectorChange = { ...changeOf({ ...thing, vectors: [] }), vectors: null };
  await database.write(internalContext, async (trx) => {
    await deleteVectors(trx, [change]);
    await trx.deleteFrom('searchables').where('kind', '=', change.kind).where('thing_id', '=', change.id).execute();
    await enqueue(trx, [change], 1);
  });
  return change;
}

function changeOf(thing: Thing): VectorChange {
  return {
    kind: thing.kind ?? 'memory',
    id: thing.id,
    rev: thing.rev ?? 1,
    userId: thing.userId ?? 1,
    status: thing.status ?? 'active',
    type: thing.type ?? 'fact',
    projectIds: thing.projectIds ?? [],
    modelId: thing.modelId ?? testModelId,
    vectors: thing.vectors.map((vector, passage) => ({ passage, vector })),
  };
}

/** Random unit vectors around a few dozen centres: neighbours exist, as in real text. The same for the same seed. */
export function createVectorSource(dimensions: number, seed = 1): () => Float32Array {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const normal = (): number => random() + random() + random() + random() - 2;
  const centres = Array.from({ length: 40 }, () => Float32Array.from({ length: dimensions }, normal));
  return () => {
    const centre = centres[Math.floor(random() * centres.length)] as Float32Array;
    return unit(centre.map((value) => value + 1.2 * normal()));
  };
}

export function unit(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

/** Cosine in plain arithmetic, to check every index against. */
export function cosineOf(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] as number), 0);
}
