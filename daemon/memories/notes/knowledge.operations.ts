// Words of the knowledge catalogue ↔ use-cases. No rule lives here.

import { toUtc } from '#daemon/kernel/clock.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import {
  createMemory,
  getMemory,
  getRecentMemories,
  markMemoryObsolete,
  purgeNote,
  queryMemory,
  rebuildEmbeddings,
  unobsoleteMemory,
  updateNote,
} from '#shared/contract/knowledge/memories.ts';
import {
  getMemoryLinks,
  linkMemories,
  removeMemoryLink,
  unlinkMemories,
} from '#shared/contract/knowledge/memory-links.ts';
import type { MemoryDeps } from '../deps.ts';
import { purgeMemories } from '../erasure/purge.ts';
import { linkEndsOf, requireNoteId } from '../link-ends.ts';
import { instantToMs, type Memory, shownTitle } from '../memory.ts';
import { rebuildNotes } from '../rebuild.ts';
import { round } from '../record.ts';
import { changeMemory, requireMemory } from '../update.ts';
import { createNote } from './create-note.ts';
import { linkNotes, noteLinks, removeNoteLink, unlinkNotes } from './link-notes.ts';
import { attachmentsFrom, noteInputToDraft, notePatch } from './note-draft.ts';
import { namedProjectIds } from './note-projects.ts';
import { compactNote, memoriesToNotes, memoryToNote, titleNote } from './note-words.ts';
import { markObsolete, restoreObsolete } from './obsolete.ts';
import { queryNotes } from './query-notes.ts';
import { recentNotes } from './recent-notes.ts';

export function noteOperations(deps: MemoryDeps): Operation[] {
  return [...writing(deps), ...reading(deps), ...linking(deps)];
}

function writing(deps: MemoryDeps): Operation[] {
  return [
    implement(createMemory, async (input, context) => {
      const draft = noteInputToDraft(deps, input, context);
      const attachments = attachmentsFrom(input);
      const request = { draft, projectIds: (await namedProjectIds(deps, input, context)) ?? [], attachments };
      return createNote(deps, request, context, ({ memory, linkedIds, similar, obsolete, warnings }) => ({
        id: memory.id,
        memory_id: memory.id,
        title: shownTitle(memory),
        linked_memory_ids: [...linkedIds],
        project_ids: [...memory.projectIds],
        code_artifact_ids: [...(attachments.code_artifact ?? [])],
        document_ids: [...(attachments.document ?? [])],
        file_ids: [...(attachments.file ?? [])],
        skill_ids: [...(attachments.skill ?? [])],
        similar_memories: similar.map(similarToWords),
        obsolete_matches: obsolete.map(obsoleteToWords),
        warnings: [...warnings],
      }));
    }),
    implement(updateNote, async (input, context) =>
      changeMemory(deps, requireNoteId(input), notePatch(input), context, (memory, _changed, queries) =>
        memoryToNote(queries, memory, deps.clock.now()),
      ),
    ),
    implement(markMemoryObsolete, async (input, context) => {
      return markObsolete(
        deps,
        { id: requireNoteId(input), reason: input.reason, by: input.superseded_by ?? null },
        context,
      );
    }),
    implement(unobsoleteMemory, async (input, context) => restoreObsolete(deps, requireNoteId(input), context)),
    implement(purgeNote, async (input, context) => {
      const id = requireNoteId(input);
      await requireMemory(deps, id, context);
      return purgeMemories(deps, [id], context, () => ({ success: true, deleted_id: id }));
    }),
    implement(rebuildEmbeddings, async ({ memory_ids, project_id }, context) =>
      rebuildNotes(deps, { memoryIds: memory_ids ?? null, projectId: project_id ?? null }, context),
    ),
  ];
}

