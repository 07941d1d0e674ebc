// A note may name its project by id, as programs do, or by name, as people do. Unlike a save, a name that is none is refused: a typing
// error would else found a project, or search in all of them.
import type { CallContext } from '#daemon/kernel/context.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import type { MemoryDeps } from '../deps.ts';

type Named = { readonly project?: string | undefined; readonly project_ids?: readonly number[] | null | undefined };

/** The ids that an input names, undefined where it names none. Throws `not_found` for a name that no project has. */
export async function namedProjectIds(
  { database, projects }: Pick<MemoryDeps, 'database' | 'projects'>,
  input: Named,
  { userId }: CallContext,
): Promise<readonly number[] | undefined> {
  if (input.project === undefined) return input.project_ids ?? undefined;
  if ((input.project_ids ?? []).length > 0) {
    throw invalidField('project', '`project` and `project_ids` say the same: give one of them.');
  }
  const id = await projects.idByName(database.db, userId, input.project);
  if (id !== null) return [id];
  throw new LociError('not_found', `There is no project '${input.project}': list_projects shows those there are.`, {
    project: input.project,
  });
}
