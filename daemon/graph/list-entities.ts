// A page of entities. Which ones is asked of the reader thread, because a part of a name can stand anywhere; the rows are read by id.
import type { CallContext } from '#daemon/kernel/context.ts';
import { foldLabel } from '#daemon/storage/label-keys.ts';
import { linkedIdsOf } from '#daemon/storage/thing-links.ts';
import { pageOf } from '#daemon/things/index.ts';
import { isBlank } from '#shared/contract/common.ts';
import { invalidField } from '#shared/errors.ts';
import type { GraphDeps } from './deps.ts';
import { entitiesByIds } from './entities.repository.ts';
import { entityToSummary, foldName } from './entity.ts';

export type EntityFilter = {
  /** A part of a name; null for all. */
  readonly text: string | null;
  readonly entityType: string | null;
  readonly tags: readonly string[];
  readonly projectIds: readonly number[] | null;
  readonly limit: number;
  readonly offset: number;
};

/** Throws `invalid_input` for a blank text; one without a letter or digit finds nothing (rule 1 of the contract). */
export async function listedEntities(deps: GraphDeps, filter: EntityFilter, context: CallContext) {
  const { text, limit, offset } = filter;
  if (text !== null && isBlank(text)) throw invalidField('query', '`query`: must not be blank: give a part of a name.');
  const isAskable = text === null || /[\p{L}\p{N}]/u.test(text);
  const { ids, total } = isAskable
    ? await deps.reader.ask('entityPage', {
        userId: context.userId,
        text: text === null ? null : foldName(text),
        entityType: filter.entityType,
        tagKeys: filter.tags.map(foldLabel),
        projectIds: filter.projectIds,
        limit,
        offset,
      })
    : { ids: [], total: 0 };
  const { db } = deps.database;
  const rows = await entitiesByIds(db, context.userId, ids);
  const projects = await linkedIdsOf(db, 'entity', ids, 'project');
  const entities = ids.flatMap((id) => {
    const row = rows.get(id);
    return row === undefined ? [] : [entityToSummary(row, projects.get(id) ?? [])];
  });
  return { entities, ...pageOf({ limit, offset }, entities.length, total) };
}
