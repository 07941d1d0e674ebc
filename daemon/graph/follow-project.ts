import type { ProjectFollower } from '#daemon/projects/index.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { linkedIds, linkThings, unlinkThings } from '#daemon/storage/thing-links.ts';
import { entitiesByIds, setRev } from './entities.repository.ts';
import { refileEntity } from './file-entity.ts';

/** How entities follow when a project of theirs is merged into another or deleted; `updated_at` stays, as nothing of theirs changed. */
export function entitiesFollowProject(modelId: () => string): ProjectFollower {
  return {
    async follow(trx, { fromId, intoId, userId, nowMs }) {
      const from = { kind: 'project', id: fromId } as const;
      const leaving = await linkedIds(trx, from, 'entity');
      for (const id of leaving) {
        const entity = { kind: 'entity', id } as const;
        await unlinkThings(trx, entity, from);
        if (intoId !== null) await linkThings(trx, userId, entity, { kind: 'project', id: intoId }, nowMs);
      }
      const changes: VectorChange[] = [];
      const rows = await entitiesByIds(trx, userId, leaving);
      for (const row of rows.values()) {
        const rev = row.rev + 1;
        await setRev(trx, row.id, rev);
        const projectIds = await linkedIds(trx, { kind: 'entity', id: row.id }, 'project');
        changes.push(await refileEntity(trx, { ...row, rev }, projectIds, modelId(), nowMs));
      }
      return changes;
    },
  };
}
