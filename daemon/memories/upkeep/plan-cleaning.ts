// What clean-up would archive, and why: decided here, from facts alone, and applied by clean.ts. A dry run shows this plan, so it
// cannot say anything else than what a run does.

import type { MemorySettings } from '../deps.ts';
import { distinctions } from '../duplicates/guard.ts';
import { type Subjects, stateTheSame, subjectsOf } from '../duplicates/subject-words.ts';
import { embeddedText, type Memory, shownTitle } from '../memory.ts';
import { isFaded } from './fading.ts';

/** A memory that is to be archived. `rev` and `updatedAtMs` are what the plan saw. */
export type Doomed = {
  readonly id: number;
  readonly title: string;
  readonly rev: number;
  readonly updatedAtMs: number;
};

export type Duplicate = Doomed & { readonly keptId: number; readonly similarity: number };

/** What duplicates are decided by, without the texts. */
export type Comparable = Doomed & {
  readonly accessCount: number;
  readonly confidence: number;
  readonly isCore: boolean;
  /** Equal for memories that the guard lets pass for one. */
  readonly distinctions: string;
  readonly subjects: Subjects;
};

export function doomed(memory: Memory): Doomed {
  return { id: memory.id, title: shownTitle(memory), rev: memory.rev, updatedAtMs: memory.updatedAtMs };
}

export function comparable(memory: Memory): Comparable {
  return {
    ...doomed(memory),
    accessCount: memory.accessCount,
    confidence: memory.confidence,
    isCore: memory.tier === 'core',
    distinctions: distinctions(embeddedText(memory)).join('\n'),
    subjects: subjectsOf(memory),
  };
}

/** Why a memory has outlived its use, or null: expiry first, because it spares nothing. */
export function whyOutlived(memory: Memory, nowMs: number, settings: MemorySettings): 'expired' | 'decayed' | null {
  if (memory.status !== 'active') return null;
  if (memory.expiresAtMs !== null && memory.expiresAtMs <= nowMs) return 'expired';
  return isFaded(memory, nowMs, settings) ? 'decayed' : null;
}

/**
 * Of pairs that say the same, nearest first, the one to archive: the one with fewer accesses, then of lower confidence, then the
 * older. A core memory is never archived so, and a memory that is archived makes no further pair.
 */
export function planDuplicates(
  pairs: readonly { readonly a: number; readonly b: number; readonly similarity: number }[],
  memories: ReadonlyMap<number, Comparable>,
): Duplicate[] {
  const duplicates: Duplicate[] = [];
  const gone = new Set<number>();
  for (const { a, b, similarity } of [...pairs].sort((x, y) => y.similarity - x.similarity || x.a - y.a || x.b - y.b)) {
    const [one, other] = [memories.get(a), memories.get(b)];
    if (one === undefined || other === undefined || gone.has(a) || gone.has(b)) continue;
    if (one.distinctions !== other.distinctions || !stateTheSame(one.subjects, other.subjects)) continue;
    const [kept, archived] = isKept(one, other) ? [one, other] : [other, one];
    if (archived.isCore) continue;
    gone.add(archived.id);
    const { id, title, rev, updatedAtMs } = archived;
    duplicates.push({ id, title, rev, updatedAtMs, keptId: kept.id, similarity });
  }
  return duplicates;
}

function isKept(one: Comparable, other: Comparable): boolean {
  if (one.accessCount !== other.accessCount) return one.accessCount > other.accessCount;
  if (one.confidence !== other.confidence) return one.confidence > other.confidence;
  if (one.updatedAtMs !== other.updatedAtMs) return one.updatedAtMs > other.updatedAtMs;
  return one.id > other.id;
}
