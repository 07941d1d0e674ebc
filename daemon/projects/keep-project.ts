// Projects made, changed and ended by a caller. A name may repeat; a new name leaves the old one behind as an alias, because a client
// that resolves its folder to the old name would else begin a second project, and split what belongs together.
import type { CallContext } from '#daemon/kernel/context.ts';
import { type ChangeRow, changeToEvent, recordChanges } from '#daemon/storage/change-log.ts';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import type { createProject, updateProject } from '#shared/contract/projects.ts';
import { LociError } from '#shared/errors.ts';
import type { ProjectDeps } from './merge-projects.ts';
import { projectToSnapshot } from './name-project.ts';
import { inputToProject, type ProjectDraft, patchProject, refuseSecretsIn } from './project-draft.ts';
import { projectToLogged } from './project-words.ts';
import {
  insertProject,
  type Project,
  projectsByIds,
  projectsByName,
  setAlias,
  updateProjectRow,
} from './projects.repository.ts';

/** Makes a project. Throws `rejected_by_policy` for a secret. */
export async function makeProject<Answer>(
  deps: ProjectDeps,
  input: ParsedInputOf<typeof createProject>,
  context: CallContext,
  answerOf: (project: Project) => Answer,
): Promise<Answer> {
  const draft = inputToProject(input, context.encoding);
  refuseSecretsIn(draft);
  return written(deps, context, async (trx) => {
    const project = await insertProject(trx, { userId: context.userId, nowMs: deps.clock.now(), draft });
    const log = await recordChanges(trx, context, deps.clock, [
      { kind: 'project', thingId: project.id, action: 'created', snapshot: projectToSnapshot(project) },
    ]);
    return { answer: answerOf(project), log };
  });
}

/** Changes a project in place; what changes nothing moves nothing. Throws `not_found` for an id that is not the user's. */
export async function changeProject<Answer>(
  deps: ProjectDeps,
  id: number,
  input: ParsedInputOf<typeof updateProject>,
  context: CallContext,
  answerOf: (project: Project) => Answer,
): Promise<Answer> {
  return written(deps, context, async (trx) => {
    const before = await projectById(trx, context.userId, id);
    const draft = patchProject(before, input);
    refuseSecretsIn(draft);
    const changes = differences(before, draft);
    if (Object.keys(changes).length === 0) return { answer: answerOf(before), log: [] };
    const project = await updateProjectRow(trx, id, draft, deps.clock.now());
    if (before.name_key !== project.name_key) await keepOldName(trx, before);
    const log = await recordChanges(trx, context, deps.clock, [
      { kind: 'project', thingId: id, action: 'updated', changes },
    ]);
    return { answer: answerOf(project), log };
  });
}

/** A user's project. Throws `not_found`. */
export async function projectById(db: Queries, userId: number, id: number): Promise<Project> {
  const project = (await projectsByIds(db, userId, [id])).get(id);
  if (project === undefined) throw new LociError('not_found', `Project ${id} not found.`, { id });
  return project;
}

/** Unless another project has it by right. */
async function keepOldName(trx: Trx, before: Project): Promise<void> {
  const holders = await projectsByName(trx, before.user_id, before.name);
  if (holders.length === 0) await setAlias(trx, before.user_id, before.name, before.id);
}

function differences(before: Project, draft: ProjectDraft): Record<string, { old: unknown; new: unknown }> {
  const [old, next] = [projectToLogged(before), projectToLogged(draft)];
  return Object.fromEntries(
    Object.keys(next)
      .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(next[field]))
      .map((field) => [field, { old: old[field], new: next[field] }]),
  );
}

async function written<Answer>(
  deps: ProjectDeps,
  context: CallContext,
  change: (trx: Trx) => Promise<{ readonly answer: Answer; readonly log: readonly ChangeRow[] }>,
): Promise<Answer> {
  let log: readonly ChangeRow[] = [];
  const answer = await deps.database.write(context, async (trx) => {
    const done = await change(trx);
    log = done.log;
    return done.answer;
  });
  for (const row of log) deps.events.announce(changeToEvent(row));
  return answer;
}
