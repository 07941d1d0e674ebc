// Two names for one thing split its memories. A merge moves them all and makes the old name an alias, so that a client that
// still resolves to it meets the rest.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { Events } from '#daemon/kernel/events.ts';
import { type ChangeRow, changeToEvent, recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Database, Trx } from '#daemon/storage/sqlite.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import { invalidField } from '#shared/errors.ts';
import { memoriesOf, movedAtOnce, moveMemories } from './move-memories.ts';
import { projectToSnapshot, requireProject } from './name-project.ts';
import { foldName } from './project-name.ts';
import {
  deleteProject,
  moveAliases,
  movePlans,
  type Project,
  projectsByName,
  setAlias,
  setDescription,
} from './projects.repository.ts';

export type MergeDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Pick<Events, 'announce'>;
  readonly vectors: Pick<VectorIndex, 'publish'>;
};

export type Merged = { readonly id: number; readonly name: string; readonly moved: number };

/** Moves every memory of the projects named `from` into the one named `into`. Repeating it is a success that moves nothing. */
export async function mergeProjects(
  deps: MergeDeps,
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
  for (const source of sources) moved += await moveInParts(deps, context, source, into);
  return finish(deps, context, { sources, into, moved });
}

/** Moves all but the last part of a project's memories, a transaction each, and lets the event loop run between. */
async function moveInParts(deps: MergeDeps, context: CallContext, from: Project, into: Project): Promise<number> {
  let moved = 0;
  for (;;) {
    const ids = await memoriesOf(deps.database.db, from.id, movedAtOnce + 1);
    if (ids.length <= movedAtOnce) return moved;
    const part = ids.slice(0, movedAtOnce);
    // the answer under the idempotency key belongs to the last transaction
    const vectors = await deps.database.write({ ...context, claim: null }, (trx) =>
      moveMemories(trx, part, { fromId: from.id, intoId: into.id, nowMs: deps.clock.now() }),
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
async function finish(deps: MergeDeps, context: CallContext, ending: Ending): Promise<Merged> {
  const vectors: VectorChange[] = [];
  const log: ChangeRow[] = [];
  const merged = await deps.database.write(context, async (trx) => {
    let moved = ending.moved;
    for (const source of ending.sources) {
      const ids = await memoriesOf(trx, source.id, Number.MAX_SAFE_INTEGER);
      const move = { fromId: source.id, intoId: ending.into.id, nowMs: deps.clock.now() };
      vectors.push(...(await moveMemories(trx, ids, move)));
      moved += ids.length;
      log.push(...(await dissolve(deps, context, trx, source, { into: ending.into, moved })));
    }
    return { id: ending.into.id, name: ending.into.name, moved };
  });
  deps.vectors.publish(vectors);
  for (const row of log) deps.events.announce(changeToEvent(row));
  return merged;
}

async function dissolve(
  deps: MergeDeps,
  context: CallContext,
  trx: Trx,
  source: Project,
  { into, moved }: { readonly into: Project; readonly moved: number },
): Promise<ChangeRow[]> {
  await moveAliases(trx, source.id, into.id);
  await movePlans(trx, source.id, into.id);
  if (source.name_key !== into.name_key) await setAlias(trx, context.userId, source.name, into.id);
  if (into.description === '' && source.description !== '') {
    await setDescription(trx, into.id, source.description, deps.clock.now());
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
