// From the words of an update to a patch: absent leaves alone, null clears, [] empties.
import type { memoryUpdate } from '#shared/contract/lifecycle.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import type { MemoryDeps } from './deps.ts';
import { checkValidity, defaultTier, expiryOf, instantToMs, type Memory, type MemoryDraft } from './memory.ts';
import { expiryFields } from './new-draft.ts';
import type { Patch } from './update.ts';

type Input = ParsedInputOf<typeof memoryUpdate>;

export function inputToPatch(deps: Pick<MemoryDeps, 'clock'>, input: Input): Patch {
  return {
    action: actionOf(input),
    project: input.project,
    supersedes: input.supersedes,
    apply: (present) => apply(present, input, deps.clock.now()),
  };
}

function actionOf({ status }: Input): string {
  if (status === 'archived') return 'archived';
  if (status === 'obsolete') return 'obsoleted';
  return status === 'active' ? 'restored' : 'updated';
}

function apply(present: Memory, input: Input, nowMs: number): MemoryDraft {
  const given = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value);
  const instant = (value: string | null | undefined, old: number | null): number | null =>
    value === undefined ? old : instantToMs(value);
  const confidence = given(input.confidence, present.confidence);
  const provenance = given(input.provenance, present.provenance);
  const retrusted = input.confidence !== undefined || input.provenance !== undefined;
  const status = given(input.status, present.status);
  const expires = input.expires_at !== undefined || input.expires_days !== undefined;
  const revived = status === 'active' && present.status !== 'active';
  const draft: MemoryDraft = {
    ...present,
    title: given(input.title, present.title),
    content: given(input.content, present.content),
    context: given(input.context, present.context),
    problem: given(input.problem, present.problem),
    solution: given(input.solution, present.solution),
    concepts: given(input.concepts, [...present.concepts]),
    tags: given(input.tags, [...present.tags]),
    files: given(input.files, [...present.files]),
    type: given(input.type, present.type),
    status,
    importance: given(input.importance, present.importance),
    confidence,
    provenance,
    tier: input.tier ?? (retrusted ? defaultTier(provenance, confidence) : present.tier),
    sourceRepo: given(input.source_repo, present.sourceRepo),
    sourceUrl: given(input.source_url, present.sourceUrl),
    encodingAgent: given(input.encoding_agent, present.encodingAgent),
    encodingVersion: given(input.encoding_version, present.encodingVersion),
    agent: given(input.agent, present.agent),
    session: given(input.session, present.session),
    sequence: given(input.sequence, present.sequence),
    author: given(input.author, present.author),
    pinned: given(input.pinned, present.pinned),
    occurredAtMs: instantToMs(input.occurred_at) ?? present.occurredAtMs,
    validFromMs: instant(input.valid_from, present.validFromMs),
    validToMs: instant(input.valid_to, present.validToMs),
    expiresAtMs: expires ? expiryOf(expiryFields(input), nowMs) : present.expiresAtMs,
    obsoleteReason: revived ? null : present.obsoleteReason,
    supersededBy: revived ? null : present.supersededBy,
    metadata: given(input.metadata, present.metadata as Record<string, unknown>),
  };
  checkValidity(draft.validFromMs, draft.validToMs);
  return draft;
}
