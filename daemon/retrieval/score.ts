// What time and trust do to a memory. The four formulas are exact and public (contract, lifecycle); everything here is pure.
// Age decides among near-equals only: multiplied into relevance in full it took nDCG from .53 to .15, so the share that it has is a setting.

const dayMs = 24 * 60 * 60 * 1000;

export type Lived = {
  /** 0–1. */
  readonly confidence: number;
  readonly accessCount: number;
  readonly createdAtMs: number;
  readonly lastAccessedAtMs: number | null;
};

export type ScoreFactors = {
  readonly decay: number;
  readonly frequency: number;
  readonly trust: number;
  readonly score: number;
};

/** Below this a memory is a candidate for consolidation, and below the next for archiving. */
export const fadingBelow = 0.3;
export const fadedBelow = 0.1;

/** Days without an access until a memory of no confidence has half its strength. */
const halfLifeDays = 30;

/** `(0.5 ^ (days / 30)) ^ (1 − confidence)`; days since the last access, else since creation; an age below zero is zero. */
export function decayOf(memory: Omit<Lived, 'accessCount'>, nowMs: number): number {
  const sinceMs = memory.lastAccessedAtMs ?? memory.createdAtMs;
  const days = Math.max(0, nowMs - sinceMs) / dayMs;
  return (0.5 ** (days / halfLifeDays)) ** (1 - memory.confidence);
}

/** `log2(accesses + 1) / 10 + 1`. */
export function frequencyOf(accessCount: number): number {
  return Math.log2(accessCount + 1) / 10 + 1;
}

/** `0.5 + 0.5 × confidence`. */
export function trustOf(confidence: number): number {
  return 0.5 + 0.5 * confidence;
}

/** `relevance × ((1 − s) + s × decay × frequency × trust)`, with every factor. `strength` is `ranking.decay_strength`, 0–1. */
export function scoreOf(relevance: number, memory: Lived, strength: number, nowMs: number): ScoreFactors {
  const decay = decayOf(memory, nowMs);
  const frequency = frequencyOf(memory.accessCount);
  const trust = trustOf(memory.confidence);
  return { decay, frequency, trust, score: relevance * (1 - strength + strength * decay * frequency * trust) };
}
