// Which memories have faded, by the one formula of retrieval/score.ts. Queries select by age × (1 − confidence), which needs no
// power of two; the formula decides.

import { mapThreshold } from '#daemon/retrieval/map-threshold.ts';
import { daysUntilDecay, decayOf } from '#daemon/retrieval/score.ts';
import type { MemoryDeps, MemorySettings } from '../deps.ts';
import { isKeyedFact, isLive, type Memory } from '../memory.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Age × (1 − confidence), in milliseconds, beyond which a memory's decay is below `target`. */
export function fadedAfterMs(target: number, { halfLifeDays }: MemorySettings): number {
  return daysUntilDecay(target, 0, halfLifeDays) * dayMs;
}

/** A candidate of consolidation: live, faded below the setting, and neither pinned nor a keyed fact. */
export function isFading(memory: Memory, nowMs: number, settings: MemorySettings): boolean {
  return (
    isLive(memory, nowMs) &&
    !memory.pinned &&
    !isKeyedFact(memory) &&
    decayOf(memory, nowMs, settings.halfLifeDays) < settings.consolidation.below
  );
}

/** Faded so far that clean-up archives it. A keyed fact lasts until it is forgotten or expires: saving it said so. */
export function isFaded(memory: Memory, nowMs: number, settings: MemorySettings): boolean {
  return (
    memory.status === 'active' &&
    memory.tier !== 'core' &&
    !memory.pinned &&
    !isKeyedFact(memory) &&
    decayOf(memory, nowMs, settings.halfLifeDays) < settings.cleaning.archiveBelow
  );
}

/** The cosine of the present model that means what `point` means of the bundled one's, by the noise of the whole store. */
export async function cosineFor(deps: MemoryDeps, point: number): Promise<number> {
  const { modelId, dimensions } = deps.embedder;
  const { noise } = await deps.reader.ask('pairNoise', { modelId, dimensions });
  return mapThreshold(point, modelId, noise);
}
