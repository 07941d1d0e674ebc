// What was known at a time: each memory as its version of then, if it was recorded, active and valid then.
// The index holds present texts alone, so memories that said something else then are looked for in the history by their words.
import type { CallContext } from '#daemon/kernel/context.ts';
import { scoreOf } from '#daemon/retrieval/score.ts';
import type { MemoryDeps } from './deps.ts';
import { type Version, versionsAt } from './history.repository.ts';
import { memoriesByIds } from './memories.repository.ts';
import type { Memory } from './memory.ts';
import type { Found, SearchAnswer, SearchRequest } from './search-request.ts';
import { filterOf } from './search-request.ts';

const candidates = 200;

/** Memories as they were at `asOfMs`, best first. Does not count as an access: the past is not used, it is looked at. */
export async function searchAsOf(
  deps: MemoryDeps,
  request: SearchRequest,
  where: { asOfMs: number; projectId: number | null },
  context: CallContext,
): Promise<SearchAnswer> {
  const { db } = deps.database;
  const filter = { ...filterOf({ ...request, includeArchived: true }, context, null), types: null };
  const [present, past] = await Promise.all([
    deps.retrieval.retrieve({
      text: request.query,
      filter,
      mode: request.mode,
      limit: candidates,
      ...(request.explain ? { explain: true } : {}),
      signal: context.signal ?? undefined,
    }),
    request.mode === 'vector'
      ? { hits: [] }
      : deps.reader.ask('historyCandidates', {
          text: request.query,
          userId: context.userId,
          asOfMs: where.asOfMs,
          limit: candidates,
        }),
  ]);
  const hits = new Map(present.hits.map((hit) => [hit.id, hit]));
  for (const { id, coverage } of past.hits) {
    if ((hits.get(id)?.relevance ?? 0) >= coverage) continue;
    hits.set(id, {
      kind: 'memory',
      id,
      rev: 0,
      relevance: coverage,
      similarity: null,
      keyword: coverage,
      coverage,
      matchedWords: 0,
      fused: coverage,
      passage: null,
    });
  }
  const rows = await memoriesByIds(db, context.userId, [...hits.keys()]);
  const versions = await versionsAt(db, [...hits.keys()], where.asOfMs);
  const found = [...hits.values()].flatMap((hit): Found[] => {
    const row = rows.get(hit.id);
    const memory = row === undefined ? null : memoryAt(row, versions.get(hit.id), where.asOfMs);
    if (memory === null || !isWanted(memory, request, where.projectId)) return [];
    const score = scoreOf(hit.relevance, memory, deps.settings, where.asOfMs);
    return [{ memory, hit, score, crossProject: false }];
  });
  found.sort((a, b) => b.score.score - a.score.score || a.memory.id - b.memory.id);
  return { found: found.slice(0, request.limit), related: [], degraded: present.degraded, hint: null };
}

/** The memory as it was at a time; null when it was not recorded, not active or not valid then. */
export function memoryAt(present: Memory, version: Version | undefined, asOfMs: number): Memory | null {
  if (present.createdAtMs > asOfMs) return null;
  const then = present.updatedAtMs <= asOfMs || version === undefined ? present : asVersion(present, version);
  if (then.updatedAtMs > asOfMs || then.status !== 'active') return null;
  if (then.expiresAtMs !== null && then.expiresAtMs <= asOfMs) return null;
  if (then.validFromMs !== null && then.validFromMs > asOfMs) return null;
  return then.validToMs !== null && then.validToMs <= asOfMs ? null : then;
}

function asVersion(present: Memory, version: Version): Memory {
  const { projectIds, ...draft } = version.snapshot;
  return { ...present, ...draft, projectIds, updatedAtMs: version.recordedFromMs };
}

function isWanted(memory: Memory, { type }: SearchRequest, projectId: number | null): boolean {
  return (type === null || memory.type === type) && (projectId === null || memory.projectIds.includes(projectId));
}
