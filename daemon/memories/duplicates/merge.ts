// Uniting two records of one statement. Nothing that only one of them had is lost: lists are united, gaps filled,
// the longer content stays and the other goes to the history.
import type { Memory, MemoryDraft } from '../memory.ts';

/** The united draft of `target` and what was said again. The larger confidence and importance win; tier never falls. */
export function mergeDrafts(target: Memory, incoming: MemoryDraft): MemoryDraft {
  const longer = incoming.content.length > target.content.length ? incoming : target;
  return {
    ...target,
    title: target.title ?? incoming.title,
    content: longer.content,
    context: longerOf(target.context, incoming.context),
    problem: longerOf(target.problem, incoming.problem),
    solution: longerOf(target.solution, incoming.solution),
    concepts: union(target.concepts, incoming.concepts),
    tags: union(target.tags, incoming.tags),
    files: union(target.files, incoming.files),
    importance: Math.max(target.importance, incoming.importance),
    confidence: Math.max(target.confidence, incoming.confidence),
    tier: target.tier === 'core' || incoming.tier === 'core' ? 'core' : 'regular',
    provenance: incoming.confidence > target.confidence ? incoming.provenance : target.provenance,
    pinned: target.pinned || incoming.pinned,
    sourceContext: target.sourceContext ?? incoming.sourceContext,
    sourceRepo: target.sourceRepo ?? incoming.sourceRepo,
    sourceUrl: target.sourceUrl ?? incoming.sourceUrl,
    author: target.author ?? incoming.author,
    validFromMs: target.validFromMs ?? incoming.validFromMs,
    validToMs: incoming.validToMs ?? target.validToMs,
    // said again without an end, it no longer ends
    expiresAtMs: later(target.expiresAtMs, incoming.expiresAtMs),
    metadata: { ...incoming.metadata, ...target.metadata },
  };
}

/** Whether the text of `incoming` survives in the united draft, so that no copy of it need go to the history. */
export function keepsText(united: MemoryDraft, incoming: MemoryDraft): boolean {
  return (
    united.content === incoming.content &&
    [united.context, united.problem, united.solution].every((text, index) => {
      const given = [incoming.context, incoming.problem, incoming.solution][index] ?? null;
      return given === null || given === text;
    })
  );
}

function longerOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return b.length > a.length ? b : a;
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b);
}

/** Members of both in order, equal ones (trimmed, case-folded) once. */
export function union(a: readonly string[], b: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...a, ...b].filter((member) => {
    const key = member.trim().normalize('NFKC').toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