function reading(deps: MemoryDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(getMemory, async (input, context) => {
      const memory = await requireMemory(deps, requireNoteId(input), context);
      deps.accesses.count([memory.id], context);
      return memoryToNote(db, memory, deps.clock.now());
    }),
    implement(queryMemory, async (input, context) => {
      const projectIds = await namedProjectIds(deps, input, context);
      const found = await queryNotes(
        deps,
        {
          query: input.query,
          queryContext: input.query_context ?? '',
          k: input.k,
          linksPerPrimary: input.include_links ? input.max_links_per_primary : 0,
          importanceFrom: input.importance_threshold ?? 1,
          projectIds: projectIds === undefined || projectIds.length === 0 ? null : projectIds,
          strictProjects: input.strict_project_filter,
          tokenBudget: input.token_context_threshold ?? deps.settings.tokenBudget,
        },
        context,
      );
      const nowMs = deps.clock.now();
      const primaries = await memoriesToNotes(
        db,
        found.primaries.map((item) => item.memory),
        nowMs,
      );
      const linked = await memoriesToNotes(
        db,
        found.linked.map((item) => item.memory),
        nowMs,
      );
      return {
        query: input.query,
        primary_memories: input.compact ? primaries.map(compactNote) : primaries,
        linked_memories: linked.map((memory, index) => ({
          memory: input.compact ? titleNote(memory) : memory,
          link_source_id: found.linked[index]?.sourceId ?? 0,
        })),
        scores: found.primaries.map(({ memory, hit, rerankScore }) => ({
          memory_id: memory.id,
          similarity: hit.similarity === null ? null : round(hit.similarity),
          keyword: hit.keyword === null ? null : round(hit.keyword),
          fused: round(hit.fused),
          rerank_score: rerankScore === null ? null : round(rerankScore),
        })),
        total_count: primaries.length + linked.length,
        token_count: found.tokens,
        truncated: found.truncated,
        degraded: [...found.degraded],
      };
    }),
    implement(getRecentMemories, async (input, context) => {
      const { limit, offset } = input;
      const projectIds = await namedProjectIds(deps, input, context);
      const { memories, total } = await recentNotes(deps.database, {
        userId: context.userId,
        includeObsolete: input.include_obsolete,
        nowMs: deps.clock.now(),
        projectIds: projectIds === undefined || projectIds.length === 0 ? null : projectIds,
        tags: input.tags ?? [],
        importanceFrom: input.importance_min ?? 1,
        createdSinceMs: instantToMs(input.created_since),
        sortBy: input.sort_by,
        ascending: input.sort_order === 'asc',
        limit,
        offset,
      });
      const notes = await memoriesToNotes(db, memories, deps.clock.now());
      return { memories: notes, total_count: total, total, limit, offset, has_more: offset + notes.length < total };
    }),
  ];
}

function linking(deps: MemoryDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(linkMemories, async (input, context) => linkNotes(deps, linkEndsOf(input), context)),
    implement(unlinkMemories, async (input, context) => ({
      success: await unlinkNotes(deps, linkEndsOf(input), context),
    })),
    implement(removeMemoryLink, async ({ id, target_id }, context) => {
      await removeNoteLink(deps, id, target_id, context);
      return { success: true };
    }),
    implement(getMemoryLinks, async (input, context) => {
      const id = requireNoteId(input);
      const memories = await noteLinks(deps, id, input.limit, context);
      return {
        memory_id: id,
        linked_memories: await memoriesToNotes(db, memories, deps.clock.now()),
        total_count: memories.length,
      };
    }),
  ];
}

function similarToWords({ memory, similarity }: { memory: Memory; similarity: number }) {
  return {
    id: memory.id,
    title: shownTitle(memory),
    keywords: [...memory.concepts],
    tags: [...memory.tags],
    importance: memory.importance,
    created_at: toUtc(memory.createdAtMs),
    updated_at: toUtc(memory.updatedAtMs),
    similarity: round(similarity),
  };
}

function obsoleteToWords({ memory, similarity }: { memory: Memory; similarity: number }) {
  return {
    id: memory.id,
    title: shownTitle(memory),
    similarity: round(similarity),
    obsolete_reason: memory.obsoleteReason,
    superseded_by: memory.supersededBy,
    obsoleted_at: toUtc(memory.status === 'active' ? null : memory.updatedAtMs),
    project_ids: [...memory.projectIds],
  };
}
