// Changing a memory in place. Absent leaves alone, null clears, [] empties; a patch that changes nothing is a success that moves nothing.

import type { CallContext } from '#daemon/kernel/context.ts';
import { withRemarks } from '#daemon/policies/index.ts';
import { recordChanges } from '#daemon/storage/change-log.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import { LociError } from '#shared/errors.ts';
import { type Attachments, attach, requireAttachments } from './attachments.ts';
import { commitChanges } from './commit.ts';
import type { MemoryDeps } from './deps.ts';
import { factByKey } from './facts.repository.ts';
import { keepVersion, snapshotOf } from './history.repository.ts';
import { fileMemory, refileMemory } from './index-memory.ts';
import { judgeAfter, judgeBefore, type MemoryWrite } from './judge.ts';
import { memoryById, updateMemory } from './memories.repository.ts';
import { contentHash, embeddedText, isKeyedFact, type Memory, type MemoryDraft, searchType } from './memory.ts';
import { prepareText } from './prepare-text.ts';
import { refuseSecretsIn } from './secrets.ts';
import { supersede } from './supersede.ts';

export type Patch = {
  /** Makes the new draft from the present one; throws `invalid_input` for what cannot be. */
  readonly apply: (present: Memory) => MemoryDraft;
  /** A project's name, null for none, undefined to leave the projects alone. */
  readonly project?: string | null | undefined;
  /** All projects of the memory by id, the primary one first; undefined to leave them alone. */
  readonly projectIds?: readonly number[] | undefined;
  /** What it is attached to, by kind; a kind that is absent is left alone. */
  readonly attachments?: Attachments;
  readonly supersedes?: readonly number[] | undefined;
  /** What the history calls it. */
  readonly action: string;
};

/** An answer with what the policy remarked. */
type Remarked<Answer> = Answer & { plugin_warnings?: PluginWarning[] | undefined };

/** Makes the operation's answer inside the transaction; `queries` is what it may read with. */
export type AnswerOf<Answer> = (memory: Memory, changed: boolean, queries: Trx) => Promise<Answer> | Answer;

const maxAttempts = 5;

/** Applies a patch and answers the memory as it is then. Throws `not_found` for an id that is not the user's. */
export async function changeMemory<Answer extends object>(
  deps: MemoryDeps,
  id: number,
  patch: Patch,
  context: CallContext,
  answerOf: AnswerOf<Answer>,
): Promise<Remarked<Answer>> {
  // changes of one memory wait for each other; a merge into it does not wait, so what was read is checked all the same
  return deps.mutex.run([`${context.userId}\nmemory\n${id}`], async () => {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const answer = await tryChange(deps, id, patch, context, answerOf);
      if (answer !== 'look again') return answer;
    }
    throw new LociError('conflict', `Memory ${id} is being changed by others: read it again and repeat the change.`, {
      id,
    });
  });
}

async function tryChange<Answer extends object>(
  deps: MemoryDeps,
  id: number,
  patch: Patch,
  context: CallContext,
  answerOf: AnswerOf<Answer>,
): Promise<Remarked<Answer> | 'look again'> {
  const before = await requireMemory(deps, id, context);
  const draft = patch.apply(before);
  checkFact(before, draft, patch.project);
  refuseSecretsIn(draft);
  const write = writeOf(before, draft, patch);
  const warned = write === null ? [] : await judgeBefore(deps, write);
  await requireAttachments(deps, deps.database.db, context.userId, patch.projectIds, patch.attachments ?? {});
  const reworded = isReworded(before, draft);
  const prepared = reworded ? await prepareText(deps.embedder, draft, 'save') : null;

  const answer = await commitChanges(deps, context, async (trx) => {
    const present = await memoryById(trx, context.userId, id);
    if (present === null) throw missing(id);
    if (isChanged(before, present)) return 'look again';
    await requireAttachments(deps, trx, context.userId, patch.projectIds, patch.attachments ?? {});
    await refuseSecondFact(trx, present, draft);
    const projectIds = patch.projectIds ?? (await projectsAfter(deps, trx, patch.project, present, context));
    const attached = await attach(trx, context.userId, id, patch.attachments ?? {}, deps.clock.now());
    const changes = differences(present, { ...draft, projectIds });
    const supersedes = patch.supersedes ?? [];
    if (Object.keys(changes).length === 0 && supersedes.length === 0 && !attached) {
      return { answer: await answerOf(present, false, trx), vectors: [], log: [] };
    }
    const nowMs = deps.clock.now();
    await keepVersion(trx, present, { action: patch.action, agent: context.agent, nowMs });
    const refiled =
      present.status !== draft.status || searchType(present) !== searchType(draft) || 'projectIds' in changes;
    const grow = prepared !== null || refiled;
    const memory = await updateMemory(trx, present, { draft, projectIds, updatedAtMs: nowMs, grow });
    const vectors =
      prepared !== null
        ? [await fileMemory(trx, memory, prepared, nowMs)]
        : refiled
          ? [await refileMemory(trx, memory, deps.embedder.modelId, nowMs)]
          : [];
    const replaced = await supersede(trx, deps, supersedes, memory, context);
    const log = await recordChanges(trx, context, deps.clock, [
      { kind: 'memory', thingId: id, action: patch.action, changes },
      ...replaced.changes,
    ]);
    return { answer: await answerOf(memory, true, trx), vectors: [...vectors, ...replaced.vectors], log };
  });
  if (answer === 'look again' || write === null) return answer;
  return withRemarks(answer, [...warned, ...(await judgeAfter(deps, { ...write, id }))]);
}

