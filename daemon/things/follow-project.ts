import type { ProjectFollower } from '#daemon/projects/index.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { refile } from './index-thing.ts';
import type { ThingKind, ThingRow } from './kind.ts';
import { idsOfProject, moveToProject } from './things.repository.ts';

/** How the things of a kind follow when their project is merged into another or deleted. */
export function followProject<R extends ThingRow, X>(kind: ThingKind<R, X>, modelId: () => string): ProjectFollower {
  return {
    async follow(trx, { fromId, intoId, userId, nowMs }) {
      const ids = await idsOfProject(trx, kind, fromId);
      await moveToProject(trx, kind, fromId, intoId);
      const changes: VectorChange[] = [];
      if (kind.search === undefined) return changes;
      for (const id of ids) {
        const row = { id, user_id: userId, project_id: intoId };
        changes.push(...(await refile(trx, kind, row, modelId(), nowMs)));
      }
      return changes;
    },
  };
}
