// What recall and recap have in common: memories become framed text within a budget, and the session remembers what it was shown.
import type { CallContext } from '#daemon/kernel/context.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import { cutAtWord, type Memory, type MemoryDeps, projectNamesOf, shownTitle } from '#daemon/memories/index.ts';
import { shownName } from '#daemon/trust/shown-name.ts';
import type { memoryRecall } from '#shared/contract/hooks.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import type { Quoted } from './frame.ts';
import { keepInjections } from './injections.repository.ts';
import { keepShown } from './shown.repository.ts';
import { estimateTokens } from './tokens.ts';

export type Injection = OutputOf<typeof memoryRecall>;
export type SilenceReason = NonNullable<Injection['silent']>;
export type InjectedMemory = Injection['memories'][number];

export function silence(silent: SilenceReason, startedMs: number, degraded: readonly string[] = []): Injection {
  return { text: '', memories: [], tokens: 0, silent, degraded: [...degraded], took_ms: tookMs(startedMs) };
}

export function tookMs(startedMs: number): number {
  return Math.round((performance.now() - startedMs) * 10) / 10;
}

/** Everything a memory says, as one text. */
export function wholeText(memory: Memory): string {
  return [
    memory.title,
    memory.content,
    memory.context,
    memory.problem === null ? null : `Problem: ${memory.problem}`,
    memory.solution === null ? null : `Solution: ${memory.solution}`,
    memory.files.length === 0 ? null : `Files: ${memory.files.slice(0, 10).join(', ')}`,
  ]
    .filter((part) => part !== null && part !== '')
    .join('\n');
}

/** `[42] decision · project storefront · 2026-03-01 · from claude-code (save)`. */
export function labelOf(memory: Memory, project: string | null): string {
  const parts = [
    memory.type,
    project === null ? null : `project ${shownName(project)}`,
    new Date(memory.updatedAtMs).toISOString().slice(0, 10),
    `from ${shownName(memory.author ?? memory.agent ?? 'an unnamed client')} (${memory.provenance})`,
  ];
  return `[${memory.id}] ${parts.filter((part) => part !== null).join(' · ')}`;
}

/** Cuts a text to a budget at a word; says where the rest is. */
export function cutToBudget(text: string, budget: number, id: number): { text: string; whole: boolean } {
  if (estimateTokens(text) <= budget) return { text, whole: true };
  const rest = ` (cut: memory_get ${id} has the rest)`;
  let points = Math.floor(budget * 4);
  for (;;) {
    const cut = cutAtWord(text, Math.max(20, points)) + rest;
    if (estimateTokens(cut) <= budget || points <= 20) return { text: cut, whole: false };
    points = Math.floor(points * 0.85);
  }
}

export type Written = { readonly quoted: Quoted; readonly memory: Memory; readonly whole: boolean };

/** Names of the primary projects, by memory. */
export async function projectsOf(deps: MemoryDeps, memories: readonly Memory[]): Promise<Map<number, string | null>> {
  const names = await projectNamesOf(deps, deps.database.db, memories);
  return new Map(memories.map((memory) => [memory.id, names.get(memory.projectIds[0] ?? -1) ?? null]));
}

export function toInjected(
  memory: Memory,
  project: string | null,
  more: Pick<InjectedMemory, 'cross_project' | 'similarity' | 'whole'>,
): InjectedMemory {
  return { id: memory.id, title: shownTitle(memory), type: memory.type, project, ...more };
}

export type Injecting = {
  readonly occasion: 'recall' | 'recap';
  readonly session: string | undefined;
  readonly memories: readonly Memory[];
  /** Those that the session need not be told again. */
  readonly whole: readonly Memory[];
};

/** Writes down what was put into which context; a caller that has hung up was shown nothing. A full disk costs the note, never the answer. */
export async function noteInjected(
  deps: MemoryDeps,
  { occasion, session, memories, whole }: Injecting,
  { userId, agent, folder, signal }: CallContext,
): Promise<void> {
  if (memories.length === 0 || signal?.aborted === true) return;
  const nowMs = deps.clock.now();
  const shown = whole.map(({ id, contentHash }) => ({ memoryId: id, contentHash }));
  const at = { userId, occasion, agent, session: session ?? null, folder, nowMs };
  try {
    await deps.database.write(internalContext, async (trx) => {
      if (session !== undefined) await keepShown(trx, { userId, session, nowMs }, shown);
      await keepInjections(
        trx,
        at,
        memories.map(({ id }) => id),
      );
    });
  } catch (error) {
    deps.logger.warn({ err: error }, 'what was injected could not be noted');
  }
}
