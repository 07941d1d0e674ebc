// Erased is erased: the row, its relationships, its links, words, vectors, and the texts about it in the change log and in stored answers.
import type { CallContext } from '#daemon/kernel/context.ts';
import { commitChanges, eraseTraces } from '#daemon/memories/index.ts';
import { forgetAnswers } from '#daemon/storage/answers.ts';
import { type Change, eraseChangeTexts, recordChanges } from '#daemon/storage/change-log.ts';
import { markErasure } from '#daemon/storage/lance/lance-facts.ts';
import { eraseQuotedEntity } from '#daemon/storage/quoted-names.ts';
import { removeLinks } from '#daemon/storage/thing-links.ts';
import type { GraphDeps } from './deps.ts';
import { removeEntity } from './entities.repository.ts';
import { unfileEntity } from './file-entity.ts';
import { relationshipIdsOf } from './relationships.repository.ts';
import { entityLock, requireEntity, settled } from './save-entity.ts';

/** Erases an entity with its relationships. Throws `not_found`. */
export async function deleteEntity<Answer>(
  deps: GraphDeps,
  id: number,
  context: CallContext,
  answer: Answer,
): Promise<Answer> {
  const given = await deps.mutex.run([entityLock(id)], () =>
    commitChanges(deps, context, async (trx) => {
      const row = await requireEntity(trx, context.userId, id);
      const relationships = await relationshipIdsOf(trx, id);
      const vectors = [await unfileEntity(trx, row, deps.embedder.modelId, deps.clock.now())];
      await removeLinks(trx, { kind: 'entity', id });
      await removeEntity(trx, id);
      for (const relationshipId of relationships) {
        await eraseChangeTexts(trx, 'entity_relationship', relationshipId);
        await forgetAnswers(trx, 'entity_relationship', relationshipId);
      }
      await eraseChangeTexts(trx, 'entity', id);
      await forgetAnswers(trx, 'entity', id);
      await eraseQuotedEntity(trx, id);
      const gone = relationships.map(
        (thingId): Change => ({ kind: 'entity_relationship', thingId, action: 'deleted', metadata: { entity_id: id } }),
      );
      const log = await recordChanges(trx, context, deps.clock, [
        { kind: 'entity', thingId: id, action: 'deleted' },
        ...gone,
      ]);
      await markErasure(trx);
      return { answer, vectors, log };
    }),
  );
  await eraseTraces(deps);
  return settled(given);
}
