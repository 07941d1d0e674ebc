// Moving memories from one project to another changes what searches filter by, not what was embedded: the vectors stay and
// take the new rev, and an outbox row lets the derived index follow. Small transactions keep the event loop free;
// each leaves every memory in exactly one of the two projects, so that a merge killed half-way is finished by repeating it.
import { sql } from 'kysely';
import { projectIdsByMemory } from '#daemon/storage/memory-projects.ts';
import { enqueue } from '#daemon/storage/outbox.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { projectsColumn } from '#daemon/storage/searchables.ts';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import { carryVectors } from '#daemon/storage/vectors/store-vectors.ts';
import { blobToVector } from '#daemon/storage/vectors/vector-blob.ts';

/** Memories moved in one transaction. */
export const movedAtOnce = 100;

/** `intoId` null: they leave the project for none. */
export type Move = { readonly fromId: number; readonly intoId: number | null; readonly nowMs: number };

/** Ids of the next memories of a project, lowest first. */
export async function memoriesOf(db: Queries, projectId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('memory_projects')
    .select('memory_id')
    .where('project_id', '=', projectId)
    .orderBy('memory_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.memory_id);
}

/**
 * Moves the memories `ids`: the place of the project in each memory's list stays, and a project is never listed twice.
 * Answers what to publish to the vector index after the commit.
 */
export async function moveMemories(trx: Trx, ids: readonly number[], move: Move): Promise<VectorChange[]> {
  if (ids.length === 0) return [];
  await moveLinks(trx, ids, move);
  await trx
    .updateTable('memories')
    .set({ primary_project_id: move.intoId ?? nextProject })
    .where('id', 'in', ids)
    .where('primary_project_id', '=', move.fromId)
    .execute();
  await trx.updateTable('memories').set({ rev: sql`rev + 1` }).where('id', 'in', ids).execute();
  const memories = await trx.selectFrom('memories').select(['id', 'rev']).where('id', 'in', ids).execute();
  const projects = await projectIdsByMemory(trx, ids);
  for (const { id, rev } of memories) await refile(trx, id, rev, projects.get(id) ?? []);
  await enqueue(
    trx,
    memories.map(({ id, rev }) => ({ kind: 'memory', id, rev })),
    move.nowMs,
  );
  return vectorChanges(trx, ids, projects);
}

async function moveLinks(trx: Trx, ids: readonly number[], { fromId, intoId }: Move): Promise<void> {
  const leaving = await trx
    .selectFrom('memory_projects')
    .select(['memory_id', 'position'])
    .where('project_id', '=', fromId)
    .where('memory_id', 'in', ids)
    .execute();
  await trx.deleteFrom('memory_projects').where('project_id', '=', fromId).where('memory_id', 'in', ids).execute();
  if (intoId === null) return;
  for (const { memory_id, position } of leaving) {
    await trx
      .insertInto('memory_projects')
      .values({ memory_id, project_id: intoId, position })
      .onConflict((conflict) =>
        conflict
          .columns(['memory_id', 'project_id'])
          .doUpdateSet({ position: sql`min(memory_projects.position, excluded.position)` }),
      )
      .execute();
  }
}

/** The first of the projects that a memory is still linked to. */
const nextProject = sql<number | null>`(
  select project_id from memory_projects where memory_id = memories.id order by position limit 1
)`;

async function refile(trx: Trx, id: number, rev: number, projectIds: readonly number[]): Promise<void> {
  await trx
    .updateTable('searchables')
    .set({ rev, projects: projectsColumn(projectIds) })
    .where('kind', '=', 'memory')
    .where('thing_id', '=', id)
    .execute();
  // vectors of an older text stay behind: they are replaced once the present one is embedded
  await carryVectors(trx, { kind: 'memory', id, fromRev: rev - 1, toRev: rev });
}

/** One change for each thing and model that has vectors of the present text. */
async function vectorChanges(
  trx: Trx,
  ids: readonly number[],
  projects: ReadonlyMap<number, readonly number[]>,
): Promise<VectorChange[]> {
  const rows = await trx
    .selectFrom('vectors')
    .innerJoin('searchables', (join) =>
      join
        .onRef('searchables.kind', '=', 'vectors.kind')
        .onRef('searchables.thing_id', '=', 'vectors.thing_id')
        .onRef('searchables.rev', '=', 'vectors.rev'),
    )
    .selectAll('vectors')
    .select(['searchables.user_id', 'searchables.status', 'searchables.type'])
    .where('vectors.kind', '=', 'memory')
    .where('vectors.thing_id', 'in', ids)
    .execute();
  const changes = new Map<string, VectorChange & { vectors: { passage: number; vector: Float32Array }[] }>();
  for (const row of rows) {
    const vector = blobToVector(row.blob, row.blob.byteLength / Float32Array.BYTES_PER_ELEMENT);
    if (vector === null) continue;
    const key = `${row.thing_id}\n${row.model_id}`;
    const change = changes.get(key) ?? {
      kind: 'memory',
      id: row.thing_id,
      rev: row.rev,
      userId: row.user_id,
      status: row.status,
      type: row.type,
      projectIds: projects.get(row.thing_id) ?? [],
      modelId: row.model_id,
      vectors: [],
    };
    change.vectors.push({ passage: row.passage, vector });
    changes.set(key, change);
  }
  return [...changes.values()];
}
