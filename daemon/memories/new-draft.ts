// From the words of a save to one draft, defaults filled in. Where a client says nothing of itself, the call's context does.

import type { CallContext } from '#daemon/kernel/context.ts';
import type { SaveInput } from '#shared/contract/lifecycle.ts';
import { invalidField } from '#shared/errors.ts';
import type { MemoryDeps } from './deps.ts';
import { checkValidity, defaultConfidence, defaultTier, expiryOf, instantToMs, type MemoryDraft } from './memory.ts';
import type { SaveRequest } from './save-request.ts';

/** A draft with nothing said yet but who says it. */
export function emptyDraft(context: CallContext, nowMs: number): MemoryDraft {
  return {
    title: null,
    content: '',
    context: null,
    problem: null,
    solution: null,
    concepts: [],
    tags: [],
    files: [],
    category: null,
    key: null,
    type: 'fact',
    status: 'active',
    importance: 5,
    confidence: 0.5,
    provenance: 'save',
    tier: 'regular',
    source: null,
    sourceContext: null,
    sourceRepo: null,
    sourceUrl: null,
    encodingAgent: context.encoding.encodingAgent,
    encodingVersion: context.encoding.encodingVersion,
    agentId: context.encoding.agentId,
    agentVersion: context.encoding.agentVersion,
    agentModel: context.encoding.agentModel,
    agent: context.agent,
    session: context.session,
    sequence: null,
    author: null,
    branch: null,
    worktree: null,
    pinned: false,
    occurredAtMs: nowMs,
    validFromMs: null,
    validToMs: null,
    expiresAtMs: null,
    obsoleteReason: null,
    supersededBy: null,
    metadata: {},
  };
}

/** What `memory_save` was given, as a request to save. The project is the named one, else the one the client works in. */
export async function saveInputToRequest(
  deps: MemoryDeps,
  input: SaveInput,
  context: CallContext,
): Promise<SaveRequest> {
  const nowMs = deps.clock.now();
  const place = await deps.resolver.resolve(context.folder);
  const confidence = input.confidence ?? defaultConfidence(input.provenance);
  const validFromMs = instantToMs(input.valid_from);
  const validToMs = instantToMs(input.valid_to);
  checkValidity(validFromMs, validToMs);
  const base = emptyDraft(context, nowMs);
  const draft: MemoryDraft = {
    ...base,
    title: input.title ?? null,
    content: input.content,
    context: input.context ?? null,
    problem: input.problem ?? null,
    solution: input.solution ?? null,
    concepts: input.concepts ?? [],
    tags: input.tags ?? [],
    files: input.files ?? [],
    type: input.type,
    importance: input.importance ?? 5,
    confidence,
    provenance: input.provenance,
    tier: input.tier ?? defaultTier(input.provenance, confidence),
    sourceRepo: input.source_repo ?? null,
    sourceUrl: input.source_url ?? null,
    encodingAgent: input.encoding_agent ?? base.encodingAgent,
    encodingVersion: input.encoding_version ?? base.encodingVersion,
    agent: input.agent ?? base.agent,
    session: input.session ?? base.session,
    sequence: input.sequence ?? null,
    author: input.author ?? null,
    branch: place.branch,
    worktree: place.worktree,
    pinned: input.pinned ?? false,
    occurredAtMs: instantToMs(input.occurred_at) ?? nowMs,
    validFromMs,
    validToMs,
    expiresAtMs: expiryOf(expiryFields(input), nowMs),
    metadata: input.metadata ?? {},
  };
  if (draft.expiresAtMs !== null && draft.expiresAtMs <= nowMs)
    throw invalidField('expires_at', 'must be in the future');
  return {
    draft,
    project: input.project ?? place.name,
    supersedes: input.supersedes ?? [],
    onDuplicate: input.on_duplicate,
  };
}

/** Both expiry fields where given, neither where not. */
export function expiryFields(input: { expires_at?: string | null | undefined; expires_days?: number | undefined }) {
  return {
    ...(input.expires_at === undefined ? {} : { expires_at: input.expires_at }),
    ...(input.expires_days === undefined ? {} : { expires_days: input.expires_days }),
  };
}
