// Every version of a memory, and the way back to one.

import type { CallContext } from '#daemon/kernel/context.ts';
import { LociError } from '#shared/errors.ts';
import type { MemoryDeps } from './deps.ts';
import { snapshotOf, type Version, versionsOf } from './history.repository.ts';
import type { Memory } from './memory.ts';
import { type AnswerOf, changeMemory, requireMemory } from './update.ts';

export type VersionView = {
  readonly version: number;
  readonly action: string;
  readonly agent: string | null;
  readonly fromMs: number;
  /** Null for the present version. */
  readonly toMs: number | null;
  readonly snapshot: Version['snapshot'];
  /** Fields in which this version differs from the one before it. */
  readonly changed: readonly string[];
};

/** All versions, the present one first. */
export async function historyOf(deps: MemoryDeps, id: number, context: CallContext): Promise<VersionView[]> {
  const memory = await requireMemory(deps, id, context);
  const past = await versionsOf(deps.database.db, id);
  const present = {
    version: past.length + 1,
    action: 'current',
    agent: memory.agent,
    fromMs: memory.updatedAtMs,
    toMs: null,
    snapshot: snapshotOf(memory, memory.projectIds),
  };
  const earlier = past.map((version) => ({ ...version, fromMs: version.recordedFromMs, toMs: version.recordedToMs }));
  const all = [present, ...earlier];
  return all.map(({ version, action, agent, fromMs, toMs, snapshot }, index) => ({
    version,
    action,
    agent,
    fromMs,
    toMs,
    snapshot,
    changed: changedFields(all[index + 1]?.snapshot, snapshot),
  }));
}

export type VersionDiff = {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly { readonly field: string; readonly old: unknown; readonly new: unknown }[];
};

/** What differs between two versions; by default between the present one and the one before. Throws `not_found` for an unknown version. */
export async function diffVersions(
  deps: MemoryDeps,
  { id, from, to }: { id: number; from: number | null; to: number | null },
  context: CallContext,
): Promise<VersionDiff> {
  const versions = await historyOf(deps, id, context);
  const newer = to ?? versions.length;
  const older = from ?? Math.max(1, newer - 1);
  const [before, after] = [older, newer].map((wanted) => {
    const version = versions.find((candidate) => candidate.version === wanted);
    if (version === undefined) {
      throw new LociError('not_found', `Memory ${id} has no version ${wanted}: it has 1 to ${versions.length}.`, {
        id,
      });
    }
    return version.snapshot as unknown as Record<string, unknown>;
  }) as [Record<string, unknown>, Record<string, unknown>];
  const changes = Object.keys(after)
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, old: before[field] ?? null, new: after[field] ?? null }));
  return { from: older, to: newer, changes };
}

/** Brings back the text, fields and projects of an earlier version; the present one goes to the history. Throws `not_found` for an unknown version. */
export async function revertMemory<Answer extends object>(
  deps: MemoryDeps,
  { id, to }: { id: number; to: number },
  context: CallContext,
  answerOf: AnswerOf<Answer>,
): Promise<Answer> {
  const memory = await requireMemory(deps, id, context);
  const past = await versionsOf(deps.database.db, id);
  const version = past.find((candidate) => candidate.version === to);
  if (version === undefined && to !== past.length + 1) {
    throw new LociError('not_found', `Memory ${id} has no version ${to}: it has 1 to ${past.length + 1}.`, { to });
  }
  const { projectIds: then, ...draft } = version?.snapshot ?? snapshotOf(memory, memory.projectIds);
  // a project that was deleted since stays deleted
  const known = await deps.projects.byIds(deps.database.db, context.userId, then);
  const projectIds = then.filter((project) => known.has(project));
  // a version that was replaced by another memory comes back as what it said, not as replaced
  const apply = ({ status, supersededBy, obsoleteReason }: Memory) => ({
    ...draft,
    status,
    supersededBy,
    obsoleteReason,
  });
  return changeMemory(deps, id, { action: 'reverted', apply, projectIds }, context, answerOf);
}

function changedFields(before: Version['snapshot'] | undefined, after: Version['snapshot']): string[] {
  if (before === undefined) return [];
  const old = before as unknown as Record<string, unknown>;
  return Object.entries(after)
    .filter(([field, value]) => JSON.stringify(old[field]) !== JSON.stringify(value))
    .map(([field]) => field);
}
