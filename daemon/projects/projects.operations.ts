import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { createKeyedMutex } from '#daemon/kernel/keyed-mutex.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { type ChangeRow, changeToEvent, recordChanges } from '#daemon/storage/change-log.ts';
import { aliasProject, listProjects, mergeProjects } from '#shared/contract/projects.ts';
import { LociError } from '#shared/errors.ts';
import { type MergeDeps, mergeProjects as merge } from './merge-projects.ts';
import { requireProject } from './name-project.ts';
import { foldName } from './project-name.ts';
import { aliasesOf, listProjects as listed, type Project, projectsByName, setAlias } from './projects.repository.ts';

export function projectsOperations(deps: MergeDeps): Operation[] {
  const mutex = createKeyedMutex();
  return [
    implement(listProjects, async ({ name, limit, offset }, context) => {
      const { projects, total } = await listed(deps.database.db, context.userId, { name, limit, offset });
      const has_more = offset + projects.length < total;
      return { projects: projects.map(projectToSummary), total_count: total, total, has_more };
    }),
    implement(aliasProject, (input, context) => alias(deps, context, input)),
    // one after the other: what one merges into, another may be dissolving
    implement(mergeProjects, (input, context) => mutex.run(['merge'], () => merge(deps, context, input))),
  ];
}

function projectToSummary(project: Project) {
  const { id, name, project_type, status, memory_count, created_at, updated_at } = project;
  return { id, name, project_type, status, memory_count, created_at: toUtc(created_at), updated_at: toUtc(updated_at) };
}

/** Refuses an alias under which memories of their own are kept: they would be hidden, so the two must be merged. */
async function alias(deps: MergeDeps, context: CallContext, given: { readonly name: string; readonly alias: string }) {
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
