// Search in stages: recognition (one hybrid search, the top 50 scored), recall (whole records; finds of other projects), association.
// Retrieval gives ids and numbers; rows are read once; accesses are counted after the answer.

import type { CallContext } from '#daemon/kernel/context.ts';
import { scoreOf } from '#daemon/retrieval/score.ts';
import { projectIdsByMemory } from '#daemon/storage/memory-projects.ts';
import type { ScopeFilter } from '#daemon/storage/search-types.ts';
import { isBlank } from '#shared/contract/common.ts';
import { LociError } from '#shared/errors.ts';
import { searchAsOf } from './as-of.ts';
import { associate } from './associate.ts';
import type { MemoryDeps } from './deps.ts';
import { memoriesByIds, standingsByIds } from './memories.repository.ts';
import { hasWord, isLive, type Memory } from './memory.ts';
import { type Found, filterOf, type Scored, type SearchAnswer, type SearchRequest } from './search-request.ts';

/** How many retrieved things are scored. */
const maxScored = 50;
/** How many projects a hint names. */
const maxNamed = 5;
/** Memories of the caller's own project win among near-equals by this much. */
const homeAdvantage = 1.02;

/** Finds memories for a query in plain words. Throws `invalid_input` for a blank one; one without a letter or digit finds nothing. */
export async function searchMemories(
  deps: MemoryDeps,
  request: SearchRequest,
  context: CallContext,
): Promise<SearchAnswer> {
  if (isBlank(request.query)) {
    throw new LociError('invalid_input', '`query`: must not be blank: say what you want to know.', {
      query: 'must not be blank',
    });
  }
  if (!hasWord(request.query)) return { found: [], related: [], degraded: [], hint: null };
  const { db } = deps.database;
  const homeName = request.project ?? (await deps.resolver.resolve(context.folder)).name;
  const homeId = homeName === null ? null : await deps.projects.idByName(db, context.userId, homeName);
  if (request.project !== null && homeId === null) return nothingInProject(deps, request, context);

  const projectId = request.project === null ? null : homeId;
  if (request.asOfMs !== null) return searchAsOf(deps, request, { asOfMs: request.asOfMs, projectId }, context);
  const filter = filterOf(request, context, projectId);
  const nowMs = deps.clock.now();
  const isShown = (memory: Memory): boolean => request.includeArchived || isLive(memory, nowMs);
  const here = await retrieveScored(deps, request, filter, homeId, context);
  const elsewhere =
    request.project !== null && request.depth > 1
      ? await retrieveScored(deps, request, { ...filter, projectIds: null }, homeId, context)
      : null;
  const placed = placeOthers(here.scored, elsewhere?.scored.filter((item) => item.crossProject) ?? [], request.limit);
  const found = await wholeOf(deps, placed, context);
  const related = request.depth === 3 ? await associate(deps, found, filter, isShown, context) : [];
  if (request.depth > 1)
    deps.accesses.count(
      found.map((item) => item.memory.id),
      context,
    );
  const hint = found.length === 0 && request.project !== null ? await hintFor(deps, request, context) : null;
  return { found, related, degraded: here.degraded, hint };
}

async function retrieveScored(
  deps: MemoryDeps,
  request: SearchRequest,
  filter: ScopeFilter,
  homeId: number | null,
  context: CallContext,
): Promise<{ scored: Scored[]; degraded: readonly string[] }> {
  const { hits, degraded } = await deps.retrieval.retrieve({
    text: request.query,
    filter,
    mode: request.mode,
    limit: Math.max(maxScored, request.limit),
    ...(request.explain ? { explain: true } : {}),
    signal: context.signal ?? undefined,
  });
  const ids = hits.map((hit) => hit.id);
  const standings = await standingsByIds(deps.database.db, context.userId, ids);
  const projects = homeId === null ? null : await projectIdsByMemory(deps.database.db, ids);
  const nowMs = deps.clock.now();
  const scored = hits.flatMap((hit): Scored[] => {
    const memory = standings.get(hit.id);
    if (memory === undefined || !(request.includeArchived || isLive(memory, nowMs))) return [];
    const projectIds = projects?.get(hit.id) ?? [];
    const crossProject = homeId !== null && projectIds.length > 0 && !projectIds.includes(homeId);
    const score = scoreOf(hit.relevance, memory, deps.settings, nowMs);
    return [{ hit, crossProject, score }];
  });
  return { scored: scored.sort((a, b) => weight(b) - weight(a) || a.hit.id - b.hit.id), degraded };
}

