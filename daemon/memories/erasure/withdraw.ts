// A union repeats what its originals said. When one of them is erased, what it alone said must leave every memory that united it, and the
// unions of those: present text, labels, earlier versions. A union that nobody has changed since becomes the union of what is left; in one that was
// changed the sentences and labels of the erased memory go and what was written since stays; a model's summary gives way to the originals' sentences.
import type { CallContext } from '#daemon/kernel/context.ts';
import { forgetAnswers } from '#daemon/storage/answers.ts';
import { type Change, eraseChangeTexts } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { MemoryDeps } from '../deps.ts';
import { countVersions, rewriteVersion, type Version, versionsOf } from '../history.repository.ts';
import { fileMemory } from '../index-memory.ts';
import { memoriesByIds, memoryById, updateMemory } from '../memories.repository.ts';
import type { Memory, MemoryDraft } from '../memory.ts';
import { type PreparedText, prepareText } from '../prepare-text.ts';
import { isChanged } from '../update.ts';
import { heirsOf, unionOf } from '../upkeep/unions.repository.ts';
import { uniteMemories } from '../upkeep/unite.ts';
import { type Share, withoutErased } from './without-erased.ts';

export type Withdrawals = {
  /** Unions that say something still, with what they say then. */
  readonly rewritten: readonly Rewritten[];
  /** Unions of which nothing is left: they are erased as well. */
  readonly emptied: readonly number[];
  /** Every memory that united what is erased, for a second look inside the transaction. */
  readonly heirs: readonly number[];
};

type Rewritten = {
  readonly heir: Memory;
  readonly draft: MemoryDraft;
  readonly prepared: PreparedText;
  readonly share: Share;
};

/** Works out what becomes of the unions of `ids`, outside every transaction: it takes the model. */
export async function planWithdrawals(
  deps: MemoryDeps,
  ids: readonly number[],
  { userId }: CallContext,
): Promise<Withdrawals> {
  const { db } = deps.database;
  const erased = new Set(ids);
  const shares = new Map<number, Share>();
  const rewritten: Rewritten[] = [];
  const heirs = await allHeirs(db, ids);
  // a union is younger than what it unites, so by the time it is reached all its members are settled
  for (const id of heirs) {
    const heir = await memoryById(db, userId, id);
    if (heir === null || erased.has(id)) continue;
    const share = await shareOf(deps, heir, (member, then) => {
      if (erased.has(member.id)) return null;
      const settled = shares.get(member.id);
      return settled === undefined ? then : { ...then, ...withoutErased(then, settled) };
    });
    const draft = withoutErased(heir, share);
    if (draft.content.trim() === '') {
      erased.add(id);
      continue;
    }
    shares.set(id, share);
    rewritten.push({ heir, draft, share, prepared: await prepareText(deps.embedder, draft, 'save') });
  }
  return { rewritten, emptied: [...erased].filter((id) => !ids.includes(id)), heirs };
}

/** Writes a plan, in the transaction of the erasure; null when something changed since it was made. */
export async function applyWithdrawals(
  trx: Trx,
  deps: Pick<MemoryDeps, 'clock'>,
  { rewritten }: Withdrawals,
  ids: readonly number[],
  { userId }: CallContext,
): Promise<{ vectors: VectorChange[]; changes: Change[] } | null> {
  const nowMs = deps.clock.now();
  const vectors: VectorChange[] = [];
  const changes: Change[] = [];
  for (const { heir, draft, prepared, share } of rewritten) {
    const present = await memoryById(trx, userId, heir.id);
    if (present === null || isChanged(heir, present)) return null;
    const { projectIds } = present;
    const after = await updateMemory(trx, present, { draft, projectIds, updatedAtMs: nowMs, grow: true });
    vectors.push(await fileMemory(trx, after, prepared, nowMs));
    for (const version of await versionsOf(trx, heir.id)) await rewriteVersion(trx, heir.id, without(version, share));
    await eraseChangeTexts(trx, 'memory', heir.id);
    await forgetAnswers(trx, 'memory', heir.id);
    changes.push({ kind: 'memory', thingId: heir.id, action: 'withdrawn', metadata: { erased: ids } });
  }
  return { vectors, changes };
}

function without(version: Version, share: Share): Version {
  const draft = withoutErased(version.snapshot, share);
  const content = draft.content.trim() === '' ? '(erased)' : draft.content;
  return { ...version, snapshot: { ...draft, content, projectIds: version.snapshot.projectIds } };
}

/** Ids of all unions that `ids` went into, and of theirs, in order. */
export async function allHeirs(queries: Queries, ids: readonly number[]): Promise<number[]> {
  const found = new Set<number>();
  for (let next = [...ids]; next.length > 0; ) {
    next = (await heirsOf(queries, next)).filter((id) => !found.has(id));
    for (const id of next) found.add(id);
  }
  return [...found].sort((a, b) => a - b);
}

/** What the members of a union brought into it, and what they bring once some of them are gone. */
async function shareOf(
  deps: MemoryDeps,
  heir: Memory,
  afterOf: (member: Memory, then: Memory) => Memory | null,
): Promise<Share> {
  const { memberIds, by } = await unionOf(deps.database.db, heir.id);
  const before: Memory[] = [];
  const after: Memory[] = [];
  for (const member of (await memoriesByIds(deps.database.db, heir.userId, memberIds)).values()) {
    const then = asUnited(member, await versionsOf(deps.database.db, member.id), heir.id);
    before.push(then);
    const left = afterOf(member, then);
    if (left !== null) after.push(left);
  }
  if (by !== 'hand') return { before, after, by: by ?? (await guessedWay(deps, heir, before)) };
  const own = await beforeTakingOver(deps, heir);
  return { before: [own, ...before], after: [own, ...after], by };
}

/** What a memory said itself, before it took others over by hand. */
async function beforeTakingOver(deps: MemoryDeps, heir: Memory): Promise<Memory> {
  const versions = await versionsOf(deps.database.db, heir.id);
  const own = versions.findLast(({ action }) => action === 'merged');
  return own === undefined ? heir : { ...heir, ...own.snapshot, updatedAtMs: own.recordedFromMs };
}

/** Of an imported union: one that nobody has changed and that is not its members' sentences was written by a model. */
async function guessedWay(deps: MemoryDeps, heir: Memory, members: readonly Memory[]): Promise<Share['by']> {
  const isMerged = heir.content === uniteMemories(members).draft.content;
  return isMerged || (await countVersions(deps.database.db, heir.id)) > 0 ? 'merge' : 'summary';
}

/** A member as it was when it was united into `heirId`: what became of it since is no part of the union. */
function asUnited(member: Memory, versions: readonly Version[], heirId: number): Memory {
  const next = [{ supersededBy: member.supersededBy }, ...versions.map(({ snapshot }) => snapshot)];
  const at = versions.findIndex(
    ({ action }, index) => action === 'consolidated' && next[index]?.supersededBy === heirId,
  );
  const version = versions[at];
  return version === undefined ? member : { ...member, ...version.snapshot, updatedAtMs: version.recordedFromMs };
}
