// From the words of the knowledge catalogue to a draft or a patch of the one record.

import type { CallContext } from '#daemon/kernel/context.ts';
import type { createMemory, updateNote } from '#shared/contract/knowledge/memories.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import type { Attachments } from '../attachments.ts';
import type { MemoryDeps } from '../deps.ts';
import { defaultTier, type Memory, type MemoryDraft } from '../memory.ts';
import { emptyDraft } from '../new-draft.ts';
import type { Patch } from '../update.ts';

type CreateInput = ParsedInputOf<typeof createMemory>;
type UpdateInput = ParsedInputOf<typeof updateNote>;

export function noteInputToDraft(deps: MemoryDeps, input: CreateInput, context: CallContext): MemoryDraft {
  const base = emptyDraft(context, deps.clock.now());
  const confidence = input.confidence ?? base.confidence;
  return {
    ...base,
    title: input.title.trim(),
    content: input.content,
    context: input.context === '' ? null : input.context,
    concepts: input.keywords,
    tags: input.tags,
    importance: input.importance,
    files: input.source_files ?? [],
    confidence,
    tier: defaultTier(base.provenance, confidence),
    sourceRepo: input.source_repo ?? null,
    sourceUrl: input.source_url ?? null,
    encodingAgent: input.encoding_agent ?? base.encodingAgent,
    encodingVersion: input.encoding_version ?? base.encodingVersion,
    agentId: input.agent_id ?? base.agentId,
    agentVersion: input.agent_version ?? base.agentVersion,
    agentModel: input.agent_model ?? base.agentModel,
  };
}

export function notePatch(input: UpdateInput): Patch {
  return {
    action: 'updated',
    projectIds: input.project_ids,
    attachments: attachmentsFrom(input),
    apply: (present) => apply(present, input),
  };
}

function apply(present: Memory, input: UpdateInput): MemoryDraft {
  const given = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value);
  const confidence = input.confidence === null ? 0.5 : given(input.confidence, present.confidence);
  return {
    ...present,
    title: given(input.title, present.title),
    content: given(input.content, present.content),
    context: input.context === '' ? null : given(input.context, present.context),
    concepts: given(input.keywords, [...present.concepts]),
    tags: given(input.tags, [...present.tags]),
    importance: given(input.importance, present.importance),
    files: input.source_files === null ? [] : given(input.source_files, [...present.files]),
    confidence,
    tier: input.confidence === undefined ? present.tier : defaultTier(present.provenance, confidence),
    sourceRepo: given(input.source_repo, present.sourceRepo),
    sourceUrl: given(input.source_url, present.sourceUrl),
    encodingAgent: given(input.encoding_agent, present.encodingAgent),
    encodingVersion: given(input.encoding_version, present.encodingVersion),
    agentId: given(input.agent_id, present.agentId),
    agentVersion: given(input.agent_version, present.agentVersion),
    agentModel: given(input.agent_model, present.agentModel),
  };
}

/** The kinds that the input names; absent ones are left alone. */
export function attachmentsFrom(input: {
  document_ids?: readonly number[] | undefined;
  code_artifact_ids?: readonly number[] | undefined;
  file_ids?: readonly number[] | undefined;
  skill_ids?: readonly number[] | undefined;
}): Attachments {
  return {
    document: input.document_ids,
    code_artifact: input.code_artifact_ids,
    file: input.file_ids,
    skill: input.skill_ids,
  };
}