/** What a policy is asked about; null for a patch that changes nothing. */
function writeOf(before: Memory, draft: MemoryDraft, patch: Patch): MemoryWrite | null {
  const projectIds = patch.projectIds ?? before.projectIds;
  const isMoved = patch.project !== undefined || (patch.supersedes ?? []).length > 0;
  const isAttached = Object.values(patch.attachments ?? {}).some((ids) => ids !== undefined);
  if (!isMoved && !isAttached && Object.keys(differences(before, { ...draft, projectIds })).length === 0) return null;
  return { operation: operationOf[patch.action] ?? 'update', previous: before, proposed: draft, projectIds };
}

/** What the history calls a change, in the words of a policy. */
const operationOf: Readonly<Record<string, MemoryWrite['operation']>> = {
  obsoleted: 'obsolete',
  archived: 'obsolete',
  restored: 'restore',
};

/** A user's memory. Throws `not_found`. */
export async function requireMemory(
  deps: Pick<MemoryDeps, 'database'>,
  id: number,
  context: CallContext,
): Promise<Memory> {
  const memory = await memoryById(deps.database.db, context.userId, id);
  if (memory === null) throw missing(id);
  return memory;
}

/** Whether anything but the access counters differs between two readings of one memory. */
export function isChanged(before: Memory, present: Memory): boolean {
  return (
    present.rev !== before.rev ||
    JSON.stringify(snapshotOf(present, present.projectIds)) !== JSON.stringify(snapshotOf(before, before.projectIds))
  );
}

/** Of the facts under one category and key one alone is live. */
async function refuseSecondFact(trx: Trx, present: Memory, draft: MemoryDraft): Promise<void> {
  const { category, key } = present;
  if (category === null || key === null || draft.status !== 'active' || present.status === 'active') return;
  const live = await factByKey(trx, present.userId, category, key);
  if (live === null) return;
  throw new LociError('conflict', `Memory ${live.id} is the fact '${key}' now: forget or archive it first.`, {
    id: live.id,
    key,
  });
}

function missing(id: number): LociError {
  return new LociError('not_found', `Memory ${id} not found.`, { id });
}

/** Whether what is embedded or looked up by keyword changes: text, author, and the dates that are words of the index too. */
function isReworded(before: Memory, draft: MemoryDraft): boolean {
  return (
    embeddedText(draft) !== embeddedText(before) ||
    contentHash(draft) !== before.contentHash ||
    draft.author !== before.author ||
    draft.session !== before.session ||
    draft.sequence !== before.sequence ||
    draft.occurredAtMs !== before.occurredAtMs ||
    draft.validFromMs !== before.validFromMs ||
    draft.validToMs !== before.validToMs
  );
}

/** A keyed fact stays a fact of no project with 1 to 2,000 characters. */
function checkFact(before: Memory, draft: MemoryDraft, project: string | null | undefined): void {
  if (!isKeyedFact(before)) return;
  if (draft.type !== 'fact')
    throw new LociError('invalid_input', 'A fact keeps its type: save another memory instead.', {
      type: 'must be "fact"',
    });
  if (typeof project === 'string') {
    throw new LociError('invalid_input', 'A fact belongs to no project: save another memory instead.', {
      project: 'must be absent',
    });
  }
  if ([...draft.content].length > 2_000) {
    throw new LociError('invalid_input', '`content`: a fact has at most 2000 characters.', {
      content: 'must have at most 2000 characters',
    });
  }
}

async function projectsAfter(
  deps: MemoryDeps,
  trx: Trx,
  project: string | null | undefined,
  present: Memory,
  context: CallContext,
): Promise<readonly number[]> {
  if (project === undefined) return present.projectIds;
  if (project === null) return [];
  const primary = await deps.projects.ensure(trx, context, project);
  return [primary, ...present.projectIds.slice(1).filter((id) => id !== primary)];
}

/** Fields that differ, old and new. */
export function differences(
  before: Memory,
  after: MemoryDraft & { readonly projectIds: readonly number[] },
): Record<string, { old: unknown; new: unknown }> {
  const old = snapshotOf(before, before.projectIds) as Record<string, unknown>;
  const next = snapshotOf(after, after.projectIds) as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(next)
      .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(next[field]))
      .map((field) => [field, { old: old[field], new: next[field] }]),
  );
}
