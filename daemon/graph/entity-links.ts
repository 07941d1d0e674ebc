// What an entity is linked to: notes that are about it, projects it belongs to, files that show it. Links to what does not exist are
// refused in the transaction that would make them; linking twice and unlinking what is not linked change nothing.
import type { CallContext } from '#daemon/kernel/context.ts';
import { commitChanges } from '#daemon/memories/index.ts';
import { type Change, recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import { linkedIds, linkThings, unlinkThings } from '#daemon/storage/thing-links.ts';
import { LociError } from '#shared/errors.ts';
import type { GraphDeps } from './deps.ts';
import { setRev } from './entities.repository.ts';
import type { EntityRow } from './entity.ts';
import { refileEntity } from './file-entity.ts';
import { entityLock, requireEntity, settled } from './save-entity.ts';

export type OtherEnd = { readonly kind: 'memory' | 'project' | 'file'; readonly id: number };

/** Links an entity to another thing; answers false when it was linked already. Throws `not_found` for either end. */
export async function linkEntity<Answer>(
  deps: GraphDeps,
  entityId: number,
  other: OtherEnd,
  context: CallContext,
  answerOf: (changed: boolean) => Answer,
): Promise<Answer> {
  return changeLink(deps, entityId, other, context, 'created', answerOf);
}

/** Removes the link; answers false when there was none. Throws `not_found` for either end. */
export async function unlinkEntity<Answer>(
  deps: GraphDeps,
  entityId: number,
  other: OtherEnd,
  context: CallContext,
  answerOf: (changed: boolean) => Answer,
): Promise<Answer> {
  return changeLink(deps, entityId, other, context, 'deleted', answerOf);
}

async function changeLink<Answer>(
  deps: GraphDeps,
  entityId: number,
  other: OtherEnd,
  context: CallContext,
  action: 'created' | 'deleted',
  answerOf: (changed: boolean) => Answer,
): Promise<Answer> {
  return deps.mutex.run([entityLock(entityId)], async () =>
    settled(
      await commitChanges(deps, context, async (trx) => {
        const row = await requireEntity(trx, context.userId, entityId);
        await requireEnd(deps, trx, context.userId, other);
        const entity = { kind: 'entity', id: entityId } as const;
        const changed =
          action === 'created'
            ? await linkThings(trx, context.userId, entity, other, deps.clock.now())
            : await unlinkThings(trx, entity, other);
        if (!changed) return { answer: answerOf(false), vectors: [], log: [] };
        const vectors = other.kind === 'project' ? [await refile(deps, trx, row)] : [];
        const log = await recordChanges(trx, context, deps.clock, [linkChange(entityId, other, action)]);
        return { answer: answerOf(true), vectors, log };
      }),
    ),
  );
}

/** A search by project must see the move at once; the text stays as it was embedded. */
async function refile(deps: GraphDeps, trx: Trx, row: EntityRow): Promise<VectorChange> {
  const rev = row.rev + 1;
  await setRev(trx, row.id, rev);
  const projectIds = await linkedIds(trx, { kind: 'entity', id: row.id }, 'project');
  return refileEntity(trx, { ...row, rev }, projectIds, deps.embedder.modelId, deps.clock.now());
}

async function requireEnd(deps: GraphDeps, trx: Trx, userId: number, { kind, id }: OtherEnd): Promise<void> {
  if (kind === 'project') return requireProject(deps, trx, userId, id);
  if (kind === 'memory') return requireMemory(trx, userId, id);
  const known = (await deps.existingFiles?.(trx, userId, [id])) ?? [];
  if (!known.includes(id)) throw new LociError('not_found', `File ${id} not found.`, { file_id: id });
}

async function requireProject(deps: GraphDeps, trx: Trx, userId: number, id: number): Promise<void> {
  const known = await deps.projects.byIds(trx, userId, [id]);
  if (!known.has(id)) throw new LociError('not_found', `Project ${id} not found.`, { project_id: id });
}

/** Throws `not_found` for a memory that is not the user's. */
export async function requireMemory(db: Trx | GraphDeps['database']['db'], userId: number, id: number): Promise<void> {
  const row = await db.selectFrom('memories').select('user_id').where('id', '=', id).executeTakeFirst();
  if (row?.user_id !== userId) throw new LociError('not_found', `Memory ${id} not found.`, { memory_id: id });
}

/** As the log of changes tells a link: it has no id of its own. */
function linkChange(entityId: number, other: OtherEnd, action: Change['action']): Change {
  const metadata = { entity_id: entityId, [`${other.kind}_id`]: other.id };
  return { kind: `entity_${other.kind}_link`, thingId: 0, action, metadata };
}
