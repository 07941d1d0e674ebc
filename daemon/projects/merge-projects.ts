// Two names for one thing split its memories. A merge moves them all and makes the old name an alias, so that a client that
// still resolves to it meets the rest.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { Events } from '#daemon/kernel/events.ts';
import { type ChangeRow, changeToEvent, recordChanges } from '#daemon/storage/change-log.ts';
import { noteFields } from '#daemon/storage/field-times.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Database, Trx } from '#daemon/storage/sqlite.ts';
import { moveLinks } from '#daemon/storage/thing-links.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import { invalidField } from '#shared/errors.ts';
import type { ProjectFollower } from './follow.ts';
import { memoriesOf, movedAtOnce, moveMemories } from './move-memories.ts';
import { projectToSnapshot, requireProject } from './name-project.ts';
import { foldName } from './project-name.ts';
import {
  deleteProject,
  moveAliases,
  type Project,
  projectsByName,
  setAlias,
  setDescription,
} from './projects.repository.ts';

export type ProjectDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Pick<Events, 'announce'>;
  readonly vectors: Pick<VectorIndex, 'publish'>;
  /** Rooms above whose things belong to projects. */
  readonly followers: readonly ProjectFollower[];
};

export type Merged = { readonly id: number; readonly name: string; readonly moved: number };

/** Moves every memory of the projects named `from` into the one named `into`. Repeating it is a success that moves nothing. */
export async function mergeProjects(
  deps: ProjectDeps,
  context: CallContext,
  names: { readonly from: string; readonly into: string },
): Promise<Merged> {
  const { db } = deps.database;
  const into = await requireProject(db, context.userId, 'into', names.into);
  const from = await requireProject(db, context.userId, 'from', names.from);
  const holders = await projectsByName(db, context.userId, names.from);
  const sources = (holders.length === 0 ? [from] : holders).filter((project) => project.id !== into.id);
  if (sources.length === 0 && foldName(names.from) === foldName(into.name)) {
    throw invalidField('from', 'must name another project than `into`');
  }
  let moved = 0;
  for (const source of sources) moved += await moveInParts(deps, context, source.id, into.id);
  return finish(deps, context, { sources, into, moved });
}

/** Moves all but the last part of a project's memories (`intoId` null: out of it), a transaction each, and lets the event loop run between. */
export async function moveInParts(
  deps: ProjectDeps,
  context: CallContext,
  fromId: number,
  intoId: number | null,
): Promise<number> {
  let moved = 0;
  for (;;) {
    const ids = await memoriesOf(deps.database.db, fromId, movedAtOnce + 1);
    if (ids.length <= movedAtOnce) return moved;
    const part = ids.slice(0, movedAtOnce);
    // the answer under the idempotency key belongs to the last transaction
    const vectors = await deps.database.write({ ...context, claim: null }, (trx) =>
      moveMemories(trx, part, { fromId, intoId, nowMs: deps.clock.now() }),
    );
    deps.vectors.publish(vectors);
    moved += part.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

type Ending = {
  readonly sources: readonly Project[];
  readonly into: Project;
  readonly moved: number;
};

/** The last part, the aliases and the end of the old projects, in one transaction with the answer. */
async function finish(deps: ProjectDeps, context: CallContext, ending: Ending): Promise<Merged> {
  const vectors: VectorChange[] = [];
  const log: ChangeRow[] = [];
  const merged = await deps.database.write(context, async (trx) => {
    let moved = ending.moved;
    for (const source of ending.sources) {
      const ids = await memoriesOf(trx, source.id, Number.MAX_SAFE_INTEGER);
      const move = { fromId: source.id, intoId: ending.into.id, nowMs: deps.clock.now() };
      vectors.push(...(await moveMemories(trx, ids, move)));
      moved += ids.length;
      vectors.push(...(await bringThings(deps, context, trx, source.id, ending.into.id)));
      log.push(...(await dissolve(deps, context, trx, source, { into: ending.into, moved })));
    }
    return { id: ending.into.id, name: ending.into.name, moved };
  });
  deps.vectors.publish(vectors);
  for (const row of log) deps.events.announce(changeToEvent(row));
  return merged;
}

/** What belongs to the project beside memories: documents and the like, and links to it. */
async function bringThings(
  deps: ProjectDeps,
  context: CallContext,
  trx: Trx,
  fromId: number,
  intoId: number,
): Promise<VectorChange[]> {
  const leaving = { fromId, intoId, userId: context.userId, nowMs: deps.clock.now(), erasePlans: false };
  const vectors: VectorChange[] = [];
  for (const { follow } of deps.followers) vectors.push(...(await follow(trx, leaving)));
  await moveLinks(trx, { kind: 'project', id: fromId }, intoId);
  return vectors;
}

async function dissolve(
  deps: ProjectDeps,
  context: CallContext,
  trx: Trx,
  source: Project,
  { into, moved }: { readonly into: Project; readonly moved: number },
): Promise<ChangeRow[]> {
  await moveAliases(trx, source.id, into.id);
  if (source.name_key !== into.name_key) await setAlias(trx, context.userId, source.name, into.id);
  if (into.description === '' && source.description !== '') {
    await setDescription(trx, into.id, source.description, deps.clock.now());
    await noteFields(trx, 'project', into.id, ['description'], deps.clock.now());
  }
  await deleteProject(trx, source.id);
  return recordChanges(trx, context, deps.clock, [
    {
      kind: 'project',
      thingId: source.id,
      action: 'merged',
      snapshot: projectToSnapshot(source),
      metadata: { into: into.id, moved },
    },
  ]);
}
