// The record as every surface shows it, made for a page of memories with a fixed number of queries.
import { toUtc } from '#daemon/kernel/clock.ts';
import { decayOf } from '#daemon/retrieval/score.ts';
import type { Queries } from '#daemon/storage/sqlite.ts';
import type { MemoryRecord } from '#shared/contract/memory-record.ts';
import type { MemoryDeps } from './deps.ts';
import { entitiesOf } from './entities-of.ts';
import { countVersionsOf } from './history.repository.ts';
import { linksOf, supersededBy } from './memories.repository.ts';
import { type Memory, shownTitle } from './memory.ts';

type RecordDeps = Pick<MemoryDeps, 'projects' | 'clock' | 'settings'>;

/** Whole records of memories, in their order. */
export async function memoriesToRecords(
  deps: RecordDeps,
  db: Queries,
  memories: readonly Memory[],
): Promise<MemoryRecord[]> {
  const ids = memories.map((memory) => memory.id);
  const names = await projectNamesOf(deps, db, memories);
  const nowMs = deps.clock.now();
  const links = await linksOf(db, ids, nowMs);
  const versions = await countVersionsOf(db, ids);
  const replaced = await supersededBy(db, ids);
  const entities = await entitiesOf(db, ids);
  return memories.map((memory) => {
    const projects = memory.projectIds.map((id) => ({ id, name: names.get(id) ?? '' }));
    return {
      id: memory.id,
      uid: memory.uid,
      status: memory.status,
      type: memory.type,
      title: shownTitle(memory),
      content: memory.content,
      context: memory.context,
      problem: memory.problem,
      solution: memory.solution,
      concepts: [...memory.concepts],
      tags: [...memory.tags],
      files: [...memory.files],
      project: projects[0]?.name ?? null,
      projects,
      category: memory.category,
      key: memory.key,
      importance: memory.importance,
      confidence: memory.confidence,
      provenance: memory.provenance,
      tier: memory.tier,
      source: memory.source,
      source_context: memory.sourceContext,
      source_repo: memory.sourceRepo,
      source_url: memory.sourceUrl,
      encoding_agent: memory.encodingAgent,
      encoding_version: memory.encodingVersion,
      session: memory.session,
      sequence: memory.sequence,
      author: memory.author,
      agent: memory.agent,
      branch: memory.branch,
      worktree: memory.worktree,
      pinned: memory.pinned,
      decay: round(decayOf(memory, nowMs, deps.settings.halfLifeDays)),
      access_count: memory.accessCount,
      last_accessed_at: toUtc(memory.lastAccessedAtMs),
      created_at: toUtc(memory.createdAtMs),
      updated_at: toUtc(memory.updatedAtMs),
      occurred_at: toUtc(memory.occurredAtMs),
      valid_from: toUtc(memory.validFromMs),
      valid_to: toUtc(memory.validToMs),
      expires_at: toUtc(memory.expiresAtMs),
      obsolete_reason: memory.obsoleteReason,
      supersedes: replaced.get(memory.id) ?? [],
      superseded_by: memory.supersededBy,
      links: links.get(memory.id) ?? [],
      entities: (entities.get(memory.id) ?? []).map(({ id, name }) => ({ id, name })),
      history: versions.get(memory.id) ?? 0,
      metadata: { ...memory.metadata },
    };
  });
}

/** Names of all projects that the memories belong to, by id. */
export async function projectNamesOf(
  deps: Pick<MemoryDeps, 'projects'>,
  db: Queries,
  memories: readonly Memory[],
): Promise<Map<number, string>> {
  const [first] = memories;
  if (first === undefined) return new Map();
  const ids = [...new Set(memories.flatMap((memory) => memory.projectIds))];
  const projects = await deps.projects.byIds(db, first.userId, ids);
  return new Map([...projects].map(([id, project]) => [id, project.name]));
}

/** One whole record. */
export async function memoryToRecord(deps: RecordDeps, db: Queries, memory: Memory): Promise<MemoryRecord> {
  const [record] = await memoriesToRecords(deps, db, [memory]);
  return record as MemoryRecord;
}

/** Six decimals are enough for any factor, and keep replies short. */
export function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
