import type { CallContext } from '#daemon/kernel/context.ts';
import { createKeyedMutex } from '#daemon/kernel/keyed-mutex.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { type ChangeRow, changeToEvent, recordChanges } from '#daemon/storage/change-log.ts';
import {
  aliasProject,
  createProject,
  deleteProject,
  getProject,
  listProjects,
  mergeProjects,
  updateProject,
} from '#shared/contract/projects.ts';
import { LociError } from '#shared/errors.ts';
import { deleteProject as erase } from './delete-project.ts';
import { changeProject, makeProject, projectById } from './keep-project.ts';
import { mergeProjects as merge, type ProjectDeps } from './merge-projects.ts';
import { requireProject } from './name-project.ts';
import { repositoryOf } from './project-draft.ts';
import { foldName } from './project-name.ts';
import { projectToSummary, projectToWords } from './project-words.ts';
import { aliasesOf, listProjects as listed, projectsByName, setAlias } from './projects.repository.ts';
import { repositoryKey } from './repository-key.ts';

export function projectsOperations(deps: ProjectDeps): Operation[] {
  const mutex = createKeyedMutex();
  return [
    implement(createProject, (input, context) => makeProject(deps, input, context, projectToWords)),
    implement(getProject, async (input, context) =>
      projectToWords(await projectById(deps.database.db, context.userId, idOf(input))),
    ),
    implement(listProjects, async (input, context) => {
      const { name, status, project_type, limit, offset } = input;
      const repository = repositoryOf(input);
      const { projects, total } = await listed(deps.database, context.userId, {
        name,
        status,
        projectType: project_type,
        repositoryKey: repository === undefined ? undefined : repositoryKey(repository),
        limit,
        offset,
      });
      const has_more = offset + projects.length < total;
      const count = projects.length;
      const page = { total_count: total, total, limit, offset, has_more };
      return { projects: projects.map(projectToSummary), count, name_filter: name ?? null, ...page };
    }),
    implement(updateProject, (input, context) => changeProject(deps, idOf(input), input, context, projectToWords)),
    implement(deleteProject, (input, context) =>
      erase(deps, { id: idOf(input), erasePlans: input.cascade_plans }, context, (id) => ({
        success: true,
        deleted_id: id,
        project_id: id,
      })),
    ),
    implement(aliasProject, (input, context) => alias(deps, context, input)),
    // one after the other: what one merges into, another may be dissolving
    implement(mergeProjects, (input, context) => mutex.run(['merge'], () => merge(deps, context, input))),
  ];
}

/** `project_id` or its short name `id`. Throws `invalid_input` for neither, and for two that differ. */
function idOf(input: { readonly project_id?: number | undefined; readonly id?: number | undefined }): number {
  const { project_id: projectId, id } = input;
  const given = projectId ?? id;
  if (given === undefined) {
    throw new LociError('invalid_input', '`project_id` is required.', { project_id: 'is required' });
  }
  if (id !== undefined && id !== given) {
    throw new LociError('invalid_input', '`id` and `project_id` differ: give one of them.', { id: 'differs' });
  }
  return given;
}

/** Refuses an alias under which memories of their own are kept: they would be hidden, so the two must be merged. */
async function alias(
  deps: ProjectDeps,
  context: CallContext,
  given: { readonly name: string; readonly alias: string },
) {
  const log: ChangeRow[] = [];
  const answer = await deps.database.write(context, async (trx) => {
    const project = await requireProject(trx, context.userId, 'name', given.name);
    const holder = (await projectsByName(trx, context.userId, given.alias)).find((other) => other.id !== project.id);
    if (holder !== undefined) {
      throw new LociError('conflict', 'A project of that name exists: merge the two with `merge_projects`.', {
        alias: 'is the name of a project',
        id: holder.id,
      });
    }
    const isOwnName = foldName(given.alias) === foldName(project.name);
    if (!isOwnName && (await setAlias(trx, context.userId, given.alias, project.id))) {
      const metadata = { alias: given.alias.trim() };
      log.push(
        ...(await recordChanges(trx, context, deps.clock, [
          { kind: 'project', thingId: project.id, action: 'updated', metadata },
        ])),
      );
    }
    return { id: project.id, name: project.name, aliases: await aliasesOf(trx, project.id) };
  });
  for (const row of log) deps.events.announce(changeToEvent(row));
  return answer;
}
