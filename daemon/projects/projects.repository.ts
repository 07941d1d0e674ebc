// Every SQL statement of the projects room. Names are compared folded (`foldName`); the counters of a project are kept by the
// triggers of memory_projects, so links are inserted and deleted, never updated in place.

import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { newUid } from '#daemon/kernel/ids.ts';
import { isOfUser } from '#daemon/storage/of-user.ts';
import type { Database, Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { ProjectsTable } from '#daemon/storage/tables/things.ts';
import { countThings } from '#daemon/storage/thing-counts.ts';
import type { ProjectDraft } from './project-draft.ts';
import { foldName } from './project-name.ts';

export type Project = Selectable<ProjectsTable>;

/** The project a name stands for: the oldest active one of that name, else the one it is an alias of, else the oldest of any status. */
export async function projectByName(db: Queries, userId: number, name: string): Promise<Project | null> {
  const named = await projectsByName(db, userId, name);
  const active = named.find((project) => project.status === 'active');
  return active ?? (await projectByAlias(db, userId, name)) ?? named[0] ?? null;
}

/** Every project of a name, oldest first. */
export async function projectsByName(db: Queries, userId: number, name: string): Promise<Project[]> {
  const rows = await db
    .selectFrom('projects')
    .selectAll()
    .where('user_id', '=', userId)
    .where('name_key', '=', foldName(name))
    .execute();
  // sorted here: the planner would walk all projects by their age to spare itself the sorting of these few
  return rows.sort((a, b) => a.created_at - b.created_at || a.id - b.id);
}

async function projectByAlias(db: Queries, userId: number, alias: string): Promise<Project | null> {
  const row = await db
    .selectFrom('project_aliases')
    .innerJoin('projects', 'projects.id', 'project_aliases.project_id')
    .selectAll('projects')
    .where('project_aliases.user_id', '=', userId)
    .where('project_aliases.alias_key', '=', foldName(alias))
    .executeTakeFirst();
  return row ?? null;
}

/** A user's projects by id; ids of others are absent. */
export async function projectsByIds(
  db: Queries,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, Project>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('projects').selectAll().where('id', 'in', ids).where(isOfUser(userId)).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function insertProject(
  trx: Trx,
  given: {
    readonly userId: number;
    readonly nowMs: number;
    readonly draft: Pick<ProjectDraft, 'name' | 'name_key'> & Partial<ProjectDraft>;
  },
): Promise<Project> {
  return trx
    .insertInto('projects')
    .values({
      ...given.draft,
      uid: newUid(given.nowMs),
      user_id: given.userId,
      created_at: given.nowMs,
      updated_at: given.nowMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export type ProjectPage = { readonly projects: Project[]; readonly total: number };

export async function updateProjectRow(trx: Trx, id: number, draft: ProjectDraft, nowMs: number): Promise<Project> {
  return trx
    .updateTable('projects')
    .set({ ...draft, updated_at: nowMs })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export type ProjectFilter = {
  readonly name?: string | undefined;
  readonly status?: string | undefined;
  readonly projectType?: string | undefined;
  /** A repository's identity. */
  readonly repositoryKey?: string | null | undefined;
  readonly limit: number;
  readonly offset: number;
};

/** Projects newest first: whose name contains a text literally, in any case; whose other columns are equal. */
export async function listProjects(
  { db, scans }: Pick<Database, 'db' | 'scans'>,
  userId: number,
  filter: ProjectFilter,
): Promise<ProjectPage> {
  const { name, status, projectType, repositoryKey } = filter;
  const isPlain = (name ?? '') === '' && [status, projectType, repositoryKey].every((wanted) => wanted === undefined);
  let matching = (isPlain ? db : scans).selectFrom('projects').where('user_id', '=', userId);
  if (name !== undefined && name !== '') {
    matching = matching.where(sql<boolean>`name_key LIKE ${containing(foldName(name))} ESCAPE '\\'`);
  }
  if (status !== undefined) matching = matching.where('status', '=', status);
  if (projectType !== undefined) matching = matching.where('project_type', '=', projectType);
  if (repositoryKey !== undefined) matching = matching.where('repo_key', '=', repositoryKey);
  const projects = await matching
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  if (isPlain) return { projects, total: await countThings(db, userId, 'project') };
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { projects, total: Number(total) };
}

/** A LIKE pattern in which `%`, `_` and `\` of the text stand for themselves. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** Projects that hold memories, the last saved to first. */
export async function recentProjects(db: Queries, userId: number, limit: number): Promise<Project[]> {
  return db
    .selectFrom('projects')
    .selectAll()
    .where('user_id', '=', userId)
    .where('memory_count', '>', 0)
    .orderBy('last_saved_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Names and their folded keys, the last saved to first; what near names are looked for among. */
export async function projectNames(
  db: Queries,
  userId: number,
  limit: number,
): Promise<{ name: string; key: string }[]> {
  return db
    .selectFrom('projects')
    .select(['name', 'name_key as key'])
    .where('user_id', '=', userId)
    .orderBy('last_saved_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Other names of a project, in alphabetical order. */
export async function aliasesOf(db: Queries, projectId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('project_aliases')
    .select('alias')
    .where('project_id', '=', projectId)
    .orderBy('alias_key')
    .execute();
  return rows.map((row) => row.alias);
}

/** Makes `alias` stand for the project, whatever it stood for before. Answers whether that changed anything. */
export async function setAlias(trx: Trx, userId: number, alias: string, projectId: number): Promise<boolean> {
  const key = foldName(alias);
  const before = await trx
    .selectFrom('project_aliases')
    .select('project_id')
    .where('user_id', '=', userId)
    .where('alias_key', '=', key)
    .executeTakeFirst();
  if (before?.project_id === projectId) return false;
  await trx
    .insertInto('project_aliases')
    .values({ user_id: userId, alias_key: key, alias: alias.trim(), project_id: projectId })
    .onConflict((conflict) => conflict.columns(['user_id', 'alias_key']).doUpdateSet({ project_id: projectId }))
    .execute();
  return true;
}

export async function moveAliases(trx: Trx, fromId: number, intoId: number): Promise<void> {
  await trx.updateTable('project_aliases').set({ project_id: intoId }).where('project_id', '=', fromId).execute();
}

export async function deleteProject(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('projects').where('id', '=', id).execute();
}

export async function setDescription(trx: Trx, id: number, description: string, nowMs: number): Promise<void> {
  await trx.updateTable('projects').set({ description, updated_at: nowMs }).where('id', '=', id).execute();
}
