// The door of the projects room: names to projects for the rooms above, and the operations that repair split names.
import type { CallContext } from '#daemon/kernel/context.ts';
import type { Operation } from '#daemon/kernel/operation.ts';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { ProjectDeps } from './merge-projects.ts';
import { findOrMake, nearNames } from './name-project.ts';
import { foldName } from './project-name.ts';
import { projectsOperations } from './projects.operations.ts';
import { type Project, projectByName, projectsByIds, recentProjects } from './projects.repository.ts';

export type { ProjectFollower } from './follow.ts';
export { foldName } from './project-name.ts';
export type { Project } from './projects.repository.ts';
export { repositoryKey } from './repository-key.ts';
export { createProjectResolver, type ProjectResolver, type ResolvedProject } from './resolve-project.ts';

export type Projects = {
  /** The folded name: equal for every spelling of one name. */
  nameKey(name: string): string;
  /** The id of the project a name or alias stands for, or null. */
  idByName(db: Queries, userId: number, name: string): Promise<number | null>;
  /** The name a project is shown by: its own where `name` is an alias or another spelling, else `name` itself. */
  shownName(db: Queries, userId: number, name: string): Promise<string>;
  /** A user's projects by id; ids of others are absent. */
  byIds(db: Queries, userId: number, ids: readonly number[]): Promise<Map<number, Project>>;
  /** The id of the project of that name, made and logged in the caller's transaction on first use. */
  ensure(trx: Trx, context: CallContext, name: string): Promise<number>;
  /** Up to five names that a name may mean, best first. */
  near(db: Queries, userId: number, name: string): Promise<string[]>;
  /** Projects that hold memories, the last saved to first. */
  recent(db: Queries, userId: number, limit: number): Promise<Project[]>;
  readonly operations: readonly Operation[];
};

export function createProjects(deps: ProjectDeps): Projects {
  return {
    nameKey: foldName,
    idByName: async (db, userId, name) => (await projectByName(db, userId, name))?.id ?? null,
    shownName: async (db, userId, name) => (await projectByName(db, userId, name))?.name ?? name.trim(),
    byIds: projectsByIds,
    ensure: async (trx, context, name) => (await findOrMake(trx, context, deps.clock, name)).project.id,
    near: nearNames,
    recent: recentProjects,
    operations: projectsOperations(deps),
  };
}
