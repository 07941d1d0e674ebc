// A plan cannot be without a project: it goes along when its project is merged into another, and when the project ends it is erased
// with it, if the caller says so, or stands in the way.
import type { ProjectFollower } from '#daemon/projects/index.ts';
import type { Queries } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import { erasePlanTraces } from './erase.ts';
import { deletePlanRow } from './plans.repository.ts';

export const planFollower: ProjectFollower = {
  async allow(db, { fromId, intoId, erasePlans }) {
    if (intoId === null && !erasePlans) refuse(await planIdsOf(db, fromId));
  },
  async follow(trx, { fromId, intoId, erasePlans }) {
    if (intoId !== null) {
      await trx.updateTable('plans').set({ project_id: intoId }).where('project_id', '=', fromId).execute();
      return [];
    }
    const ids = await planIdsOf(trx, fromId);
    if (!erasePlans) refuse(ids); // one may have come since it was allowed
    for (const id of ids) {
      await erasePlanTraces(trx, id);
      await deletePlanRow(trx, id);
    }
    return [];
  },
};

async function planIdsOf(db: Queries, projectId: number): Promise<number[]> {
  const plans = await db.selectFrom('plans').select('id').where('project_id', '=', projectId).orderBy('id').execute();
  return plans.map(({ id }) => id);
}

function refuse(ids: readonly number[]): void {
  if (ids.length === 0) return;
  throw new LociError('conflict', 'The project has plans: pass `cascade_plans` to erase them with it.', {
    cascade_plans: 'must be true to erase the plans',
    plan_ids: ids.slice(0, 100),
  });
}
