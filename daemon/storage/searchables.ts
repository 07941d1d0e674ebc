// One row for every thing that can be found, whatever its kind. The keyword index follows it by triggers on the text columns alone,
// so that a change of status or project costs no reindexing.
import { wordColumns } from './dialect.ts';
import type { ThingKey } from './search-types.ts';
import type { Queries, Trx } from './sqlite.ts';

export type Searchable = ThingKey & {
  readonly userId: number;
  readonly status: string;
  readonly type: string;
  readonly projectIds: readonly number[];
  readonly session: string | null;
  readonly rev: number;
  /** How many passages the text has, and whether each has a vector of the active model. */
  readonly passages: number;
  readonly embedded: boolean;
  /** Analysed text (keyword-index.ts), a column each. */
  readonly words: { readonly title: string; readonly body: string; readonly labels: string; readonly meta: string };
  /** What ranking needs of the text and could not compute cheaply in a query. */
  readonly features: Readonly<Record<string, unknown>>;
};

/** Writes or replaces the searchable row of a thing, in the transaction of its change. */
export async function writeSearchable(trx: Trx, thing: Searchable): Promise<void> {
  const row = {
    user_id: thing.userId,
    status: thing.status,
    type: thing.type,
    projects: projectsColumn(thing.projectIds),
    session: thing.session,
    rev: thing.rev,
    passages: thing.passages,
    embedded: thing.embedded ? 1 : 0,
    ...wordColumns(trx, thing.words),
    features: JSON.stringify(thing.features),
  };
  const updated = await trx
    .updateTable('searchables')
    .set(row)
    .where('kind', '=', thing.kind)
    .where('thing_id', '=', thing.id)
    .executeTakeFirst();
  if (updated.numUpdatedRows > 0n) return;
  await trx
    .insertInto('searchables')
    .values({ kind: thing.kind, thing_id: thing.id, ...row })
    .execute();
}

/** Changes only what searches filter by: neither the keyword index nor the vectors need new text. */
export async function refileSearchable(
  trx: Trx,
  thing: Pick<Searchable, 'kind' | 'id' | 'status' | 'type' | 'projectIds' | 'rev'>,
): Promise<void> {
  await trx
    .updateTable('searchables')
    .set({ status: thing.status, type: thing.type, projects: projectsColumn(thing.projectIds), rev: thing.rev })
    .where('kind', '=', thing.kind)
    .where('thing_id', '=', thing.id)
    .execute();
}

export async function deleteSearchable(trx: Trx, thing: ThingKey): Promise<void> {
  await trx.deleteFrom('searchables').where('kind', '=', thing.kind).where('thing_id', '=', thing.id).execute();
}

/** The rev under which a thing is filed, or null. */
export async function revOf(db: Queries, thing: ThingKey): Promise<number | null> {
  const row = await db
    .selectFrom('searchables')
    .select('rev')
    .where('kind', '=', thing.kind)
    .where('thing_id', '=', thing.id)
    .executeTakeFirst();
  return row?.rev ?? null;
}

/** `,3,17,`: a project is looked for between commas, so that 3 never matches 13. */
export function projectsColumn(projectIds: readonly number[]): string {
  return projectIds.length === 0 ? ',' : `,${projectIds.join(',')},`;
}