/** With the memories themselves; one that was erased since it was found is left out. */
async function wholeOf(deps: MemoryDeps, placed: readonly Scored[], context: CallContext): Promise<Found[]> {
  const ids = placed.map((item) => item.hit.id);
  const memories = await memoriesByIds(deps.database.db, context.userId, ids);
  return placed.flatMap((item) => {
    const memory = memories.get(item.hit.id);
    return memory === undefined ? [] : [{ ...item, memory }];
  });
}

function weight({ score, crossProject }: Scored): number {
  return crossProject ? score.score : score.score * homeAdvantage;
}

/**
 * A named project comes first. From depth 2, at most a third of the places go to finds of other projects,
 * and only to those that are more relevant than what they displace.
 */
function placeOthers(here: readonly Scored[], others: readonly Scored[], limit: number): Scored[] {
  const placed = here.slice(0, limit);
  let guests = Math.max(1, Math.floor(limit / 3));
  for (const other of others) {
    if (guests === 0) break;
    const weakest = placed.findLast((item) => !item.crossProject);
    if (placed.length < limit) placed.push(other);
    else if (limit > 1 && weakest !== undefined && other.score.score > 1.5 * weakest.score.score) {
      placed.splice(placed.indexOf(weakest), 1);
      placed.push(other);
    } else break;
    guests -= 1;
  }
  return placed;
}

async function nothingInProject(deps: MemoryDeps, request: SearchRequest, context: CallContext): Promise<SearchAnswer> {
  return { found: [], related: [], degraded: [], hint: await hintFor(deps, request, context) };
}

/** Names the projects with near names and those where the words are found; else the ones that hold memories. */
async function hintFor(deps: MemoryDeps, request: SearchRequest, context: CallContext): Promise<string> {
  const { db } = deps.database;
  const project = request.project as string;
  const near = (await deps.projects.near(db, context.userId, project)).filter((name) => name !== project);
  const holding = (await projectsWithWords(deps, request, context)).filter((name) => name !== project);
  const nothing = `Nothing found in project "${project}"`;
  if (near.length + holding.length === 0) {
    const recent = (await deps.projects.recent(db, context.userId, maxNamed)).map((item) => item.name);
    if (recent.length === 0) return `${nothing}; no project holds memories yet.`;
    return `${nothing}. Projects with memories are ${quotedList(recent)}; leave project out to search everywhere.`;
  }
  const parts = [
    ...(near.length === 0 ? [] : [`Near names are ${quotedList(near)}`]),
    ...(holding.length === 0 ? [] : [`Words of the query are found in ${quotedList(holding)}`]),
  ];
  return `${nothing}. ${parts.join('. ')}; leave project out to search everywhere.`;
}

/** Names of the projects of what the query finds by its words, wherever it is, best first. */
async function projectsWithWords(deps: MemoryDeps, request: SearchRequest, context: CallContext): Promise<string[]> {
  const { db } = deps.database;
  const { hits } = await deps.retrieval.retrieve({
    text: request.query,
    filter: filterOf(request, context, null),
    mode: 'keyword',
    limit: maxScored,
    signal: context.signal ?? undefined,
  });
  const byMemory = await projectIdsByMemory(
    db,
    hits.map((hit) => hit.id),
  );
  const ids = [...new Set(hits.flatMap((hit) => byMemory.get(hit.id) ?? []))].slice(0, maxNamed);
  const projects = await deps.projects.byIds(db, context.userId, ids);
  return ids.flatMap((id) => projects.get(id)?.name ?? []);
}

function quotedList(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
