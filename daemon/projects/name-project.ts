// From a name to a project: found, made on first use, or refused with the names that are near.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { type ChangeRow, recordChanges } from '#daemon/storage/change-log.ts';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import { nearest } from '#shared/nearest.ts';
import { foldName, projectNotFound } from './project-name.ts';
import { projectToLogged } from './project-words.ts';
import { insertProject, type Project, projectByName, projectNames } from './projects.repository.ts';

export type FoundOrMade = { readonly project: Project; readonly changes: readonly ChangeRow[] };

/** Near names are looked for among this many projects, the last saved to first. */
const maxCompared = 2_000;
const maxNear = 5;

/** The project a name stands for; made (active, type `development`, empty description) when there is none. */
export async function findOrMake(trx: Trx, context: CallContext, clock: Clock, name: string): Promise<FoundOrMade> {
  const found = await projectByName(trx, context.userId, name);
  if (found !== null) return { project: found, changes: [] };
  const draft = { name: name.trim(), name_key: foldName(name) };
  const project = await insertProject(trx, { userId: context.userId, nowMs: clock.now(), draft });
  const changes = await recordChanges(trx, context, clock, [
    { kind: 'project', thingId: project.id, action: 'created', snapshot: projectToSnapshot(project) },
  ]);
  return { project, changes };
}

/** The project a name stands for. Throws `not_found` that names the near ones; `field` is the input field of the name. */
export async function requireProject(db: Queries, userId: number, field: string, name: string): Promise<Project> {
  const project = await projectByName(db, userId, name);
  if (project === null) throw projectNotFound(field, name, await nearNames(db, userId, name));
  return project;
}

/** Names that a misspelt or shortened name may mean, best first: the same last part, then one within the other, then few edits away. */
export async function nearNames(db: Queries, userId: number, name: string): Promise<string[]> {
  const names = await projectNames(db, userId, maxCompared);
  const wanted = foldName(name);
  const others = names.filter(({ key }) => key !== wanted);
  const alike = others.filter(({ key }) => lastPart(key) === lastPart(wanted));
  const within = others.filter(({ key }) => wanted !== '' && (key.includes(wanted) || wanted.includes(key)));
  const misspelt = nearest(
    lastPart(wanted),
    others.map(({ key }) => lastPart(key)),
  );
  const close = others.filter(({ key }) => lastPart(key) === misspelt);
  return [...new Set([...alike, ...within, ...close].map((entry) => entry.name))].slice(0, maxNear);
}

/** What the change log keeps of a project that is born or gone. */
export function projectToSnapshot(project: Project): Record<string, unknown> {
  return { id: project.id, uid: project.uid, ...projectToLogged(project) };
}

function lastPart(key: string): string {
  return key.split('/').at(-1) ?? key;
}
