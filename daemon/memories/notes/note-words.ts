// A memory in the words of the knowledge catalogue: keywords are concepts, source files are files, and `id` has its second name.

import { toUtc } from '#daemon/kernel/clock.ts';
import type { Queries } from '#daemon/storage/sqlite.ts';
import type { Note } from '#shared/contract/knowledge/note.ts';
import { attachmentsOf } from '../attachments.ts';
import { linksOf, obsoletedAtOf } from '../memories.repository.ts';
import { cutAtWord, type Memory, shownTitle } from '../memory.ts';

/** Whole notes in their order, with a fixed number of queries; links are those that are live at `nowMs`. */
export async function memoriesToNotes(db: Queries, memories: readonly Memory[], nowMs: number): Promise<Note[]> {
  const ids = memories.map((memory) => memory.id);
  const links = await linksOf(db, ids, nowMs);
  const attached = await attachmentsOf(db, ids);
  const obsoleted = await obsoletedAtOf(db, ids);
  return memories.map((memory) => ({
    id: memory.id,
    memory_id: memory.id,
    title: shownTitle(memory),
    content: memory.content,
    context: memory.context ?? '',
    keywords: [...memory.concepts],
    tags: [...memory.tags],
    importance: memory.importance,
    project_ids: [...memory.projectIds],
    linked_memory_ids: links.get(memory.id) ?? [],
    code_artifact_ids: attached.code_artifact.get(memory.id) ?? [],
    document_ids: attached.document.get(memory.id) ?? [],
    file_ids: attached.file.get(memory.id) ?? [],
    skill_ids: attached.skill.get(memory.id) ?? [],
    source_repo: memory.sourceRepo,
    source_files: [...memory.files],
    source_url: memory.sourceUrl,
    confidence: memory.confidence,
    encoding_agent: memory.encodingAgent,
    encoding_version: memory.encodingVersion,
    agent_id: memory.agentId,
    agent_version: memory.agentVersion,
    agent_model: memory.agentModel,
    created_at: toUtc(memory.createdAtMs),
    updated_at: toUtc(memory.updatedAtMs),
    is_obsolete: memory.status !== 'active',
    obsolete_reason: memory.obsoleteReason,
    superseded_by: memory.supersededBy,
    obsoleted_at: toUtc(obsoleted.get(memory.id) ?? null),
    access_count: memory.accessCount,
    last_accessed_at: toUtc(memory.lastAccessedAtMs),
  }));
}

export async function memoryToNote(db: Queries, memory: Memory, nowMs: number): Promise<Note> {
  const [made] = await memoriesToNotes(db, [memory], nowMs);
  return made as Note;
}

const compactLength = 500;

/** The fields that matter to a model that reads many notes at once. */
export function compactNote(whole: Note): Pick<Note, 'id'> & Partial<Note> {
  const { id, title, content, keywords, tags, importance, project_ids, linked_memory_ids, updated_at } = whole;
  const short = cutAtWord(content, compactLength);
  return { id, title, content: short, keywords, tags, importance, project_ids, linked_memory_ids, updated_at };
}

/** A linked note by what is needed to decide whether to read it. */
export function titleNote({ id, title, importance }: Note): Pick<Note, 'id'> & Partial<Note> {
  return { id, title, importance };
}
